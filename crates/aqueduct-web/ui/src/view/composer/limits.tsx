import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { time } from "../../text/format.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";

/** Limits of a subscription that are used up, or nearly. */
export function LimitStrip(): JSX.Element | null {
  const { rateLimits } = useApp();
  const tight = [...rateLimits.value.values()].filter((limit) => limit.status !== undefined && limit.status !== null && limit.status !== "allowed");
  if (tight.length === 0) return null;
  return (
    <div class="limits">
      {tight.map((limit) => {
        const name = limit.rateLimitType ?? "";
        return (
          <p key={name} class="warning">
            <Icon name="alert" />
            <span>
              {t.limit.state(t.usage.limitNames[name] ?? name, t.usage.limitStates[limit.status ?? ""] ?? String(limit.status))}
              {typeof limit.resetsAt === "number" && ` · ${t.usage.resets(time(limit.resetsAt * 1000))}`}
            </span>
          </p>
        );
      })}
    </div>
  );
}
