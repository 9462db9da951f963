import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ModelInfo, SessionInfo } from "aqueduct-client";
import { t } from "../../strings.ts";
import { dollars } from "../../text/format.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Menu } from "../part/menu.tsx";
import { ContextGauge } from "./context.tsx";

/** From this share of its budget on a session's cost is highlighted. */
const NEAR = 0.8;

/** Mode, model, context and cost of a session. */
export function Switches({ session }: { session: SessionInfo }): JSX.Element {
  return (
    <div class="switches">
      <ModeSwitch session={session} />
      <ModelSwitch session={session} />
      <span class="switch-gap" />
      <ContextGauge session={session} />
      {session.costUsd !== undefined && session.costUsd > 0 && (
        <span class={`cost ${session.budgetUsd !== undefined && session.costUsd > session.budgetUsd * NEAR ? "near" : ""}`} title={t.turn.cost}>
          {dollars(session.costUsd)}
          {session.budgetUsd !== undefined && ` / ${dollars(session.budgetUsd)}`}
        </span>
      )}
    </div>
  );
}

function ModeSwitch({ session }: { session: SessionInfo }): JSX.Element {
  const app = useApp();
  const now = session.permissionMode ?? "default";
  const modes = app.hello.value?.permissionModes ?? [];
  return (
    <Menu
      label={t.composer.mode}
      value={t.modes[now]?.[0] ?? now}
      side="above"
      align="start"
      class={`switch mode-${now}`}
      choices={modes.map((mode) => ({
        label: t.modes[mode]?.[0] ?? mode,
        hint: t.modes[mode]?.[1],
        checked: mode === now,
        choose: () => app.do({ type: "set_permission_mode", sessionId: session.sessionId, mode }),
      }))}
    >
      <Icon name="shield" />
      <span>{t.modes[now]?.[0] ?? now}</span>
    </Menu>
  );
}

function ModelSwitch({ session }: { session: SessionInfo }): JSX.Element {
  const app = useApp();
  const { sessionId } = session;
  const [models, setModels] = useState<readonly ModelInfo[]>([]);
  const load = (): void => {
    app.connection.request<"models">({ type: "list_models", sessionId }).then(
      (reply) => setModels(reply.models),
      (error: unknown) => app.toasts.fail(error),
    );
  };
  const set = (model: string): void => app.do({ type: "set_model", sessionId, model });
  return (
    <Menu
      label={t.composer.model}
      value={session.model ?? t.start.modelDefault}
      side="above"
      align="start"
      class="switch"
      onOpen={load}
      choices={[
        ...models.flatMap(({ value, displayName, description }) =>
          value ? [{ label: displayName ?? value, hint: description ?? undefined, checked: value === session.model, choose: () => set(value) }] : [],
        ),
        {
          label: t.composer.otherModel,
          choose: () => {
            const name = window.prompt(t.composer.model, session.model ?? "")?.trim();
            if (name) set(name);
          },
        },
      ]}
    >
      <span>{session.model ?? t.start.modelDefault}</span>
    </Menu>
  );
}
