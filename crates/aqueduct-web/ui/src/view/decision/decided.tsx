import type { JSX } from "preact";
import type { Actor, PermissionResolved, PermissionUpdate } from "aqueduct-client";
import { t } from "../../strings.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";

/** The words for decisions about sending a message again. */
const resent: Readonly<Record<string, string>> = { allowed: t.resend.sent, denied: t.resend.dropped };

/** What was decided, and by whom. */
export function Decided({ decision, resend = false }: { decision: PermissionResolved; resend?: boolean }): JSX.Element | null {
  const who = useWho(decision.by);
  const good = decision.decision !== "denied" && decision.decision !== "cancelled";
  return (
    <p class={`decided ${good ? "good" : "bad"}`}>
      <Icon name={good ? "check" : "close"} />
      <span>
        {(resend ? resent[decision.decision] : undefined) ?? t.decision[decision.decision] ?? decision.decision} {who}
        {decision.message && <>: “{decision.message}”</>}
        {rulesOf(decision.updates).map((rule) => (
          <code key={rule}>{rule}</code>
        ))}
      </span>
    </p>
  );
}

/** Who did something, in words: `by Ada’s phone`. */
export function useWho(actor: Actor | undefined): string {
  const { hello } = useApp();
  if (!actor) return "";
  if (actor.deviceId !== undefined && actor.deviceId === hello.value?.device.deviceId) return t.decided.byYou;
  return t.decided.by(actor.name ?? actor.kind);
}

/** Rules as people write them. */
export function rulesOf(updates: readonly PermissionUpdate[] | undefined): string[] {
  return (updates ?? []).flatMap((update) => {
    if (update.type === "addRules") return update.rules.map((rule) => (rule.ruleContent ? `${rule.toolName}(${rule.ruleContent})` : rule.toolName));
    if (update.type === "setMode") return [update.mode];
    if (update.type === "addDirectories") return update.directories;
    return [];
  });
}
