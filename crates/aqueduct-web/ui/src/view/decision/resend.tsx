import type { JSX } from "preact";
import type { PermissionRequest } from "aqueduct-client";
import { t } from "../../strings.ts";
import { Words } from "../log/user.tsx";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Limited } from "../part/limited.tsx";
import { useDecide } from "./decide.ts";

/** The agent ended before it confirmed a message: send it again, or drop it. */
export function ResendCard({ request }: { request: PermissionRequest }): JSX.Element {
  const { busy, decide } = useDecide();
  const { text = "" } = (request.input ?? {}) as { text?: string };
  const { id, sessionId, inputHash } = request;
  // Sending again gives the agent an input.
  const sends = useApp().can("operate");
  return (
    <section class="decision" role="region" aria-label={t.permission.resend}>
      <div class="decision-body">
        <header>
          <Icon name="alert" />
          <h2>{t.permission.resend}</h2>
        </header>
        <p>{t.resend.text}</p>
        <blockquote class="framed">
          <Words text={text} />
        </blockquote>
        <p class="quiet">{t.resend.twice}</p>
        {!sends && <Limited needed="operate" what={t.scope.write} />}
      </div>
      <footer class="decision-buttons">
        <Button kind="quiet" disabled={busy} onClick={() => decide({ type: "reject", id, sessionId, inputHash })}>{t.resend.drop}</Button>
        {sends && <Button kind="primary" disabled={busy} onClick={() => decide({ type: "approve", id, sessionId, inputHash })}>{t.resend.again}</Button>}
      </footer>
    </section>
  );
}
