// Everything that the UI knows, put together. One of these lives as long as the page.

import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import {
  Connection,
  Outbox,
  Refused,
  type AccessScope,
  type BridgeMessage,
  type ClientMessage,
  type ContentBlock,
  type Hello,
  type InputImage,
  type InputPriority,
  type Keep,
  type RateLimitInfo,
  type Unpaired,
} from "aqueduct-client";
import type { Surroundings } from "../bridge/surroundings.ts";
import { Conversations, PAGE } from "./conversations.ts";
import { Drafts } from "./drafts.ts";
import type { Preferences } from "./preferences.ts";
import type { Router } from "./route.ts";
import { includes, question, type Confirming } from "./scope.ts";
import { needsYou, reduceSessions, type Sessions } from "./sessions.ts";
import { Toasts } from "./toasts.ts";

/** What the app is given. */
export interface Parts {
  around: Surroundings;
  keep: Keep;
  router: Router;
  preferences: Signal<Preferences>;
  /** Calls back when received messages should be shown: with the next frame. */
  frame(call: () => void): void;
  uuid(): string;
}

/** The options of an input. */
export interface Said {
  text: string;
  images?: readonly InputImage[];
  blocks?: readonly ContentBlock[];
  priority?: InputPriority;
}

/** The reader did not confirm. */
export class Declined extends Error {
  constructor() {
    super("Not confirmed.");
    this.name = "Declined";
  }
}

/** Everything that the UI knows. */
export class App {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  readonly toasts = new Toasts();
  readonly router: Router;
  readonly preferences: Signal<Preferences>;
  readonly sessions = signal<Sessions>(new Map());
  readonly hello = signal<Hello | undefined>(undefined);
  readonly rateLimits = signal<ReadonlyMap<string, RateLimitInfo>>(new Map());
  /** Whether the list of sessions has come. */
  readonly listed = signal(false);
  /** Whether there are more sessions of old than those that were listed. */
  readonly moreSessions = signal(false);
  /** What has to be confirmed before it is done. */
  readonly confirming = signal<Confirming | undefined>(undefined);
  /** How many sessions wait for a user. */
  readonly waiting: ReadonlySignal<number>;
  private inbox: BridgeMessage[] = [];
  private readonly sinks = new Set<(message: BridgeMessage) => void>();

  constructor(private readonly parts: Parts) {
    this.router = parts.router;
    this.preferences = parts.preferences;
    this.drafts = new Drafts(parts.keep);
    const listener = { greeted: () => this.greeted(), heard: (message: BridgeMessage) => this.heard(message) };
    this.connection = new Connection(parts.around, listener, signal);
    const send = (message: ClientMessage): boolean => this.connection.send(message);
    this.outbox = new Outbox(parts.keep, send, signal);
    this.conversations = new Conversations(send, () => parts.around.now());
    this.waiting = computed(() => [...this.sessions.value.values()].filter((session) => needsYou(session) && !session.archived).length);
  }

  /** The bridge's clock. */
  now(): number {
    return this.parts.around.now() + this.skew;
  }

  private skew = 0;
  private serverId: string | undefined;
  private freshServer = false;

  /** Whether this device may do what needs a scope. */
  can(needed: AccessScope): boolean {
    return includes(this.hello.value?.device.scope, needed);
  }

