import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ModelInfo, SessionInfo } from "../../generated/messages.ts";
import { t } from "../../strings.ts";
import { compact, dollars } from "../../text/format.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Menu } from "../part/menu.tsx";

/** Mode, model, context and cost of a session. */
export function Switches({ session }: { session: SessionInfo }): JSX.Element {
  return (
    <div class="switches">
      <ModeSwitch session={session} />
      <ModelSwitch session={session} />
      <span class="switch-gap" />
      <ContextGauge session={session} />
      {session.costUsd !== undefined && session.costUsd > 0 && (
        <span class="cost" title={session.budgetUsd ? `${dollars(session.costUsd)} / ${dollars(session.budgetUsd)}` : t.turn.cost}>
          {dollars(session.costUsd)}
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

/** How much of the model's context is filled. */
function ContextGauge({ session }: { session: SessionInfo }): JSX.Element | null {
  const { contextTokens, contextWindow } = session;
  if (!contextTokens || !contextWindow) return null;
  const share = Math.min(1, contextTokens / contextWindow);
  return (
    <span class={`gauge ${share > 0.8 ? "high" : ""}`} role="meter" aria-label={t.composer.context} aria-valuenow={Math.round(share * 100)} aria-valuemin={0} aria-valuemax={100} title={`${t.composer.context}: ${compact(contextTokens)} / ${compact(contextWindow)}`}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8" />
        <circle class="filled" cx="10" cy="10" r="8" pathLength={100} stroke-dasharray={`${share * 100} 100`} />
      </svg>
      {Math.round(share * 100)} %
    </span>
  );
}
