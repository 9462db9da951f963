import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { useApp } from "../part/context.ts";

/** The state of the connection: a thin line while connected, text when not. */
export function LinkStatus(): JSX.Element {
  const app = useApp();
  const link = app.connection.link.value;
  return (
    <div class={`link ${link}`}>
      <span role="status" aria-label={t.link[link]}>
        <span class="dot" aria-hidden="true" />
        <span class="link-word">{t.link[link]}</span>
      </span>
      {link === "reconnecting" && (
        <button type="button" title={t.link.detail} onClick={() => app.connection.wake()}>
          {t.link.now}
        </button>
      )}
    </div>
  );
}
