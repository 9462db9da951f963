import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { McpServerInfo, SessionInfo } from "aqueduct-client";
import { t } from "../../strings-mcp.ts";
import { address } from "../../text/markdown.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Dialog } from "../part/dialog.tsx";
import { Visible } from "../part/visible.tsx";

/** The MCP servers of a session's agent, and signing in to them. */
export function McpDialog({ session, onClose }: { session: SessionInfo; onClose(): void }): JSX.Element {
  const app = useApp();
  const { sessionId } = session;
  const [servers, setServers] = useState<readonly McpServerInfo[]>();
  const load = (): void => {
    app.ask<"mcp_servers">({ type: "list_mcp_servers", sessionId }).then((reply) => setServers(reply.servers), onClose);
  };
  useEffect(load, [sessionId]);
  return (
    <Dialog title={t.title} onClose={onClose}>
      {servers?.length === 0 && <p class="quiet">{t.none}</p>}
      <ul class="devices">
        {servers?.map((server) => (
          <Server key={server.name} sessionId={sessionId} server={server} onChange={load} />
        ))}
      </ul>
      <footer class="dialog-buttons">
        <Button kind="quiet" onClick={load}>{t.refresh}</Button>
      </footer>
    </Dialog>
  );
}

function Server({ sessionId, server, onChange }: { sessionId: string; server: McpServerInfo; onChange(): void }): JSX.Element {
  const app = useApp();
  const [link, setLink] = useState<string>();
  const { name, status } = server;
  const isRemote = server.transport === "http" || server.transport === "sse";
  const needsSignIn = status === "needs-auth";
  const begin = (): void => {
    app.ask<"mcp_sign_in">({ type: "sign_in_mcp_server", sessionId, server: name }).then((reply) => setLink(reply.url), () => undefined);
  };
  const signOut = (): void => {
    void app.ask({ type: "sign_out_mcp_server", sessionId, server: name }).then(onChange, () => undefined);
  };
  const done = (): void => {
    setLink(undefined);
    onChange();
  };
  return (
    <li>
      <div class="device-words">
        <strong>
          <Visible text={name} />
          <span class="quiet">{t.states[status] ?? status}</span>
          {app.can("operate") && needsSignIn && <Button kind="primary" onClick={begin}>{t.signIn}</Button>}
          {app.can("operate") && isRemote && status === "connected" && <Button kind="quiet" onClick={signOut}>{t.signOut}</Button>}
        </strong>
        {server.error && !needsSignIn && <p class="quiet"><Visible text={server.error} /></p>}
        {link && <SignIn sessionId={sessionId} server={name} link={link} onDone={done} />}
      </div>
    </li>
  );
}

/** The page to open, and the address that the browser ends on: this device can't reach the port of the agent's machine. */
function SignIn({ sessionId, server, link, onDone }: { sessionId: string; server: string; link: string; onDone(): void }): JSX.Element {
  const app = useApp();
  const [callbackUrl, setCallbackUrl] = useState("");
  const page = address(link);
  const finish = (): void => {
    void app.ask({ type: "finish_mcp_sign_in", sessionId, server, callbackUrl: callbackUrl.trim() }).then(onDone, () => undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        finish();
      }}
    >
      <p>
        {page && !page.file ? (
          <a class="button" href={page.href} target="_blank" rel="noopener noreferrer">{t.open}</a>
        ) : (
          <Visible text={link} />
        )}
      </p>
      <label class="field">
        <span>{t.paste}</span>
        <input value={callbackUrl} inputMode="url" autocomplete="off" placeholder="http://localhost:…" onInput={(event) => setCallbackUrl(event.currentTarget.value)} />
      </label>
      <p class="quiet">{t.pasteHint}</p>
      <footer class="dialog-buttons">
        <Button kind="quiet" onClick={onDone}>{t.here}</Button>
        <Button kind="primary" type="submit" disabled={!callbackUrl.trim()}>{t.finish}</Button>
      </footer>
    </form>
  );
}
