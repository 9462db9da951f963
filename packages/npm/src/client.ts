// A client of the bridge: one connection, and what a program does with sessions over it.

import { Connection, Refused, type Link } from "./connection.ts";
import { Feed, StoreChanged, type FeedOptions } from "./feed.ts";
import type { BridgeMessage, ClientMessage, Hello, InputAck, Replies, SessionInfo, Start } from "./generated/messages.ts";
import { Outbox } from "./outbox.ts";
import { Session, type InputOptions } from "./session.ts";
import { originOf, Token } from "./token.ts";
import { transport, type Credentials, type Transport, type WebSocketClass } from "./transport.ts";
import { uuid } from "./uuid.ts";

/** The reply to a request. */
export type Reply<M extends ClientMessage> = Extract<BridgeMessage, { type: Replies[M["type"]] }>;

/** How to connect. */
export interface ConnectOptions {
  /** The address of the bridge, such as `http://127.0.0.1:8765`. */
  url: string;
  /** A token, or credentials such as an `Access`. */
  token: string | Credentials;
  /** The class of WebSockets; the global one if absent. Node.js 20 has none: pass that of the package `ws`. */
  WebSocket?: WebSocketClass;
  /** Gives up connecting for the first time. */
  signal?: AbortSignal;
  /** Called when the state of the connection changes. */
  onLink?(link: Link): void;
}

/** The bridge refuses the credentials: they were never valid, were revoked or have expired. */
export class Unauthorized extends Error {
  constructor() {
    super("The bridge refuses the credentials. Pair this client again.");
    this.name = "Unauthorized";
  }
}

/** The client was closed. */
export class Closed extends Error {
  constructor() {
    super("The client was closed.");
    this.name = "Closed";
  }
}

/** Connects to a bridge; resolves when it has greeted. A bridge that is not there yet is tried again until it is. */
export async function connect(options: ConnectOptions): Promise<Client> {
  const origin = originOf(options.url);
  const credentials = typeof options.token === "string" ? new Token(origin, options.token) : options.token;
  const client = new Client(transport({ origin, credentials, ...(options.WebSocket ? { WebSocket: options.WebSocket } : {}) }), options.onLink);
  const give = (): void => client.close();
  options.signal?.addEventListener("abort", give, { once: true });
  if (options.signal?.aborted) give();
  try {
    await client.ready;
  } catch (error) {
    client.close();
    throw options.signal?.aborted ? options.signal.reason : error;
  } finally {
    options.signal?.removeEventListener("abort", give);
  }
  return client;
}

/** An input whose acknowledgement is waited for. */
interface Sending {
  resolve(ack: InputAck): void;
  reject(error: Error): void;
}

/** A client of the bridge. It reconnects by itself until it is closed or its credentials are refused. */
export class Client {
  /** Resolves with the first greeting of the bridge. */
  readonly ready: Promise<Hello>;
  private readonly connection: Connection;
  private readonly outbox: Outbox;
  private readonly feeds = new Set<Feed>();
  private readonly sending = new Map<string, Sending>();
  private greeting: { resolve(hello: Hello): void; reject(error: Error): void } | undefined;
  private current: Hello | undefined;
  private subscriptions = 0;
  private ended: Error | undefined;

  constructor(
    around: Transport,
    private readonly onLink: (link: Link) => void = () => undefined,
  ) {
    this.ready = new Promise((resolve, reject) => (this.greeting = { resolve, reject }));
    // Not every program waits for it.
    this.ready.catch(() => undefined);
    this.connection = new Connection(around, {
      greeted: () => this.greeted(),
      heard: (message) => this.heard(message),
      linked: (link) => this.linked(link),
    });
    this.outbox = new Outbox(FORGETFUL, (message) => this.connection.send(message));
    this.connection.start();
  }

  /** The newest greeting of the bridge: what it is, and what this client may do. */
  get hello(): Hello | undefined {
    return this.current;
  }

  /** The state of the connection. */
  get link(): Link {
    return this.connection.link.value;
  }

