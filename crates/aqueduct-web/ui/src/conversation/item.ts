// What a conversation consists of, as a person reads it.

import type {
  Actor,
  AgentEvent,
  ContentBlock,
  ImageContent,
  PermissionResolved,
  SystemNote,
  ToolOutput,
  TurnResult,
  UserInput,
} from "aqueduct-client";

/** One thing in a conversation. Its key never changes while it grows. */
export type Item =
  | UserItem
  | TextItem
  | ThinkingItem
  | CallItem
  | BlockItem
  | TurnItem
  | NoteItem
  | DecisionItem
  | EventItem;

/** An input to the agent. */
export interface UserItem {
  kind: "user";
  key: string;
  /** The bridge’s name for the input. */
  inputId: string;
  seq: number;
  time: number;
  text: string;
  images: readonly ImageContent[];
  blocks: readonly ContentBlock[];
  by?: Actor;
  source: UserInput["source"];
  clientMessageId?: string;
}

/** Text of the model, complete or still growing. */
export interface TextItem {
  kind: "text";
  key: string;
  seq?: number;
  time?: number;
  text: string;
  live: boolean;
  uuid?: string;
  /** Set where the text is an error and no answer. */
  error?: string;
  /** Whether an interruption cut it off. */
  aborted?: boolean;
}

/** What the model thought. */
export interface ThinkingItem {
  kind: "thinking";
  key: string;
  seq?: number;
  text: string;
  live: boolean;
  uuid?: string;
}

/** A tool call, from the first letter of its input to its result. */
export interface CallItem {
  kind: "call";
  key: string;
  seq?: number;
  id: string;
  name: string;
  /** Absent while the input is still being written. */
  input?: Readonly<Record<string, unknown>>;
  /** The input's JSON text so far, while it is being written. */
  inputText?: string;
  startedAt?: number;
  endedAt?: number;
  result?: ToolOutput;
  decision?: PermissionResolved;
  uuid?: string;
  /** Whether the turn ended and no result came. */
  abandoned?: boolean;
}

/** A block that has no card of its own: a document, a server tool, something new. */
export interface BlockItem {
  kind: "block";
  key: string;
  seq: number;
  block: ContentBlock;
  uuid?: string;
}

/** The end of a turn. */
export interface TurnItem {
  kind: "turn";
  key: string;
  seq: number;
  time: number;
  result: TurnResult;
  /** Whether the error that ended it is right before it. */
  reported?: boolean;
}

/** Something about the session changed. */
export interface NoteItem {
  kind: "note";
  key: string;
  seq: number;
  time: number;
  note: SystemNote;
}

/** A decision about something that is not a call in this conversation: a budget, a form, an unconfirmed message. */
export interface DecisionItem {
  kind: "decision";
  /** Whether it was about sending a message again. */
  resend?: boolean;
  key: string;
  seq: number;
  time: number;
  decision: PermissionResolved;
}

/** Another frame of the agent. */
export interface EventItem {
  kind: "event";
  key: string;
  seq: number;
  time: number;
  event: AgentEvent["event"];
}
