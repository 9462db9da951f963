// The messages of one session, in order, over broken connections: each stored message once, none missing.

import { Refused } from "./connection.ts";
import { DELIVERY, type BridgeMessage, type ClientMessage } from "./generated/messages.ts";

/** Messages that wait for the reader. When there are more, the rest is requested again once the reader has caught up. */
const HELD_MESSAGES = 10_000;

/** The bridge has another store than before, so the numbers of messages mean nothing any more. */
export class StoreChanged extends Error {
  constructor() {
    super("The bridge has another store than before. Read the session from its beginning.");
    this.name = "StoreChanged";
  }
}

/** Where a feed begins. */
export interface FeedOptions {
  /** The newest number that the reader has; everything is read if absent. */
  sinceSeq?: number;
  /** At most this many of the stored messages before now, the newest. */
  limit?: number;
}

/** What a feed needs of its client. */
export interface FeedSource {
  send(message: ClientMessage): boolean;
  /** A request id that no other request has. */
  requestId(): string;
  closed(feed: Feed): void;
}

/**
 * The messages of one session: `subscribed` with the current state, at the beginning and after each reconnect; stored
 * messages, each once and in order; live messages as they come. It ends when the session is deleted.
 */
export class Feed implements AsyncIterableIterator<BridgeMessage> {
  private last: number;
  private first: number | undefined;
  private subscription: string | undefined;
  private subscribed = false;
  private isBehind = false;
  private done = false;
  private failure: Error | undefined;
  private queue: BridgeMessage[] = [];
  private reader: { resolve(result: IteratorResult<BridgeMessage>): void; reject(error: Error): void } | undefined;

  constructor(
    readonly sessionId: string,
    private readonly source: FeedSource,
    options: FeedOptions = {},
  ) {
    this.last = options.sinceSeq ?? 0;
    this.first = options.limit;
  }

  /** The number of the newest stored message that was received: `sinceSeq` of a feed that continues this one. */
  get lastSeq(): number {
    return this.last;
  }

  /** The next message. */
  next(): Promise<IteratorResult<BridgeMessage>> {
    const message = this.queue.shift();
    if (message) return Promise.resolve({ done: false, value: message });
    if (this.failure) return Promise.reject(this.failure);
    if (this.done) return Promise.resolve({ done: true, value: undefined });
    if (this.reader) return Promise.reject(new Error("this feed has a reader already"));
    const next = new Promise<IteratorResult<BridgeMessage>>((resolve, reject) => (this.reader = { resolve, reject }));
    if (this.isBehind) this.subscribe();
    return next;
  }

  /** Ends it: the session is not watched any more. */
  return(): Promise<IteratorResult<BridgeMessage>> {
    this.end();
    this.queue = [];
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Requests what follows, now that there is a connection. */
  subscribe(): void {
    this.isBehind = false;
    this.subscribed = false;
    this.subscription = this.source.requestId();
    const limit = this.first === undefined ? {} : { limit: this.first };
    this.source.send({ type: "subscribe", sessionId: this.sessionId, sinceSeq: this.last, ...limit, requestId: this.subscription });
  }

  /** Ends it with an error, after what was received. */
  fail(error: Error): void {
    if (this.done) return;
    this.failure = error;
    this.end();
  }

  /** Takes a message of the bridge. */
  heard(message: BridgeMessage): void {
    if (this.done) return;
    const isOurs = "requestId" in message && message.requestId === this.subscription;
    if (message.type === "error" && isOurs) return this.fail(new Refused(message));
    if (!("sessionId" in message) || message.sessionId !== this.sessionId) return;
    if (message.type === "session_deleted") return this.end();
    if (message.type === "subscribed" && isOurs) {
      if (message.snapshot.lastSeq < this.last) return this.fail(new StoreChanged());
      this.subscribed = true;
      this.push(message);
      return;
    }
    // What comes before the subscription is part of its history.
    if (!this.subscribed || this.isBehind) return;
    if (message.type === "history_delta") {
      // With a limit, the messages before the newest ones are left out on purpose.
      if (isOurs && message.cut && this.first !== undefined) this.last = Math.max(this.last, message.fromSeq - 1);
      for (const stored of message.messages) this.store(stored);
      if (isOurs && !message.more) this.first = undefined;
      return;
    }
    if (isStored(message)) this.store(message);
    else if (DELIVERY[message.type] === "live") this.push(message);
  }

  private store(message: BridgeMessage): void {
    const { seq } = message as { seq: number };
    if (seq <= this.last || this.isBehind) return;
    if (seq > this.last + 1) return this.subscribe();
    if (this.push(message)) this.last = seq;
  }

  /** Hands a message to the reader; returns false if too many wait. */
  private push(message: BridgeMessage): boolean {
    if (this.reader) {
      const { reader } = this;
      this.reader = undefined;
      reader.resolve({ done: false, value: message });
      return true;
    }
    if (this.queue.length >= HELD_MESSAGES) {
      this.isBehind = true;
      return false;
    }
    this.queue.push(message);
    return true;
  }

  private end(): void {
    if (this.done) return;
    this.done = true;
    this.source.closed(this);
    const { reader } = this;
    this.reader = undefined;
    if (this.failure) reader?.reject(this.failure);
    else reader?.resolve({ done: true, value: undefined });
  }
}

/** Whether a message is one that stays. Kinds that are not known yet stay too if they have a number. */
function isStored(message: BridgeMessage): boolean {
  const delivery = DELIVERY[message.type];
  return delivery === "stored" || (delivery === undefined && typeof (message as { seq?: unknown }).seq === "number");
}
