// Conversations that are open here, and which of them are subscribed to.

import { signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { BridgeMessage, ClientMessage } from "aqueduct-client";
import { reduce, trim } from "../conversation/reduce.ts";
import { newConversation, type Conversation } from "../conversation/state.ts";

/** Stored messages that an opened conversation begins with, and that a page further back has. */
export const PAGE = 200;
/** Missed messages that are worth fetching; after more the conversation begins anew at its end. */
const CATCH_UP = 2000;
/** Conversations that are kept up to date at once. */
const MOST_OPEN = 4;

/** The open conversations. */
export class Conversations {
  private readonly open = new Map<string, Signal<Conversation>>();
  /** Those whose reader is not at the end: nothing is dropped from them. */
  private readonly heldBack = new Set<string>();
  private readonly asked = new Set<string>();

  constructor(
    private readonly send: (message: ClientMessage) => boolean,
    private readonly now: () => number,
  ) {}

  /** A conversation, opened if it is not. */
  get(id: string): ReadonlySignal<Conversation> {
    return this.use(id);
  }

  /** Subscribes to a session. */
  watch(id: string): void {
    const conversation = this.use(id);
    // The newest is last.
    this.open.delete(id);
    this.open.set(id, conversation);
    if (!this.asked.has(id)) this.subscribe(id);
    for (const old of this.open.keys()) {
      if (this.open.size <= MOST_OPEN) break;
      this.close(old);
    }
  }

  /** There is a connection: asks for what was missed. `fresh` where nothing that is held counts any more. */
  resubscribe(fresh: boolean): void {
    const watched = [...this.asked];
    this.asked.clear();
    if (fresh) {
      for (const [id, conversation] of this.open) conversation.value = newConversation(id);
    }
    for (const id of watched) this.subscribe(id);
  }

  /** Takes a message. */
  heard(message: BridgeMessage): void {
    if (!("sessionId" in message) || message.sessionId === undefined) return;
    const conversation = this.open.get(message.sessionId);
    if (message.type === "session_deleted") this.close(message.sessionId);
    if (!conversation) return;
    let next = reduce(conversation.value, message, this.now());
    if (!this.heldBack.has(message.sessionId)) next = trim(next);
    if (next.gap && !conversation.value.gap) this.subscribe(message.sessionId, next.lastSeq);
    conversation.value = next;
  }

  /** Sets whether the reader of a conversation is at its end. */
  atEnd(id: string, is: boolean): void {
    if (is) this.heldBack.delete(id);
    else this.heldBack.add(id);
  }

  private use(id: string): Signal<Conversation> {
    let conversation = this.open.get(id);
    if (!conversation) {
      conversation = signal(newConversation(id));
      this.open.set(id, conversation);
    }
    return conversation;
  }

  private subscribe(id: string, since = this.use(id).peek().lastSeq): void {
    this.asked.add(id);
    this.send({ type: "subscribe", sessionId: id, ...(since > 0 ? { sinceSeq: since, limit: CATCH_UP } : { limit: PAGE }) });
  }

  private close(id: string): void {
    this.open.delete(id);
    this.heldBack.delete(id);
    if (this.asked.delete(id)) this.send({ type: "unsubscribe", sessionId: id });
  }
}
