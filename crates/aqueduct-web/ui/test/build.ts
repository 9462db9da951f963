// Messages for tests, as the bridge sends them.

import type { AgentEvent, BridgeMessage, ContentBlock, SessionInfo } from "aqueduct-client";
import type { StoredMessage } from "../src/conversation/stored.ts";

export const SESSION = "0198c0de-7a11-7000-8000-000000000001";
const START = 1_793_404_800_000;

/** A story: stored messages get their numbers in the order in which they are reported. */
export class Story {
  readonly reported: BridgeMessage[] = [];
  private seq = 0;

  constructor(private readonly sessionId = SESSION) {}

  /** The stored messages. */
  get stored(): StoredMessage[] {
    return this.reported.filter((message): message is StoredMessage => "seq" in message);
  }

  store(message: Record<string, unknown> & { type: string }): this {
    this.seq += 1;
    this.reported.push({ ...message, sessionId: this.sessionId, seq: this.seq, time: START + this.seq * 1000 } as unknown as BridgeMessage);
    return this;
  }

  live(message: Record<string, unknown> & { type: string }): this {
    this.reported.push({ ...message, sessionId: this.sessionId } as unknown as BridgeMessage);
    return this;
  }

  user(text: string, more: Record<string, unknown> = {}): this {
    return this.store({ type: "user_input", text, id: `i-${this.seq}`, source: "client", ...more });
  }

  answer(id: string, index: number, block: ContentBlock, more: Record<string, unknown> = {}): this {
    return this.store({ type: "assistant", message: { id, role: "assistant", content: [block] }, index, ...more });
  }

  text(id: string, index: number, text: string, more: Record<string, unknown> = {}): this {
    return this.answer(id, index, { type: "text", text }, more);
  }

  call(id: string, name: string, input: unknown, more: Record<string, unknown> = {}): this {
    return this.answer(`msg_${id}`, 0, { type: "tool_use", id, name, input } as ContentBlock, more);
  }

  result(toolUseId: string, content: string, more: Record<string, unknown> = {}): this {
    return this.store({ type: "tool_result", toolUseId, content, ...more });
  }

  turn(more: Record<string, unknown> = {}): this {
    return this.store({ type: "result", subtype: "success", isError: false, ...more });
  }

  system(subtype: string, more: Record<string, unknown> = {}): this {
    return this.store({ type: "system", subtype, ...more });
  }

  event(event: Record<string, unknown>): this {
    return this.store({ type: "agent_event", event: event as unknown as AgentEvent["event"] });
  }

  ask(id: string, toolUseId: string, more: Record<string, unknown> = {}): this {
    return this.store({ type: "permission_request", id, toolUseId, toolName: "Bash", input: { command: "ls" }, kind: "permission", inputHash: "00", ...more });
  }

  decide(id: string, toolUseId: string, decision = "allowed"): this {
    return this.store({ type: "permission_resolved", id, toolUseId, decision, by: { kind: "device", deviceId: "d-2", name: "phone" } });
  }

  delta(messageId: string, index: number, text: string, more: Record<string, unknown> = {}): this {
    return this.live({ type: "stream_delta", messageId, index, text, ...more });
  }
}

/** A row of the list of sessions. */
export function session(id: string, more: Partial<SessionInfo> = {}): SessionInfo {
  return {
    sessionId: id,
    projectPath: "/proj/api",
    status: "idle",
    source: "bridge",
    title: id,
    createdAt: START,
    updatedAt: START,
    lastSeq: 0,
    pending: 0,
    queued: 0,
    watchers: 0,
    ...more,
  };
}

/** A random number generator that gives the same every time. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
