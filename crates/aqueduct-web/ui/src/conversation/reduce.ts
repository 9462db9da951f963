// The one way from messages of the bridge to the state of a conversation.

import type { AgentProgress, BridgeMessage, HistoryDelta, HistoryPage, Subscribed } from "aqueduct-client";
import { fold, foldAll } from "./fold.ts";
import { complete, grow, replace } from "./live.ts";
import { newConversation, type Conversation } from "./state.ts";
import { isStored, type StoredMessage } from "./stored.ts";

/**
 * How many stored messages are held at most while the user reads at the end. Older ones are dropped and can be
 * asked for again.
 */
export const HELD_MESSAGES = 4000;

/** The conversation after a message. One about another session changes nothing. */
export function reduce(state: Conversation, message: BridgeMessage, now: number): Conversation {
  if (!("sessionId" in message) || message.sessionId !== state.sessionId) return state;
  switch (message.type) {
    case "subscribed":
      return subscribed(state, message);
    case "history_delta":
      return historyDelta(state, message);
    case "history":
      return historyPage(state, message);
    case "stream_delta":
    case "thinking_delta":
    case "tool_input_delta":
      return { ...state, live: grow(state.live, message), retry: undefined };
    case "partial":
      return { ...state, live: replace(state.live, message) };
    case "queue":
      return { ...state, queue: message.inputs };
    case "retry":
      return { ...state, retry: message };
    case "budget":
      return { ...state, budget: message };
    case "status":
      return message.status === "running" || message.status === "waiting_approval"
        ? (state.unreachable === undefined ? state : { ...state, unreachable: undefined })
        : { ...state, retry: undefined, progress: NO_PROGRESS, unreachable: message.status === "unreachable" ? message.message : undefined };
    case "agent_progress":
      return progressed(state, message, now);
    default:
      return isStored(message) ? store(state, [message]) : state;
  }
}

const NO_PROGRESS: Conversation["progress"] = new Map();

function subscribed(state: Conversation, message: Subscribed): Conversation {
  const { snapshot } = message;
  const known = state.lastSeq <= snapshot.lastSeq ? state : newConversation(state.sessionId);
  return {
    ...known,
    ready: known.lastSeq === snapshot.lastSeq,
    // What grew before may be complete by now; what still grows comes as `partial`.
    live: [],
    retry: undefined,
    gap: false,
    progress: NO_PROGRESS,
    pending: snapshot.pending,
    queue: snapshot.queue,
  };
}

function historyDelta(state: Conversation, message: HistoryDelta): Conversation {
  const messages = message.messages.filter(isStored);
  // Where messages were left out, what is held does not connect to what came.
  const fresh = message.cut === true && message.fromSeq > state.lastSeq + 1;
  const base = fresh
    ? { ...newConversation(state.sessionId), pending: state.pending, queue: state.queue, live: state.live }
    : state;
  const next = store(base, messages);
  return { ...next, ready: state.ready || !message.more };
}

/** Older messages in front of those that are held; newer ones behind them. */
function historyPage(state: Conversation, message: HistoryPage): Conversation {
  const messages = message.messages.filter(isStored);
  const last = messages.at(-1);
  if (!last) return state;
  if (state.firstSeq === 0 || last.seq > state.lastSeq) return { ...store(state, messages), ready: true };
  const older = messages.filter((m) => m.seq < state.firstSeq);
  if (older.at(-1)?.seq !== state.firstSeq - 1) return state;
  const stored = [...older, ...state.stored];
  return { ...state, stored, firstSeq: older[0]!.seq, fold: foldAll(stored) };
}

/** Takes messages in the order of their numbers: none twice, and none past a gap. */
function store(state: Conversation, messages: readonly StoredMessage[]): Conversation {
  const fresh: StoredMessage[] = [];
  let { firstSeq, lastSeq, gap } = state;
  for (const message of messages) {
    if (lastSeq !== 0 && message.seq <= lastSeq) continue;
    if (lastSeq !== 0 && message.seq > lastSeq + 1) {
      gap = true;
      break;
    }
    if (firstSeq === 0) firstSeq = message.seq;
    lastSeq = message.seq;
    fresh.push(message);
  }
  if (fresh.length === 0) return gap === state.gap ? state : { ...state, gap };
  const next: Conversation = {
    ...state,
    firstSeq,
    lastSeq,
    gap,
    stored: [...state.stored, ...fresh],
    fold: fold(state.fold, fresh),
  };
  for (const message of fresh) aside(next, message);
  return next;
}

/** What a stored message means for what is live. `state` is a new object already. */
function aside(state: Conversation, message: StoredMessage): void {
  switch (message.type) {
    case "assistant":
      state.live = complete(state.live, message);
      state.retry = undefined;
      break;
    case "result":
      state.live = [];
      state.retry = undefined;
      state.progress = NO_PROGRESS;
      break;
    case "system":
      if (message.subtype === "agent_exited" || message.subtype === "interrupted") {
        state.live = [];
        state.retry = undefined;
      }
      break;
    case "permission_request":
      if (!state.pending.some((request) => request.id === message.id)) state.pending = [...state.pending, message];
      break;
    case "permission_resolved":
      if (state.pending.some((request) => request.id === message.id)) {
        state.pending = state.pending.filter((request) => request.id !== message.id);
      }
      break;
    case "user_input":
      if (state.queue.some((input) => input.id === message.id)) {
        state.queue = state.queue.filter((input) => input.id !== message.id);
      }
      break;
  }
}

function progressed(state: Conversation, message: AgentProgress, now: number): Conversation {
  const { event } = message;
  if (event.type === "tool_progress") {
    const progress = new Map(state.progress);
    progress.set(event.tool_use_id, { seconds: event.elapsed_time_seconds ?? 0, receivedAt: now });
    return { ...state, progress };
  }
  if (event.type === "system" && event.subtype === "task_progress" && event.tool_use_id) {
    const taskProgress = new Map(state.taskProgress);
    taskProgress.set(event.tool_use_id, {
      description: event.description ?? undefined,
      kind: event.subagent_type ?? undefined,
      lastTool: event.last_tool_name ?? undefined,
      usage: event.usage ?? undefined,
      summary: event.summary ?? undefined,
    });
    return { ...state, taskProgress };
  }
  return state;
}

/** Drops the oldest messages when there are too many. Only while the user reads at the end. */
export function trim(state: Conversation, held = HELD_MESSAGES): Conversation {
  // Half as many more, so that it is done seldom.
  if (state.stored.length <= held * 1.5) return state;
  const stored = state.stored.slice(-held);
  return { ...state, stored, firstSeq: stored[0]!.seq, fold: foldAll(stored) };
}
