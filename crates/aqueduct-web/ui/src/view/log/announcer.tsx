import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Item } from "../../conversation/item.ts";
import { t } from "../../strings.ts";

const LONGEST = 300;

/**
 * Announces politely what is new. The list itself stays silent: rows that become visible are not news, and letters
 * that come one by one are noise.
 */
export function Announcer({ items, ready }: { items: readonly Item[]; ready: boolean }): JSX.Element {
  const [said, setSaid] = useState("");
  const last = useRef<string>(undefined);
  const newest = items.findLast((item) => words(item) !== "");
  useEffect(() => {
    if (!ready || !newest || last.current === newest.key) return;
    // Earlier content is not announced.
    if (last.current !== undefined) setSaid(words(newest));
    last.current = newest.key;
  }, [newest, ready]);
  return (
    <div class="off-screen" aria-live="polite" aria-atomic="true">
      {said}
    </div>
  );
}

function words(item: Item): string {
  switch (item.kind) {
    case "text":
      return item.live ? "" : `${t.log.agentSaid}: ${item.text.slice(0, LONGEST)}`;
    case "call":
      return item.result?.isError ? `${item.name} ${t.tool.failed}` : "";
    case "turn":
      return item.result.isError ? `${t.turn.failed}: ${item.result.error ?? ""}` : "";
    case "user":
      return "";
    default:
      return "";
  }
}
