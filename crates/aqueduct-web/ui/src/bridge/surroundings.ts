// What a connection needs of the browser. Tests bring their own.

import { Access, NotPaired, type Unpaired } from "./access.ts";
import { vault } from "./credential.ts";

/** A WebSocket, as far as it is used. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** Whether the bridge can be reached and lets this device in. */
export type Probe = "ok" | "unauthorized" | "unreachable";

/** The bridge closes with this where this device's access was revoked. */
export const REVOKED = 4401;
/** A connection that broke without a word. */
const BROKEN = 1006;

/** Sockets, clock and chance. */
export interface Surroundings {
  open(): Socket;
  /** A close event does not contain why an upgrade failed; a plain request does. */
  probe(): Promise<Probe>;
  /** Why this browser is not paired, once it is known that it is not. */
  unpaired(): Unpaired;
  /** Pairs this browser. What goes wrong is thrown. */
  pair(code: string, name: string): Promise<void>;
  now(): number;
  random(): number;
  /** Calls back after a while; the function that it gives cancels that. */
  later(ms: number, call: () => void): () => void;
}

/** The browser's own. */
export function browser(origin: string): Surroundings {
  const access = new Access(origin, vault, () => Date.now());
  let reason: Unpaired = "revoked";
  const refused = (error: unknown): boolean => {
    if (!(error instanceof NotPaired)) return false;
    reason = error.reason;
    return true;
  };
  return {
    open: () => new SignedInSocket(`${origin.replace(/^http/, "ws")}/ws`, access, refused),
    probe: async () => {
      try {
        await access.check();
        return "ok";
      } catch (error) {
        return refused(error) ? "unauthorized" : "unreachable";
      }
    },
    unpaired: () => reason,
    pair: (code, name) => access.pair(code, name),
    now: () => Date.now(),
    random: () => Math.random(),
    later: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** A WebSocket that is opened once this page has a token. The token goes along as a subprotocol, never in the address. */
class SignedInSocket implements Socket {
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  private socket: WebSocket | undefined;
  private closed = false;

  constructor(url: string, access: Access, refused: (error: unknown) => boolean) {
    access.token().then(
      (token) => {
        if (this.closed) return;
        const socket = new WebSocket(url, ["aqueduct", `bearer.${token}`]);
        let opened = false;
        socket.onopen = () => (opened = true);
        socket.onmessage = (event) => this.onmessage?.(event);
        socket.onclose = (event) => {
          // A bridge that was restarted knows no token of before.
          if (!opened || event.code === REVOKED) access.forget();
          this.onclose?.(event);
        };
        this.socket = socket;
      },
      (error: unknown) => this.onclose?.({ code: refused(error) ? REVOKED : BROKEN }),
    );
  }

  send(text: string): void {
    this.socket?.send(text);
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }
}
