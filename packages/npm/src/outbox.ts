// Inputs on their way. One stays here until the bridge has it safe, over broken connections and reloads; its
// `clientMessageId` lets it be sent again without running twice.

import { plain, type Readable, type State } from "./cell.ts";
import type { BridgeMessage, SendInput } from "./generated/messages.ts";

/** An input on its way. */
export interface Unsent {
  id: string;
  sessionId: string;
  message: { type: "input" } & SendInput;
  /** `waiting` for the bridge's word, `safe` with the bridge and not in the conversation yet, or `refused`. */
  state: "waiting" | "safe" | "refused";
  /** Why it was refused, for people. */
  reason?: string;
  time: number;
}

/** Where the outbox is kept: `localStorage`, or something like it. */
export interface Keep {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const KEY = "aqueduct.outbox";

/** The inputs on their way. */
export class Outbox {
  private readonly list: { value: readonly Unsent[] };

  constructor(
    private readonly keep: Keep,
    private readonly send: (message: { type: "input" } & SendInput) => boolean,
    state: State = plain,
  ) {
    this.list = state(read(keep));
  }

  /** All of them, oldest first. */
  get entries(): Readable<readonly Unsent[]> {
    return this.list;
  }

  /** Sends an input, now or as soon as there is a connection. */
  put(message: { type: "input" } & SendInput & { sessionId: string; clientMessageId: string }, now: number): void {
    const entry: Unsent = { id: message.clientMessageId, sessionId: message.sessionId, message, state: "waiting", time: now };
    this.change([...this.list.value, entry]);
    this.send(message);
  }

  /** There is a connection again: what the bridge may not have is sent again, in order. */
  flush(): void {
    for (const entry of this.list.value) if (entry.state === "waiting") this.send(entry.message);
  }

  /** Tries a refused one again. */
  retry(id: string): void {
    this.change(this.list.value.map((entry) => (entry.id === id ? { ...entry, state: "waiting", reason: undefined } : entry)));
    const entry = this.list.value.find((e) => e.id === id);
    if (entry) this.send(entry.message);
  }

  /** Forgets one that was refused or can't be sent. */
  discard(id: string): Unsent | undefined {
    const entry = this.list.value.find((e) => e.id === id);
    this.change(this.list.value.filter((e) => e.id !== id));
    return entry;
  }

  /** Processes the bridge's messages. */
  heard(message: BridgeMessage): void {
    switch (message.type) {
      case "input_ack":
        this.acknowledged(message.clientMessageId, message.state === "queued" || message.state === "sent");
        break;
      case "input_rejected":
      case "error":
        this.refused(message.clientMessageId, message.message);
        break;
      case "user_input":
        this.forget(message.clientMessageId);
        break;
      case "queue":
        for (const input of message.inputs) this.forget(input.clientMessageId);
        break;
      case "history_delta":
        for (const stored of message.messages) this.heard(stored);
        break;
      case "subscribed":
        // Accepted inputs are in the queue or in the history that follows.
        this.change(this.list.value.filter((e) => e.sessionId !== message.sessionId || e.state !== "safe"));
        for (const input of message.snapshot.queue) this.forget(input.clientMessageId);
        break;
      case "session_deleted":
        this.change(this.list.value.filter((e) => e.sessionId !== message.sessionId));
        break;
    }
  }

  private acknowledged(id: string | undefined, comes: boolean): void {
    if (id === undefined || !this.list.value.some((e) => e.id === id)) return;
    if (!comes) this.forget(id);
    else this.change(this.list.value.map((e) => (e.id === id ? { ...e, state: "safe" } : e)));
  }

  private refused(id: string | undefined, reason: string): void {
    if (id === undefined || !this.list.value.some((e) => e.id === id)) return;
    this.change(this.list.value.map((e) => (e.id === id ? { ...e, state: "refused", reason } : e)));
  }

  private forget(id: string | undefined): void {
    if (id === undefined || !this.list.value.some((e) => e.id === id)) return;
    this.change(this.list.value.filter((e) => e.id !== id));
  }

  private change(next: readonly Unsent[]): void {
    if (next.length === 0 && this.list.value.length === 0) return;
    this.list.value = next;
    // What the bridge has safe need not survive this page.
    const unsafe = next.filter((entry) => entry.state !== "safe");
    try {
      if (unsafe.length === 0) this.keep.removeItem(KEY);
      else this.keep.setItem(KEY, JSON.stringify(unsafe));
    } catch {
      // No room, such as for images: they are kept as long as the page lives.
    }
  }
}

function read(keep: Keep): readonly Unsent[] {
  try {
    const list: unknown = JSON.parse(keep.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? (list as Unsent[]) : [];
  } catch {
    return [];
  }
}
