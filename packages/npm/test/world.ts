// A transport that a test controls: its sockets, its clock, and what a probe finds.

import type { AccessScope, BridgeMessage, Probe, Socket, Transport } from "../src/index.ts";

export class FakeSocket implements Socket {
  readonly sent: Array<Record<string, unknown>> = [];
  closed = false;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
  }

  hear(message: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  break(code = 1006): void {
    this.onclose?.({ code });
  }

  ofType(type: string): Array<Record<string, unknown>> {
    return this.sent.filter((message) => message.type === type);
  }
}

export class World implements Transport {
  readonly sockets: FakeSocket[] = [];
  time = 1_000_000;
  found: Probe = "ok";
  private timers: Array<{ at: number; call(): void }> = [];

  open(): Socket {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }

  probe(): Promise<Probe> {
    return Promise.resolve(this.found);
  }

  now(): number {
    return this.time;
  }

  random(): number {
    return 0;
  }

  later(ms: number, call: () => void): () => void {
    const timer = { at: this.time + ms, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  /** Lets time pass, with all that is due in it. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = next.at;
      next.call();
    }
    this.time = end;
  }

  /** The newest socket. */
  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  /** The newest socket, greeted by the bridge. */
  greet(serverId = "s-1", scope?: AccessScope): FakeSocket {
    const { socket } = this;
    socket.hear(hello(serverId, scope));
    return socket;
  }
}

export function hello(serverId = "s-1", scope?: AccessScope): BridgeMessage & Record<string, unknown> {
  return {
    type: "hello",
    version: "0.1.0",
    protocol: 1,
    serverId,
    time: 1_000_000,
    device: { deviceId: "d-1", name: "laptop", kind: "device", ...(scope ? { scope } : {}) },
    agents: [{ name: "builtin", available: true }],
    defaultAgent: "builtin",
    roots: ["/proj"],
    permissionModes: ["default", "acceptEdits", "plan"],
    features: [],
    limits: { messageBytes: 1 << 25, queuedInputs: 100, historyPage: 500 },
  };
}

export class Memory {
  readonly held = new Map<string, string>();
  full = false;

  getItem(key: string): string | null {
    return this.held.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.held.set(key, value);
  }

  removeItem(key: string): void {
    this.held.delete(key);
  }
}
