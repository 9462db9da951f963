// Messages that the bridge keeps.

import type { BridgeMessage } from "aqueduct-client";

/** The kinds of messages that have a number and stay. */
export const STORED_TYPES = [
  "system",
  "user_input",
  "assistant",
  "tool_result",
  "result",
  "permission_request",
  "permission_resolved",
  "agent_event",
] as const;

/** A message that has a number and stays. */
export type StoredMessage = Extract<BridgeMessage, { type: (typeof STORED_TYPES)[number] }> & { seq: number };

const types: ReadonlySet<string> = new Set(STORED_TYPES);

/** Whether a message is one that stays. Kinds that are not known yet stay too if they have a number. */
export function isStored(message: BridgeMessage): message is StoredMessage {
  return types.has(message.type) || typeof (message as { seq?: unknown }).seq === "number" && !replies.has(message.type);
}

/** Replies that have a `seq` which is not their own. */
const replies: ReadonlySet<string> = new Set(["ok"]);
