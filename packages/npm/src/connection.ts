// One connection to the bridge, for as long as its owner lives: it reconnects by itself, reports its
// actual state, and repeats requests that were not answered.

import { delay } from "./backoff.ts";
import { plain, type Readable, type State } from "./cell.ts";
import type { BridgeMessage, ClientMessage, ErrorReply } from "./generated/messages.ts";
import { REVOKED, type Socket, type Transport } from "./transport.ts";

/** The state of the connection. */
export type Link = "connecting" | "connected" | "reconnecting" | "unauthorized";

/** How often a quiet connection is asked whether it lives. */
const PING_EVERY_MS = 20_000;
/** How long an answer to that may take. */
const PONG_WITHIN_MS = 8_000;
/** The same right after a device woke up, when a connection is often dead. */
const PONG_SOON_MS = 2_500;

/** A request or an input that the bridge refused. */
export class Refused extends Error {
  constructor(readonly reply: ErrorReply) {
    super(reply.message);
    this.name = "Refused";
  }

  /** Whether an error is a refusal with this code. */
  static is(error: unknown, code: ErrorReply["code"]): error is Refused {
    return error instanceof Refused && error.reply.code === code;
  }
}

/** The connection broke before the answer to a request that must not be sent twice. */
export class Lost extends Error {
  constructor() {
    super("The connection broke before the bridge answered.");
    this.name = "Lost";
  }
}

interface Waiting {
  message: ClientMessage;
  sent: boolean;
  again: boolean;
  resolve(reply: BridgeMessage): void;
  reject(error: Error): void;
}

/** What the connection reports. */
export interface Listener {
  /** The bridge greets: from here on messages can be sent. */
  greeted(): void;
  heard(message: BridgeMessage): void;
  /** The state has changed. */
  linked?(link: Link): void;
}

/** A connection that comes back by itself. */
export class Connection {
  private readonly state: { value: Link };
  private readonly retryAt: { value: number | undefined };
  private socket: Socket | undefined;
  private greeted = false;
  private failures = 0;
  private lastId = 0;
  private readonly waiting = new Map<string, Waiting>();
  private cancelRetry: (() => void) | undefined;
  private cancelPing: (() => void) | undefined;
  private stopped = false;

  constructor(
    private readonly around: Transport,
    private readonly listener: Listener,
    state: State = plain,
  ) {
    this.state = state<Link>("connecting");
    this.retryAt = state<number | undefined>(undefined);
  }

  /** Its state. */
  get link(): Readable<Link> {
    return this.state;
  }

  /** When the next attempt is made, while disconnected. */
  get nextTry(): Readable<number | undefined> {
    return this.retryAt;
  }

  /** Connects. */
  start(): void {
    this.stopped = false;
    this.connect();
  }

  /** Ends it for good. */
  stop(): void {
    this.stopped = true;
    this.drop();
    this.cancelRetry?.();
  }

  /** Rejects all requests that wait for an answer. */
  fail(error: Error): void {
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }

  /** The page is in view again, or the network is back: looks at once whether the connection lives. */
  wake(): void {
    if (this.stopped || this.state.value === "unauthorized") return;
    if (this.greeted) this.ping(PONG_SOON_MS);
    else if (this.cancelRetry) this.connect();
  }

  /** The network is gone: waiting for an answer is pointless. */
  lose(): void {
    if (this.greeted) this.broken(1006);
  }

  /** Sends a message if connected; returns whether it was. */
  send(message: ClientMessage): boolean {
    if (!this.greeted || !this.socket) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Asks, and waits for the answer over broken connections. With `once` the question is never sent twice. */
  request<T extends BridgeMessage["type"]>(message: ClientMessage, options: { once?: boolean } = {}): Promise<Extract<BridgeMessage, { type: T }>> {
    const requestId = `r${++this.lastId}`;
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        message: { ...message, requestId },
        sent: false,
        again: !options.once,
        resolve: (reply) => resolve(reply as Extract<BridgeMessage, { type: T }>),
        reject,
      };
      this.waiting.set(requestId, waiting);
      waiting.sent = this.send(waiting.message);
      if (!waiting.sent && options.once) {
        this.waiting.delete(requestId);
        reject(new Lost());
      }
    });
  }

  private connect(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    this.retryAt.value = undefined;
    this.drop();
    const socket = this.around.open();
    this.socket = socket;
    socket.onmessage = (event) => {
      if (this.socket === socket && typeof event.data === "string") this.hear(event.data);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.broken(event.code);
    };
  }

  private hear(text: string): void {
    let message: BridgeMessage;
    try {
      message = JSON.parse(text) as BridgeMessage;
    } catch {
      // The bridge writes JSON: whatever this is, the connection can't be trusted.
      this.broken(1002);
      return;
    }
    this.keepAlive();
    if (message.type === "hello") this.greet(message);
    else this.listener.heard(message);
    this.answer(message);
  }

  private greet(message: BridgeMessage): void {
    this.greeted = true;
    this.failures = 0;
    this.change("connected");
    this.listener.heard(message);
    this.listener.greeted();
    for (const waiting of this.waiting.values()) if (!waiting.sent) waiting.sent = this.send(waiting.message);
  }

  private answer(message: BridgeMessage): void {
    const id = "requestId" in message ? message.requestId : undefined;
    if (id === undefined || message.type === "history_delta") return;
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    if (message.type === "error") waiting.reject(new Refused(message));
    else waiting.resolve(message);
  }

  private broken(code: number): void {
    this.drop();
    if (this.stopped) return;
    for (const [id, waiting] of this.waiting) {
      if (waiting.sent && !waiting.again) {
        this.waiting.delete(id);
        waiting.reject(new Lost());
      }
      waiting.sent = false;
    }
    if (code === REVOKED) {
      this.change("unauthorized");
      return;
    }
    if (this.state.value === "connected") this.change("reconnecting");
    this.failures += 1;
    if (this.failures === 1) this.schedule();
    else void this.probe();
  }

  /** Finds out why connecting fails, then tries again. */
  private async probe(): Promise<void> {
    // Waking up in the meantime connects by itself.
    const tried = this.failures;
    this.schedule();
    const found = await this.around.probe();
    if (this.stopped || this.greeted || tried !== this.failures) return;
    if (found === "unauthorized") {
      this.cancelRetry?.();
      this.cancelRetry = undefined;
      this.drop();
      this.change("unauthorized");
    }
  }

  private change(link: Link): void {
    this.state.value = link;
    this.listener.linked?.(link);
  }

  private schedule(): void {
    const wait = delay(this.failures, this.around.random());
    this.retryAt.value = this.around.now() + wait;
    this.cancelRetry?.();
    this.cancelRetry = this.around.later(wait, () => this.connect());
  }

  private drop(): void {
    this.greeted = false;
    this.cancelPing?.();
    this.cancelPing = undefined;
    const { socket } = this;
    this.socket = undefined;
    if (!socket) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  private keepAlive(): void {
    this.cancelPing?.();
    this.cancelPing = this.around.later(PING_EVERY_MS, () => this.ping(PONG_WITHIN_MS));
  }

  private ping(within: number): void {
    if (!this.send({ type: "ping" })) return;
    this.cancelPing?.();
    // Any received message cancels this.
    this.cancelPing = this.around.later(within, () => this.broken(1006));
  }
}
