// How a connection reaches the bridge: sockets, a clock and chance. Tests bring their own.

import { NotPaired } from "./access.ts";

/** A WebSocket, as far as it is used. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** Whether the bridge can be reached and accepts the credentials. */
export type Probe = "ok" | "unauthorized" | "unreachable";

/** The bridge closes with this code where access was revoked or has expired. */
export const REVOKED = 4401;
/** A connection that broke without a close frame. */
const BROKEN = 1006;

/** Sockets, clock and chance. */
export interface Transport {
  open(): Socket;
  /** A close event does not contain why an upgrade failed; a plain request does. */
  probe(): Promise<Probe>;
  now(): number;
  random(): number;
  /** Calls back after a while; the function that it returns cancels that. */
  later(ms: number, call: () => void): () => void;
}

/** What authenticates a client. */
export interface Credentials {
  /** A token that is good now. */
  token(): Promise<string>;
  /** The bridge does not know the token any more: the next one has to be new, where that is possible. */
  forget(): void;
  /** Throws `NotPaired` if the bridge refuses the credentials, and what goes wrong on the way. */
  check(): Promise<void>;
}

/** A WebSocket class: the global one, or that of the package `ws`. */
export interface WebSocketClass {
  new (url: string, protocols: string[]): {
    send(text: string): void;
    close(): void;
    onopen: unknown;
    onmessage: unknown;
    onclose: unknown;
    onerror: unknown;
  };
}

/** What a transport over WebSockets is made of. */
export interface TransportOptions {
  /** The origin of the bridge, such as `http://127.0.0.1:8765`. */
  origin: string;
  credentials: Credentials;
  /** The global one if absent. */
  WebSocket?: WebSocketClass;
  /** Called with the reason when the credentials are refused. */
  refused?(error: NotPaired): void;
}

/** A transport over WebSockets, for browsers and Node.js. */
export function transport({ origin, credentials, WebSocket = globalThis.WebSocket, refused }: TransportOptions): Transport {
  if (!WebSocket) throw new TypeError("this runtime has no WebSocket: pass the class of the package ws as `WebSocket`");
  const isRefused = (error: unknown): boolean => {
    if (!(error instanceof NotPaired)) return false;
    refused?.(error);
    return true;
  };
  return {
    open: () => new AuthenticatedSocket(`${origin.replace(/^http/, "ws")}/ws`, credentials, WebSocket, isRefused),
    probe: async () => {
      try {
        await credentials.check();
        return "ok";
      } catch (error) {
        return isRefused(error) ? "unauthorized" : "unreachable";
      }
    },
    now: () => Date.now(),
    random: () => Math.random(),
    later: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** A WebSocket that is opened once there is a token. The token is sent as a subprotocol, never in the address. */
class AuthenticatedSocket implements Socket {
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  private socket: InstanceType<WebSocketClass> | undefined;
  private closed = false;

  constructor(url: string, credentials: Credentials, WebSocket: WebSocketClass, refused: (error: unknown) => boolean) {
    credentials.token().then(
      (token) => {
        if (this.closed) return;
        const socket = new WebSocket(url, ["aqueduct", `bearer.${token}`]);
        let opened = false;
        socket.onopen = () => (opened = true);
        socket.onmessage = (event: { data: unknown }) => this.onmessage?.(event);
        // `ws` throws an error without a listener; the close event that follows reports the same.
        socket.onerror = () => undefined;
        socket.onclose = (event: { code: number }) => {
          // A bridge that was restarted does not know the access tokens of before.
          if (!opened || event.code === REVOKED) credentials.forget();
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
