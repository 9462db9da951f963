import type { JSX } from "preact";
import type { DeviceInfo } from "aqueduct-client";
import { t } from "../../strings.ts";
import { time } from "../../text/format.ts";
import { Visible } from "./visible.tsx";

/** What a device may do, until when and where, in a line. */
export function AccessWords({ device, now }: { device: DeviceInfo; now: number }): JSX.Element {
  const { scope, expiresAt, root } = device;
  return (
    <>
      {scope !== undefined && (t.scope.names[scope] ?? scope)}
      {expiresAt !== undefined && (
        <span class={expiresAt <= now ? "expired" : ""}> · {expiresAt <= now ? t.scope.expired : t.scope.until(time(expiresAt))}</span>
      )}
      {root !== undefined && (
        <>
          {" "}
          · {t.scope.only} <code><Visible text={root} /></code>
        </>
      )}
    </>
  );
}
