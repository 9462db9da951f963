// The state of one conversation. Values are never changed in place.

import type {
  Budget,
  PermissionRequest,
  QueuedInput,
  Retry,
  TaskUsage,
} from "aqueduct-client";
import type { StoredMessage } from "./stored.ts";
import type { Item } from "./item.ts";
import type { Todo } from "./todo.ts";

/** The name of the main thread among `threads`; subagents' are the ids of their calls. */
export const MAIN = "";

/** The state from the stored messages. It depends on them alone, and not on how they arrived. */
export interface Fold {
  /** By the call of the subagent. */
  threads: ReadonlyMap<string, readonly Item[]>;
  /** Where the calls are. */
  calls: ReadonlyMap<string, Place>;
  /** Things to do, as the main conversation last had them. */
  todos: readonly Todo[];
  /** The call that made the list what it is. */
  todoCall?: string;
  /** What calls have started, by call. */
  tasks: ReadonlyMap<string, Task>;
  /** Calls of the main conversation that have no result yet. */
  open: ReadonlySet<string>;
  /** Requests to send an unconfirmed message again, by id. */
  resends: ReadonlySet<string>;
  /** The number of the last message that began or ended a turn: keeps keys of answers apart. */
  turn: number;
}

/** An item's place. */
export interface Place {
  thread: string;
  index: number;
}

/** A subagent or a command in the background. */
export interface Task {
  id: string;
  description?: string;
  kind?: string;
  status: string;
  summary?: string;
  lastTool?: string;
  usage?: TaskUsage;
}

/** A block of an answer that is being written. */
export interface LiveBlock {
  index: number;
  kind: "text" | "thinking" | "tool_input";
  text: string;
  toolUseId?: string;
  toolName?: string;
}

/** An answer that is being written. */
export interface LiveAnswer {
  thread: string;
  messageId: string;
  blocks: readonly LiveBlock[];
}

/** How long a tool runs, and when that was received. */
export interface Progress {
  seconds: number;
  receivedAt: number;
}

/** One conversation. */
export interface Conversation {
  sessionId: string;
  /** Whether the bridge has reported everything up to now. */
  ready: boolean;
  /** All stored messages from `firstSeq` to `lastSeq`, without gaps. */
  stored: readonly StoredMessage[];
  /** 0 where nothing is known yet. */
  firstSeq: number;
  lastSeq: number;
  fold: Fold;
  live: readonly LiveAnswer[];
  pending: readonly PermissionRequest[];
  queue: readonly QueuedInput[];
  retry?: Retry;
  /** Why the agent can’t be reached, in the bridge’s words. */
  unreachable?: string;
  budget?: Budget;
  progress: ReadonlyMap<string, Progress>;
  /** The last report of running tasks, by call. */
  taskProgress: ReadonlyMap<string, Partial<Task>>;
  /** Messages are missing: the session has to be subscribed to again. */
  gap: boolean;
}

/** Nothing yet. */
export const EMPTY_FOLD: Fold = {
  threads: new Map(),
  calls: new Map(),
  todos: [],
  tasks: new Map(),
  open: new Set(),
  resends: new Set(),
  turn: 0,
};

/** A conversation of which nothing is known yet. */
export function newConversation(sessionId: string): Conversation {
  return {
    sessionId,
    ready: false,
    stored: [],
    firstSeq: 0,
    lastSeq: 0,
    fold: EMPTY_FOLD,
    live: [],
    pending: [],
    queue: [],
    progress: new Map(),
    taskProgress: new Map(),
    gap: false,
  };
}
