import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallItem } from "../../conversation/item.ts";
import type { Progress } from "../../conversation/state.ts";
import { t } from "../../strings.ts";
import { span } from "../../text/format.ts";
import { useTicks } from "../part/clock.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Visible } from "../part/visible.tsx";
import { Decided } from "../decision/decided.tsx";
import { generic } from "./generic.tsx";
import { lookOf, titleOf } from "./table.ts";

/** The state of a call. */
export type CallState = "writing" | "running" | "waiting" | "ok" | "failed" | "denied" | "abandoned";

/** The state of a call. */
export function stateOf(call: CallItem, waiting: boolean): CallState {
  if (call.decision?.decision === "denied") return "denied";
  if (call.result) return call.result.isError ? "failed" : "ok";
  if (call.abandoned) return "abandoned";
  if (call.input === undefined) return "writing";
  return waiting ? "waiting" : "running";
}

interface CardProps {
  call: CallItem;
  sessionId: string;
  folder?: string;
  /** Whether it waits for a decision. */
  waiting: boolean;
  progress?: Progress;
}

/** A tool call. */
export function CallCard({ call, sessionId, folder, waiting, progress }: CardProps): JSX.Element {
  const look = lookOf(call.name);
  const state = stateOf(call, waiting);
  const [chosen, setOpen] = useState<boolean>();
  const open = call.input !== undefined && (chosen ?? ((look.open === true && state !== "waiting") || state === "failed"));
  const title = look === generic ? titleOf(call.name) : (look.title ?? call.name);
  return (
    <article class={`card ${state}`} aria-label={`${title}: ${stateWord(state)}`}>
      <button type="button" class="card-head" aria-expanded={open} onClick={() => setOpen(!open)} disabled={call.input === undefined}>
        <Icon name={look.icon} />
        <span class="card-title">{title}</span>
        <span class="card-summary">
          <Visible text={call.input ? look.summary(call.input, folder) : t.tool.writing} />
        </span>
        <span class="card-outcome">{look.outcome?.(call)}</span>
        <Elapsed call={call} state={state} progress={progress} />
        <StateMark state={state} />
        <Icon name="chevron" class="fold" />
      </button>
      {open && (
        <div class="card-body">
          <look.Body call={call} sessionId={sessionId} folder={folder} />
          {call.decision && <Decided decision={call.decision} />}
        </div>
      )}
      {!open && call.decision?.decision === "denied" && (
        <div class="card-body">
          <Decided decision={call.decision} />
        </div>
      )}
    </article>
  );
}

function stateWord(state: CallState): string {
  switch (state) {
    case "ok":
      return t.tool.ok;
    case "failed":
      return t.tool.failed;
    case "denied":
      return t.tool.denied;
    case "abandoned":
      return t.tool.abandoned;
    case "waiting":
      return t.status.waiting_approval!;
    default:
      return t.tool.running;
  }
}

/** A mark for the state of a call. */
export function StateMark({ state }: { state: CallState }): JSX.Element {
  if (state === "running" || state === "writing") return <span class="spinner" aria-hidden="true" />;
  if (state === "ok") return <Icon name="check" class="mark-ok" />;
  if (state === "waiting") return <Icon name="shield" class="mark-waiting" />;
  return <Icon name={state === "abandoned" ? "stop" : "close"} class="mark-bad" />;
}

const WORTH_TELLING_MS = 2000;

function Elapsed({ call, state, progress }: { call: CallItem; state: CallState; progress?: Progress }): JSX.Element | null {
  const app = useApp();
  const running = state === "running";
  useTicks(1000, running);
  if (call.startedAt === undefined) return null;
  const counted = running && progress ? progress.seconds * 1000 + (app.now() - progress.receivedAt) : undefined;
  const ms = counted ?? (running ? app.now() : (call.endedAt ?? call.startedAt)) - call.startedAt;
  return ms < WORTH_TELLING_MS ? null : <span class="elapsed">{span(ms)}</span>;
}
