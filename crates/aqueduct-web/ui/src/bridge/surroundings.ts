// What a connection needs of the browser. Tests bring their own.

/** A WebSocket, as far as it is used. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** Whether the bridge can be reached and lets this device in. */
export type Probe = "ok" | "unauthorized" | "unreachable";

/** Sockets, clock and chance. */
export interface Surroundings {
  open(): Socket;
  /** A close event does not say why an upgrade failed; a plain request does. */
  probe(): Promise<Probe>;
  now(): number;
  random(): number;
  /** Calls back after a while; the function that it gives cancels that. */
  later(ms: number, call: () => void): () => void;
}

/** The browser's own. */
export function browser(origin: string): Surroundings {
  const url = `${origin.replace(/^http/, "ws")}/ws`;
  return {
    open: () => new WebSocket(url) as Socket,
    probe: async () => {
      try {
        const answer = await fetch(`${origin}/api/v1/ping`, { credentials: "same-origin", cache: "no-store" });
        return answer.status === 401 || answer.status === 403 ? "unauthorized" : "ok";
      } catch {
        return "unreachable";
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
