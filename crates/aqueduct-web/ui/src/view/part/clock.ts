// A ticking clock for components that show time.

import { useEffect, useState } from "preact/hooks";

/** Draws the component again after each while, as long as `on`. */
export function useTicks(everyMs: number, on = true): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => tick((n) => n + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, on]);
}
