import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallItem, Item } from "../../conversation/item.ts";
import type { Task } from "../../conversation/state.ts";
import { t } from "../../strings.ts";
import { compact, span } from "../../text/format.ts";
import { Icon } from "../part/icon.tsx";
import { Markdown } from "../part/markdown.tsx";
import { Decided } from "../decision/decided.tsx";
import { StateMark, stateOf } from "./card.tsx";
import { text } from "./look.ts";

interface SubagentProps {
  call: CallItem;
  waiting: boolean;
  thread: readonly Item[];
  task?: Task;
  /** Draws the items of a thread. */
  draw(items: readonly Item[]): JSX.Element;
}

/** A subagent: its prompt, its progress, its report. Its conversation folds out. */
export function SubagentCard({ call, waiting, thread, task, draw }: SubagentProps): JSX.Element {
  const background = task?.status === "running" && call.result !== undefined;
  const state = background ? "running" : stateOf(call, waiting);
  const [open, setOpen] = useState(false);
  const kind = text(call.input, "subagent_type") || task?.kind || t.log.subagent;
  const calls = thread.filter((item) => item.kind === "call").length;
  const last = thread.findLast((item) => item.kind === "call");
  return (
    <article class={`card subagent ${state}`} aria-label={`${kind}: ${text(call.input, "description")}`}>
      <button type="button" class="card-head" aria-expanded={open} onClick={() => setOpen(!open)} disabled={call.input === undefined}>
        <Icon name="bot" />
        <span class="card-title">{kind}</span>
        <span class="card-summary">{call.input ? text(call.input, "description") || task?.description : t.tool.writing}</span>
        {calls > 0 && <span class="card-outcome">{t.tool.steps(calls)}</span>}
        <StateMark state={state} />
        <Icon name="chevron" class="fold" />
      </button>
      {!open && state === "running" && (
        <p class="card-now">{task?.summary ?? (last?.kind === "call" ? `${last.name} ${summary(last)}` : (task?.description ?? ""))}</p>
      )}
      {task?.usage && (
        <p class="card-now">
          {[
            task.usage.total_tokens ? t.turn.tokens(compact(task.usage.total_tokens)) : "",
            task.usage.tool_uses ? t.tool.calls(task.usage.tool_uses) : "",
            task.usage.duration_ms ? span(task.usage.duration_ms) : "",
          ]
            .filter((part) => part !== "")
            .join(" · ")}
        </p>
      )}
      {open && (
        <div class="card-body">
          <details class="prompt">
            <summary>{t.tool.prompt}</summary>
            <Markdown text={text(call.input, "prompt")} />
          </details>
          <div class="thread">{draw(thread)}</div>
          {call.result && (
            <div class="framed">
              <Markdown text={call.result.content} />
            </div>
          )}
          {call.decision && <Decided decision={call.decision} />}
        </div>
      )}
    </article>
  );
}

function summary(call: CallItem): string {
  const first = Object.values(call.input ?? {}).find((value) => typeof value === "string");
  return typeof first === "string" ? first.slice(0, 80) : "";
}
