import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PermissionRequest } from "aqueduct-client";
import { t } from "../../strings.ts";
import { IconButton } from "../part/button.tsx";
import { lazy } from "../shell/lazy.tsx";
import { BudgetCard } from "./budget.tsx";
import { PermissionCard } from "./permission.tsx";
import { PlanCard } from "./plan.tsx";
import { QuestionCard } from "./question.tsx";
import { ResendCard } from "./resend.tsx";

const FormCard = lazy(() => import("./form.tsx").then((module) => module.FormCard));

/** What the user has to decide, within reach of a thumb. One at a time, with steps to the others. */
export function DecisionTray({ pending }: { pending: readonly PermissionRequest[] }): JSX.Element | null {
  const [chosen, setChosen] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const at = Math.max(0, pending.findIndex((request) => request.id === chosen));
  const request = pending[at];
  const { id } = request ?? {};
  useEffect(() => {
    if (id !== undefined) frame.current?.scrollTo(0, 0);
  }, [id]);
  if (!request) return null;
  const step = (by: number): void => setChosen(pending.at((at + by) % pending.length)?.id);
  return (
    <div class="tray" ref={frame}>
      {pending.length > 1 && (
        <div class="tray-steps">
          <IconButton icon="back" label={t.permission.previous} onClick={() => step(-1)} />
          <span>{t.permission.of(at + 1, pending.length)}</span>
          <IconButton icon="chevron" label={t.permission.next} onClick={() => step(1)} />
        </div>
      )}
      <Card key={request.id} request={request} />
    </div>
  );
}

function Card({ request }: { request: PermissionRequest }): JSX.Element {
  switch (request.kind) {
    case "question":
      return <QuestionCard request={request} />;
    case "plan":
      return <PlanCard request={request} />;
    case "elicitation":
      return <FormCard request={request} />;
    case "budget":
      return <BudgetCard request={request} />;
    case "resend":
      return <ResendCard request={request} />;
    default:
      return <PermissionCard request={request} />;
  }
}
