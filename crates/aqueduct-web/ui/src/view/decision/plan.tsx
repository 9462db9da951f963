import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PermissionMode, PermissionRequest } from "aqueduct-client";
import { t } from "../../strings.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Markdown } from "../part/markdown.tsx";
import { useDecide } from "./decide.ts";

/** Modes in which the agent still asks. */
const ASKING: readonly PermissionMode[] = ["default", "plan", "manual"];
const USUAL: readonly PermissionMode[] = ["default", "acceptEdits"];

/** A plan: approve it, approve it and let edits through, or request changes. */
export function PlanCard({ request }: { request: PermissionRequest }): JSX.Element {
  const { busy, decide } = useDecide();
  const [feedback, setFeedback] = useState<string>();
  const { id, sessionId, inputHash } = request;
  const plan = (request.input as { plan?: unknown } | null)?.plan;
  const app = useApp();
  const modes = (request.modes ?? USUAL).filter((mode) => ASKING.includes(mode) || app.can(mode === "bypassPermissions" ? "admin" : "operate"));
  const [first = "default", ...others] = modes;
  const approve = (mode: PermissionMode): void => decide({ type: "approve", id, sessionId, inputHash, mode });
  const keep = (): void => decide({ type: "reject", id, sessionId, inputHash, ...(feedback?.trim() ? { message: feedback.trim() } : {}) });
  return (
    <section class="decision" role="region" aria-label={t.permission.plan}>
      <div class="decision-body">
        <header>
          <Icon name="map" />
          <h2>{request.title ?? t.permission.plan}</h2>
        </header>
        <Markdown text={typeof plan === "string" ? plan : JSON.stringify(request.input, null, 2)} />
        {feedback !== undefined && (
          <label class="field">
            <span>{t.plan.feedback}</span>
            <textarea rows={3} value={feedback} placeholder={t.plan.feedbackHint} onInput={(event) => setFeedback(event.currentTarget.value)} ref={(element) => { if (element && feedback === "") element.focus(); }} />
          </label>
        )}
      </div>
      <footer class="decision-buttons">
        <Button kind="quiet" disabled={busy} onClick={() => (feedback === undefined ? setFeedback("") : keep())}>{t.plan.keep}</Button>
        {others.map((mode) => (
          <Button key={mode} disabled={busy} onClick={() => approve(mode)}>{t.plan.approveWith(t.modes[mode]?.[0] ?? mode)}</Button>
        ))}
        <Button kind="primary" disabled={busy} onClick={() => approve(first)}>{t.plan.approve}</Button>
      </footer>
    </section>
  );
}
