import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { PermissionRequest } from "aqueduct-client";
import { t } from "../../strings.ts";
import { relative } from "../../text/format.ts";
import { hasHidden } from "../../text/reveal.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Limited } from "../part/limited.tsx";
import { titleOf } from "../tool/table.ts";
import { useDecide } from "./decide.ts";
import { rulesOf } from "./decided.tsx";
import { Exactly } from "./exactly.tsx";
import { Parts } from "./parts.tsx";
import { RuleEditor, type EditedRules } from "./rules.tsx";

/** May a tool run? Shows exactly what would, and what each answer means. */
export function PermissionCard({ request }: { request: PermissionRequest }): JSX.Element {
  const app = useApp();
  const { busy, decide } = useDecide();
  const [rules, setRules] = useState<EditedRules>(() => proposed(request, app.can("admin")));
  const [message, setMessage] = useState<string>();
  const folder = app.sessions.value.get(request.sessionId)?.projectPath;
  const { id, sessionId, inputHash } = request;

  const allowOnce = (): void => decide({ type: "approve", id, sessionId, inputHash });
  const always = (): void => decide(alwaysMessage(request, rules));
  const deny = (): void => decide({ type: "reject", id, sessionId, inputHash, ...(message?.trim() ? { message: message.trim() } : {}) });
  const operates = app.can("operate");
  const offersAlways = request.onceOnly !== true && operates;
  // Trying again adds a rule to the session.
  const offersOnce = request.kind !== "retry" || operates;

  // Before the region is painted: a key pressed as soon as it shows must count.
  useLayoutEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey) return;
      const action = { KeyY: offersOnce ? allowOnce : undefined, KeyA: offersAlways ? always : undefined, KeyN: deny }[event.code];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  });

  return (
    <section class="decision" role="region" aria-label={t.permission.name}>
      <div class="decision-body">
        <header>
          <Icon name="shield" />
          <h2>{request.title ?? titleOf(request.toolName)}</h2>
          {request.title && <span class="chip">{titleOf(request.toolName)}</span>}
          {request.parentToolUseId && <span class="chip">{t.permission.subagent}</span>}
        </header>
        {request.kind === "retry" && <p class="quiet">{t.permission.retryHint}</p>}
        <Exactly request={request} folder={folder} />
        {hasHidden(request.input) && (
          <p class="warning">
            <Icon name="alert" /> {t.permission.hidden}
          </p>
        )}
        {request.mcpServer && <p class="quiet">{t.permission.server(request.mcpServer)}</p>}
        {request.parts && request.parts.length > 0 && <Parts parts={request.parts} folder={folder} />}
        {(request.reason || request.blockedPath) && (
          <p class="reason">
            <strong>{t.permission.why}:</strong> {request.reason}
            {request.blockedPath && relative(request.blockedPath, folder) === request.blockedPath && (
              <>
                {" "}
                {t.permission.outside} <code>{request.blockedPath}</code>
              </>
            )}
          </p>
        )}
        {!offersOnce && <Limited needed="operate" what={t.scope.retry} />}
        {offersAlways && <RuleEditor edited={rules} onChange={setRules} fixed={fixedUpdates(request)} />}
        {message !== undefined && (
          <label class="field">
            <span>{t.permission.message}</span>
            <textarea rows={2} value={message} placeholder={t.permission.messageHint} onInput={(event) => setMessage(event.currentTarget.value)} />
          </label>
        )}
      </div>
      <footer class="decision-buttons">
        <div class="deny-pair">
          <Button kind="danger" disabled={busy} onClick={deny}>{t.permission.deny}</Button>
          {message === undefined && (
            <Button kind="quiet" onClick={() => setMessage("")}>{t.permission.say}</Button>
          )}
        </div>
        {offersAlways && <Button disabled={busy} onClick={always}>{t.permission.always}</Button>}
        {offersOnce && <Button kind="primary" disabled={busy} onClick={allowOnce}>{t.permission.allowOnce}</Button>}
      </footer>
    </section>
  );
}

/** The rules that the bridge proposes: the narrowest alone. Who may not write user settings adds it to the session. */
function proposed(request: PermissionRequest, administers: boolean): EditedRules {
  const [first] = request.rules ?? [];
  const wished = first?.destination ?? "session";
  return { rules: first ? [first.rule] : [], destination: wished === "userSettings" && !administers ? "session" : wished, offered: request.rules ?? [], touched: false };
}

/** What the agent itself suggests, where the bridge has no rule to offer. */
function fixedUpdates(request: PermissionRequest): readonly string[] {
  return (request.rules?.length ?? 0) > 0 ? [] : rulesOf(request.suggestions);
}

function alwaysMessage(request: PermissionRequest, edited: EditedRules): Parameters<ReturnType<typeof useDecide>["decide"]>[0] {
  const { id, sessionId, inputHash } = request;
  const rules = edited.rules.map((rule) => rule.trim()).filter((rule) => rule !== "");
  if (rules.length > 0) return { type: "approve_always", id, sessionId, inputHash, rules, destination: edited.destination };
  return { type: "approve_always", id, sessionId, inputHash, ...(edited.touched ? { destination: edited.destination } : {}) };
}

