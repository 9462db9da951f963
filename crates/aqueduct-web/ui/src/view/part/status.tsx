import type { JSX } from "preact";
import type { SessionStatus } from "aqueduct-client";
import { t } from "../../strings.ts";

/** A session's status as a coloured dot, with its name for screen readers. */
export function StatusDot({ status }: { status: SessionStatus }): JSX.Element {
  return (
    <span class={`dot ${status}`} title={t.status[status] ?? status}>
      <span class="off-screen">{t.status[status] ?? status}</span>
    </span>
  );
}
