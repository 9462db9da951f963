// From stored messages to what a person reads. A batch costs one copy of what it touches.

import type { AgentEvent, ContentBlock, ToolOutput, TurnResult } from "aqueduct-client";
import type { CallItem, Item } from "./item.ts";
import { EMPTY_FOLD, MAIN, type Fold, type Place, type Task } from "./state.ts";
import type { StoredMessage } from "./stored.ts";
import { isTodoTool, todosAfter, type Todo } from "./todo.ts";

/** The fold after some more messages. */
export function fold(base: Fold, messages: readonly StoredMessage[]): Fold {
  if (messages.length === 0) return base;
  const draft = new Draft(base);
  for (const message of messages) draft.take(message);
  return draft.done();
}

/** The fold of messages from their beginning. */
export function foldAll(messages: readonly StoredMessage[]): Fold {
  return fold(EMPTY_FOLD, messages);
}

class Draft {
  private threads?: Map<string, readonly Item[]>;
  private readonly fresh = new Set<string>();
  private calls?: Map<string, Place>;
  private tasks?: Map<string, Task>;
  private open?: Set<string>;
  private resends?: Set<string>;
  private todos: readonly Todo[];
  private todoCall: string | undefined;
  private turn: number;

  constructor(private readonly base: Fold) {
    this.todos = base.todos;
    this.todoCall = base.todoCall;
    this.turn = base.turn;
  }

  done(): Fold {
    return {
      threads: this.threads ?? this.base.threads,
      calls: this.calls ?? this.base.calls,
      tasks: this.tasks ?? this.base.tasks,
      open: this.open ?? this.base.open,
      resends: this.resends ?? this.base.resends,
      todos: this.todos,
      todoCall: this.todoCall,
      turn: this.turn,
    };
  }

  take(message: StoredMessage): void {
    const key = `s${message.seq}`;
    switch (message.type) {
      case "user_input":
        if (!message.parentToolUseId) this.turn = message.seq;
        this.push(message.parentToolUseId, {
          kind: "user",
          key,
          inputId: message.id,
          seq: message.seq,
          time: message.time,
          text: message.text,
          images: message.images ?? [],
          blocks: message.blocks ?? [],
          by: message.by,
          source: message.source,
          clientMessageId: message.clientMessageId,
        });
        break;
      case "assistant":
        this.supersede(message.parentToolUseId, message.supersedes);
        message.message.content.forEach((block, at) => this.block(message, block, at));
        break;
      case "tool_result":
        this.result(message);
        break;
      case "result":
        this.abandon(message.time);
        this.turn = message.seq;
        this.push(undefined, { kind: "turn", key, seq: message.seq, time: message.time, result: message, ...(this.reported(message) ? { reported: true } : {}) });
        break;
      case "permission_request":
        // What is open is in `pending`; what was decided is at its call.
        if (message.kind === "resend") (this.resends ??= new Set(this.base.resends)).add(message.id);
        break;
      case "permission_resolved": {
        const changed = this.change(message.toolUseId, (call) => ({ ...call, decision: message }));
        const resend = (this.resends ?? this.base.resends).has(message.id);
        if (!changed) this.push(undefined, { kind: "decision", key, seq: message.seq, time: message.time, decision: message, ...(resend ? { resend } : {}) });
        break;
      }
      case "system":
        if (message.subtype === "agent_exited" || message.subtype === "conversation_reset") this.abandon(message.time);
        if (message.subtype === "agent_exited") this.turn = message.seq;
        if (message.subtype === "conversation_reset") this.list([], undefined);
        this.push(undefined, { kind: "note", key, seq: message.seq, time: message.time, note: message });
        break;
      case "agent_event":
        if (!this.task(message.event)) {
          this.push(undefined, { kind: "event", key, seq: message.seq, time: message.time, event: message.event });
        }
        break;
      default:
        this.unknown(message);
    }
  }

  private block(message: Extract<StoredMessage, { type: "assistant" }>, block: ContentBlock, at: number): void {
    const thread = message.parentToolUseId;
    const key = answerKey(this.turn, message.message.id, message.index === undefined ? `s${message.seq}.${at}` : message.index + at);
    const common = { key, seq: message.seq, uuid: message.uuid };
    switch (block.type) {
      case "text":
        this.push(thread, {
          kind: "text",
          ...common,
          time: message.time,
          text: block.text,
          live: false,
          error: message.error ?? undefined,
          aborted: message.aborted,
        });
        break;
      case "thinking":
        this.push(thread, { kind: "thinking", ...common, text: block.thinking, live: false });
        break;
      case "tool_use": {
        const call: CallItem = {
          kind: "call",
          ...common,
          id: block.id,
          name: block.name,
          input: isRecord(block.input) ? block.input : {},
          startedAt: message.time,
        };
        if (this.place(block.id)) {
          // The same call again, such as after a retry: the newer one counts.
          this.change(block.id, (old) => ({ ...call, key: old.key, result: old.result, decision: old.decision }));
        } else {
          this.mutableCalls().set(block.id, { thread: thread ?? MAIN, index: this.thread(thread ?? MAIN).length });
          this.push(thread, call);
        }
        if (!thread) this.mutableOpen().add(block.id);
        if (!thread && call.name === "TodoWrite") this.todo(call);
        break;
      }
      default:
        this.push(thread, { kind: "block", ...common, block });
    }
  }

