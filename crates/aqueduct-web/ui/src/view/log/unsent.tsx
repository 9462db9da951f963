import type { JSX } from "preact";
import type { Unsent } from "aqueduct-client";
import { t } from "../../strings.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Words } from "./user.tsx";

/** Inputs that this device sent and the conversation does not have yet. */
export function UnsentList({ entries }: { entries: readonly Unsent[] }): JSX.Element {
  return (
    <>
      {entries.map((entry) => (
        <UnsentMessage key={entry.id} entry={entry} />
      ))}
    </>
  );
}

function UnsentMessage({ entry }: { entry: Unsent }): JSX.Element {
  const app = useApp();
  const connected = app.connection.link.value === "connected";
  const word = entry.state === "refused" ? t.log.refused : entry.state === "safe" || connected ? t.log.sending : t.log.unsent;
  return (
    <article class={`user unsent ${entry.state}`} aria-label={`${word}: ${entry.message.text}`}>
      <div class="bubble">
        <Words text={entry.message.text} />
      </div>
      <footer>
        <span>{word}</span>
        {entry.reason && <span class="reason">{entry.reason}</span>}
        {entry.state === "refused" && (
          <>
            <Button kind="quiet" onClick={() => app.outbox.retry(entry.id)}>{t.retry}</Button>
            <Button kind="quiet" onClick={() => app.outbox.discard(entry.id)}>{t.dismiss}</Button>
          </>
        )}
      </footer>
    </article>
  );
}
