// Answers as they are written. Nothing here is stored: a complete block takes the place of what grew.

import type {
  Assistant,
  PartialAnswer,
  TextGrowth,
  ThinkingGrowth,
  ToolInputGrowth,
} from "aqueduct-client";
import { answerKey } from "./fold.ts";
import type { Item } from "./item.ts";
import { MAIN, type Conversation, type LiveAnswer, type LiveBlock } from "./state.ts";

type Growth =
  | ({ type: "stream_delta" } & TextGrowth)
  | ({ type: "thinking_delta" } & ThinkingGrowth)
  | ({ type: "tool_input_delta" } & ToolInputGrowth);

const KINDS = { stream_delta: "text", thinking_delta: "thinking", tool_input_delta: "tool_input" } as const;

/** A block grew. */
export function grow(live: readonly LiveAnswer[], delta: Growth): readonly LiveAnswer[] {
  const thread = delta.parentToolUseId ?? MAIN;
  const messageId = delta.messageId ?? "";
  const tool = delta.type === "tool_input_delta" ? { toolUseId: delta.toolUseId, toolName: delta.toolName } : {};
  const added: LiveBlock = { index: delta.index, kind: KINDS[delta.type], text: delta.text, ...tool };
  const at = live.findIndex((answer) => answer.thread === thread && answer.messageId === messageId);
  if (at < 0) return [...live, { thread, messageId, blocks: [added] }];
  const answer = live[at]!;
  return live.with(at, { ...answer, blocks: grown(answer.blocks, added) });
}

function grown(blocks: readonly LiveBlock[], added: LiveBlock): readonly LiveBlock[] {
  const at = blocks.findIndex((block) => block.index === added.index);
  if (at >= 0) return blocks.with(at, { ...blocks[at]!, ...added, text: blocks[at]!.text + added.text });
  return [...blocks, added].sort((a, b) => a.index - b.index);
}

/** All of an answer so far, in place of what was known of it. */
export function replace(live: readonly LiveAnswer[], partial: PartialAnswer): readonly LiveAnswer[] {
  const thread = partial.parentToolUseId ?? MAIN;
  const messageId = partial.messageId ?? "";
  const blocks: LiveBlock[] = partial.blocks
    .filter((block) => block.kind === "text" || block.kind === "thinking" || block.kind === "tool_input")
    .map((block) => ({ ...block, kind: block.kind as LiveBlock["kind"] }));
  const others = live.filter((answer) => answer.thread !== thread || answer.messageId !== messageId);
  return blocks.length === 0 ? others : [...others, { thread, messageId, blocks }];
}

/** What still grows after some blocks came complete. */
export function complete(live: readonly LiveAnswer[], message: Assistant): readonly LiveAnswer[] {
  const thread = message.parentToolUseId ?? MAIN;
  const messageId = message.message.id ?? "";
  const at = live.findIndex((answer) => answer.thread === thread && answer.messageId === messageId);
  if (at < 0) return live;
  const { index } = message;
  // Without a place among the blocks the message represents the whole answer.
  const end = index === undefined ? Infinity : index + message.message.content.length;
  const blocks = live[at]!.blocks.filter((block) => block.index < (index ?? 0) || block.index >= end);
  return blocks.length === 0 ? live.toSpliced(at, 1) : live.with(at, { ...live[at]!, blocks });
}

/** What grows in a thread, as items. */
export function liveItems(conversation: Conversation, thread: string): Item[] {
  const items: Item[] = [];
  for (const answer of conversation.live) {
    if (answer.thread !== thread) continue;
    for (const block of answer.blocks) {
      const key = answerKey(conversation.fold.turn, answer.messageId, block.index);
      items.push(item(block, key));
    }
  }
  return items;
}

function item(block: LiveBlock, key: string): Item {
  switch (block.kind) {
    case "text":
      return { kind: "text", key, text: block.text, live: true };
    case "thinking":
      return { kind: "thinking", key, text: block.text, live: true };
    case "tool_input":
      return { kind: "call", key, id: block.toolUseId ?? key, name: block.toolName ?? "", inputText: block.text };
  }
}
