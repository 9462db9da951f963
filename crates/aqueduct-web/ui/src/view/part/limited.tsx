import type { JSX } from "preact";
import type { AccessScope } from "aqueduct-client";
import { t } from "../../strings.ts";
import { useApp } from "./context.ts";
import { Icon } from "./icon.tsx";

/** Shows why something is missing here: this device's scope does not include what is needed. */
export function Limited({ needed, what }: { needed: AccessScope; what: string }): JSX.Element {
  const { hello } = useApp();
  const own = hello.value?.device.scope ?? "watch";
  return (
    <p class="limited">
      <Icon name="shield" />
      <span>
        {t.scope.missing(what, t.scope.names[own] ?? own)} <code>aqueduct pair --scope {needed}</code>
      </span>
    </p>
  );
}