  /** Asks the bridge. What goes wrong is shown and thrown. */
  async ask<T extends BridgeMessage["type"]>(message: ClientMessage, options?: { once?: boolean }): Promise<Extract<BridgeMessage, { type: T }>> {
    try {
      return await this.confirmed<T>(message, options);
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** Shows what went wrong with a request. What the reader did not confirm did not go wrong. */
  failed(error: unknown): void {
    if (!(error instanceof Declined)) this.toasts.fail(error);
  }

  /** Asks the bridge; where it wants a confirmation, the reader is asked first. */
  async confirmed<T extends BridgeMessage["type"]>(message: ClientMessage, options?: { once?: boolean }): Promise<Extract<BridgeMessage, { type: T }>> {
    try {
      return await this.connection.request<T>(message, options);
    } catch (error) {
      if (!Refused.is(error, "confirmation_required")) throw error;
      const { confirm } = error.reply;
      const agrees = await new Promise<boolean>((answer) => {
        this.confirming.peek()?.answer(false);
        this.confirming.value = { ...question(message, error.reply), answer };
      });
      this.confirming.value = undefined;
      if (!agrees) throw new Declined();
      return await this.connection.request<T>({ ...message, confirm } as ClientMessage, options);
    }
  }

  /** Does something that can fail; what goes wrong is shown, and nothing else happens. */
  do(message: ClientMessage, options?: { once?: boolean }): void {
    void this.ask(message, options).catch(() => undefined);
  }

  /** Pairs this browser with the code of a pairing link. What goes wrong is thrown. */
  pair(code: string, name: string): Promise<void> {
    return this.parts.around.pair(code, name);
  }

  /** Why this browser is not paired. */
  unpaired(): Unpaired {
    return this.parts.around.unpaired();
  }

  /** Whether the bridge lets this browser in now. */
  async canSignIn(): Promise<boolean> {
    return (await this.parts.around.probe()) === "ok";
  }

  /** Sends an input to a session, now or as soon as possible. */
  say(sessionId: string, said: Said): void {
    this.drafts.remember(said.text);
    this.outbox.put(
      {
        type: "input",
        sessionId,
        clientMessageId: this.parts.uuid(),
        text: said.text,
        ...(said.images?.length ? { images: [...said.images] } : {}),
        ...(said.blocks?.length ? { blocks: [...said.blocks] } : {}),
        ...(said.priority ? { priority: said.priority } : {}),
      },
      this.parts.around.now(),
    );
  }

  /** A new id. */
  uuid(): string {
    return this.parts.uuid();
  }

  /** Gets the page of stored messages before those that are held; returns whether there was one. */
  async older(sessionId: string, limit = PAGE): Promise<boolean> {
    const { firstSeq } = this.conversations.get(sessionId).peek();
    if (firstSeq <= 1) return false;
    const page = await this.ask<"history">({ type: "get_history", sessionId, beforeSeq: firstSeq, limit });
    return page.messages.length > 0;
  }

  /** Gets sessions of old. */
  async moreRecent(offset: number, query?: string): Promise<void> {
    const page = await this.ask<"recent_sessions">({ type: "list_recent_sessions", offset, limit: 50, archived: true, ...(query ? { query } : {}) });
    if (query === undefined) this.moreSessions.value = page.more;
  }

  /** Receives every message, in order, until the returned function is called. */
  listen(sink: (message: BridgeMessage) => void): () => void {
    this.sinks.add(sink);
    return () => this.sinks.delete(sink);
  }

  private heard(message: BridgeMessage): void {
    if (message.type === "hello") {
      // What follows a greeting depends on it, and it depends on all that came before.
      this.flush();
      this.take(message);
      return;
    }
    this.inbox.push(message);
    if (this.inbox.length === 1) this.parts.frame(() => this.flush());
  }

  /** Applies all messages since the last frame as one change. */
  private flush(): void {
    const messages = this.inbox;
    this.inbox = [];
    batch(() => {
      for (const message of messages) this.take(message);
    });
  }

  private take(message: BridgeMessage): void {
    if (message.type === "hello") {
      this.freshServer = this.serverId !== undefined && this.serverId !== message.serverId;
      this.serverId = message.serverId;
      this.skew = message.time - this.parts.around.now();
      this.hello.value = message;
    }
    if (message.type === "rate_limit" || message.type === "usage") this.limits(message.type === "usage" ? message.rateLimits : [message.limit]);
    if (message.type === "session_list") this.listed.value = true;
    this.sessions.value = reduceSessions(this.sessions.value, message);
    this.conversations.heard(message);
    this.outbox.heard(message);
    for (const sink of this.sinks) sink(message);
  }

  private limits(changed: readonly RateLimitInfo[]): void {
    const next = new Map(this.rateLimits.value);
    for (const limit of changed) next.set(limit.rateLimitType ?? "", limit);
    this.rateLimits.value = next;
  }

  private greeted(): void {
    if (this.freshServer) this.sessions.value = new Map();
    this.connection.send({ type: "list_sessions" });
    void this.moreRecent(0).catch(() => undefined);
    this.conversations.resubscribe(this.freshServer);
    this.outbox.flush();
  }
}