  /** Sends any message and waits for its reply, over broken connections. With `once` it is never sent twice. */
  async request<M extends ClientMessage>(message: M, options?: { once?: boolean }): Promise<Reply<M>> {
    if (this.ended) throw this.ended;
    return (await this.connection.request(message, options)) as Reply<M>;
  }

  /** Starts a session. It is started once, whatever breaks: its id and that of its first input are made here. */
  async start(options: Omit<Start, "requestId">): Promise<Session> {
    const input = options.text === undefined ? {} : { clientMessageId: uuid() };
    const reply = await this.request({ type: "start", ...(options.continue ? {} : { sessionId: uuid() }), ...input, ...options });
    if (!reply.sessionId) throw new Error("the bridge named no session");
    return this.session(reply.sessionId);
  }

  /** A session by its id. Nothing is sent. */
  session(id: string): Session {
    return new Session(this, id);
  }

  /** The sessions that the bridge holds. */
  async sessions(): Promise<SessionInfo[]> {
    return (await this.request({ type: "list_sessions" })).sessions;
  }

  /** Sends an input to a session, as `Session.send` does. */
  input(sessionId: string, text: string, options: InputOptions = {}): Promise<InputAck> {
    if (this.ended) return Promise.reject(this.ended);
    const clientMessageId = options.clientMessageId ?? uuid();
    return new Promise((resolve, reject) => {
      this.sending.set(clientMessageId, { resolve, reject });
      this.outbox.put({ type: "input", text, ...options, sessionId, clientMessageId }, Date.now());
    });
  }

  /** Reads the messages of a session, as `Session.messages` does. */
  feed(sessionId: string, options?: FeedOptions): Feed {
    const feed: Feed = new Feed(
      sessionId,
      {
        send: (message) => this.connection.send(message),
        requestId: () => `s${++this.subscriptions}`,
        closed: (ended) => this.unwatch(ended),
      },
      options,
    );
    if (this.ended) {
      feed.fail(this.ended);
      return feed;
    }
    this.feeds.add(feed);
    feed.subscribe();
    return feed;
  }

  /** Closes the connection. What waits for the bridge is rejected with `Closed`. */
  close(): void {
    this.connection.stop();
    this.end(new Closed());
  }

  private greeted(): void {
    // Subscriptions first: what inputs cause is then part of them.
    for (const feed of this.feeds) feed.subscribe();
    this.outbox.flush();
  }

  private heard(message: BridgeMessage): void {
    if (message.type === "hello") this.met(message);
    this.outbox.heard(message);
    if (message.type === "input_ack") this.settle(message.clientMessageId, (sending) => sending.resolve(message));
    if (message.type === "input_rejected" || message.type === "error") this.settle(message.clientMessageId, (sending) => sending.reject(new Refused(message)));
    for (const feed of [...this.feeds]) feed.heard(message);
  }

  private met(hello: Hello): void {
    const isOther = this.current !== undefined && this.current.serverId !== hello.serverId;
    this.current = hello;
    if (isOther) for (const feed of [...this.feeds]) feed.fail(new StoreChanged());
    this.greeting?.resolve(hello);
  }

  /** The bridge has decided about an input: it is not sent again. */
  private settle(id: string | undefined, how: (sending: Sending) => void): void {
    if (id === undefined) return;
    this.outbox.discard(id);
    const sending = this.sending.get(id);
    this.sending.delete(id);
    if (sending) how(sending);
  }

  private linked(link: Link): void {
    this.onLink(link);
    if (link === "unauthorized") this.end(new Unauthorized());
  }

  private unwatch(feed: Feed): void {
    this.feeds.delete(feed);
    const isWatched = [...this.feeds].some((other) => other.sessionId === feed.sessionId);
    if (!isWatched) this.connection.send({ type: "unsubscribe", sessionId: feed.sessionId });
  }

  private end(error: Error): void {
    this.ended ??= error;
    this.greeting?.reject(error);
    this.connection.fail(error);
    for (const sending of this.sending.values()) sending.reject(error);
    this.sending.clear();
    for (const feed of [...this.feeds]) feed.fail(error);
  }
}

/** The inputs of a program are kept as long as it runs. */
const FORGETFUL = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