  private result(message: ToolOutput): void {
    this.openNoMore(message.toolUseId);
    const changed = this.change(message.toolUseId, (call) => ({ ...call, result: message, endedAt: message.time, abandoned: undefined }));
    if (!changed) {
      // The call is not among these messages: it is further back.
      this.mutableCalls().set(message.toolUseId, {
        thread: message.parentToolUseId ?? MAIN,
        index: this.thread(message.parentToolUseId ?? MAIN).length,
      });
      this.push(message.parentToolUseId, {
        kind: "call",
        key: `s${message.seq}`,
        seq: message.seq,
        id: message.toolUseId,
        name: message.toolName ?? "",
        input: {},
        endedAt: message.time,
        result: message,
      });
      return;
    }
    if (!message.parentToolUseId && isTodoTool(changed.name)) this.todo(changed);
  }

  private todo(call: CallItem): void {
    const todos = todosAfter(this.todos, call);
    if (todos) this.list(todos, call.id);
  }

  private list(todos: readonly Todo[], call: string | undefined): void {
    this.todos = todos;
    this.todoCall = call;
  }

  /** Marks calls of the main conversation that will never have a result. */
  private abandon(time: number): void {
    const open = this.open ?? this.base.open;
    if (open.size === 0) return;
    for (const id of open) {
      // What runs in the background has a result already.
      this.change(id, (call) => ({ ...call, abandoned: true, endedAt: time }));
    }
    this.open = new Set();
  }

  /** Whether the answer before shows why the turn failed. */
  private reported({ isError, error, result }: TurnResult): boolean {
    const last = this.thread(MAIN).at(-1);
    return isError && last?.kind === "text" && last.error !== undefined && last.text.trim() === (error ?? result)?.trim();
  }

  private openNoMore(id: string): void {
    if ((this.open ?? this.base.open).has(id)) this.mutableOpen().delete(id);
  }

  private supersede(thread: string | undefined, uuids: readonly string[] | undefined): void {
    if (!uuids?.length) return;
    const gone = new Set(uuids);
    const name = thread ?? MAIN;
    const items = this.thread(name);
    if (!items.some((item) => "uuid" in item && item.uuid !== undefined && gone.has(item.uuid))) return;
    const kept = items.filter((item) => !("uuid" in item && item.uuid !== undefined && gone.has(item.uuid)));
    this.mutableThreads().set(name, kept);
    this.fresh.add(name);
    const calls = this.mutableCalls();
    for (const [id, place] of calls) if (place.thread === name) calls.delete(id);
    kept.forEach((item, index) => {
      if (item.kind === "call") calls.set(item.id, { thread: name, index });
    });
    const open = this.mutableOpen();
    for (const id of open) if (!calls.has(id)) open.delete(id);
  }

  /** Takes an event about a task; returns whether it was one. */
  private task(event: AgentEvent["event"]): boolean {
    if (event.type !== "system") return false;
    switch (event.subtype) {
      case "task_started": {
        if (!event.tool_use_id) return false;
        this.mutableTasks().set(event.tool_use_id, {
          id: event.task_id,
          description: event.description ?? undefined,
          kind: event.subagent_type ?? event.task_type ?? undefined,
          status: "running",
        });
        return true;
      }
      case "task_updated": {
        const call = this.callOfTask(event.task_id);
        if (call === undefined) return false;
        this.changeTask(call, { status: event.patch?.status ?? undefined, description: event.patch?.description ?? undefined });
        return true;
      }
      case "task_notification": {
        const call = event.tool_use_id ?? this.callOfTask(event.task_id);
        if (!call || !(this.tasks ?? this.base.tasks).has(call)) return false;
        this.changeTask(call, {
          status: event.status ?? "completed",
          summary: event.summary ?? undefined,
          usage: event.usage ?? undefined,
        });
        return true;
      }
      default:
        return false;
    }
  }

  private callOfTask(id: string): string | undefined {
    for (const [call, task] of this.tasks ?? this.base.tasks) if (task.id === id) return call;
    return undefined;
  }

  private changeTask(call: string, change: Partial<Task>): void {
    const task = (this.tasks ?? this.base.tasks).get(call);
    if (!task) return;
    const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    this.mutableTasks().set(call, { ...task, ...known });
  }

  /** A kind of message that this page is too old for is shown as it came. */
  private unknown(message: never): void {
    const { seq, time } = message as { seq: number; time: number };
    this.push(undefined, { kind: "event", key: `s${seq}`, seq, time, event: message });
  }

  private place(id: string): Place | undefined {
    return (this.calls ?? this.base.calls).get(id);
  }

  private change(id: string, change: (call: CallItem) => CallItem): CallItem | undefined {
    const place = this.place(id);
    if (!place) return undefined;
    const item = this.thread(place.thread)[place.index];
    if (item?.kind !== "call") return undefined;
    const changed = change(item);
    this.mutable(place.thread)[place.index] = changed;
    return changed;
  }

  private push(thread: string | undefined, item: Item): void {
    this.mutable(thread ?? MAIN).push(item);
  }

  private thread(name: string): readonly Item[] {
    return (this.threads ?? this.base.threads).get(name) ?? [];
  }

  private mutable(name: string): Item[] {
    const items = this.thread(name);
    // What this draft has copied already is its own.
    if (this.fresh.has(name)) return items as Item[];
    const copy = [...items];
    this.mutableThreads().set(name, copy);
    this.fresh.add(name);
    return copy;
  }

  private mutableThreads(): Map<string, readonly Item[]> {
    return (this.threads ??= new Map(this.base.threads));
  }

  private mutableCalls(): Map<string, Place> {
    return (this.calls ??= new Map(this.base.calls));
  }

  private mutableTasks(): Map<string, Task> {
    return (this.tasks ??= new Map(this.base.tasks));
  }

  private mutableOpen(): Set<string> {
    return (this.open ??= new Set(this.base.open));
  }
}

/** The key of a block of an answer, the same while it grows and when it is complete. */
export function answerKey(turn: number, messageId: string | null | undefined, place: number | string): string {
  return `a${turn}/${messageId ?? ""}/${place}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
