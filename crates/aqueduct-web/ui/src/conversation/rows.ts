// The rows of the conversation's list: items, growing items, and what this device has not delivered yet.

import type { Item } from "./item.ts";
import { liveItems } from "./live.ts";
import { MAIN, type Conversation } from "./state.ts";

/** Events without content for the user. They are stored and exported, but not shown. */
const SILENT_EVENTS: ReadonlySet<string> = new Set([
  "keep_alive",
  "transcript_mirror",
  "system/hook_started",
  "system/session_state_changed",
  "system/files_persisted",
  "system/background_tasks_changed",
  "streamlined_text",
  "streamlined_tool_use_summary",
]);

/** What agents put into a conversation after an interrupt: a note and the turn's end show it already. */
const STOPPED = /^\[Request interrupted by user[^\]]*\]$/;

/** Whether an item has content for the user. */
export function isShown(item: Item): boolean {
  switch (item.kind) {
    case "note":
      return item.note.subtype !== "init" && item.note.subtype !== "title_changed";
    case "event": {
      const { type } = item.event;
      const subtype = "subtype" in item.event && typeof item.event.subtype === "string" ? `/${item.event.subtype}` : "";
      return !SILENT_EVENTS.has(`${type}${subtype}`);
    }
    case "user":
      return item.source !== "agent" || !STOPPED.test(item.text.trim());
    case "text":
      return item.text.trim() !== "";
    case "thinking":
      return item.text.trim() !== "" || item.live;
    case "decision":
      return item.decision.decision !== "cancelled";
    default:
      return true;
  }
}

const shown = new WeakMap<readonly Item[], readonly Item[]>();

/** The shown items of a thread, with what grows at the end. */
export function rows(conversation: Conversation, thread: string = MAIN): readonly Item[] {
  const items = conversation.fold.threads.get(thread) ?? NONE;
  let kept = shown.get(items);
  if (!kept) {
    kept = items.filter(isShown);
    shown.set(items, kept);
  }
  const live = liveItems(conversation, thread).filter(isShown);
  return live.length === 0 ? kept : [...kept, ...live];
}

const NONE: readonly Item[] = [];
