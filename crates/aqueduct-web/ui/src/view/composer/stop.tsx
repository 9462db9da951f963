import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../strings.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";

/** After so long without an effect, stopping harder is offered. */
const HARDER_AFTER_MS = 4000;

/** Stops the turn; a while later, if it still runs, the agent itself. */
export function StopButton({ sessionId }: { sessionId: string }): JSX.Element {
  const app = useApp();
  const [asked, setAsked] = useState(false);
  const [harder, setHarder] = useState(false);
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => setHarder(true), HARDER_AFTER_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  const stop = (): void => {
    setAsked(true);
    app.do({ type: "interrupt", sessionId, ...(harder ? { hard: true } : {}) }, { once: true });
  };
  return (
    <button type="button" class={`stop ${harder ? "harder" : ""}`} aria-label={harder ? t.composer.stopHard : t.composer.stop} title={harder ? t.composer.stopHardHint : t.composer.stop} onClick={stop}>
      <Icon name="stop" />
      {harder && <span>{t.composer.stopHard}</span>}
    </button>
  );
}
