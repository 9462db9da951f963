import { describe, expect, it } from "vitest";
import { Outbox, type BridgeMessage, type SendInput } from "../src/index.ts";
import { Memory } from "./world.ts";

type Input = { type: "input" } & SendInput;

function start(memory = new Memory()): { outbox: Outbox; sent: Input[]; memory: Memory } {
  const sent: Input[] = [];
  const outbox = new Outbox(memory, (message) => {
    sent.push(message);
    return true;
  });
  return { outbox, sent, memory };
}

function put(outbox: Outbox, id: string, sessionId = "S"): void {
  outbox.put({ type: "input", text: id, sessionId, clientMessageId: id }, 0);
}

const states = (outbox: Outbox): string[] => outbox.entries.value.map((entry) => `${entry.id} ${entry.state}`);

describe("an input", () => {
  it("stays until the conversation has it", () => {
    const { outbox } = start();
    put(outbox, "c-1");
    expect(states(outbox)).toEqual(["c-1 waiting"]);
    outbox.heard({ type: "input_ack", sessionId: "S", inputId: "i", state: "sent", clientMessageId: "c-1" });
    expect(states(outbox)).toEqual(["c-1 safe"]);
    outbox.heard({ type: "user_input", clientMessageId: "c-1" } as unknown as BridgeMessage);
    expect(states(outbox)).toEqual([]);
  });

  it("leaves when it is in the queue, or in a history", () => {
    const { outbox } = start();
    put(outbox, "c-1");
    put(outbox, "c-2");
    outbox.heard({ type: "queue", sessionId: "S", inputs: [{ id: "i", text: "", time: 0, clientMessageId: "c-1" }] });
    expect(states(outbox)).toEqual(["c-2 waiting"]);
    outbox.heard({ type: "history_delta", messages: [{ type: "user_input", clientMessageId: "c-2" }] } as unknown as BridgeMessage);
    expect(states(outbox)).toEqual([]);
  });

  it("is sent again, in order and under its name, until the bridge has it safe", () => {
    const { outbox, sent } = start();
    put(outbox, "c-1");
    put(outbox, "c-2");
    outbox.heard({ type: "input_ack", sessionId: "S", inputId: "i", state: "queued", clientMessageId: "c-1" });
    put(outbox, "c-3");
    sent.length = 0;
    outbox.flush();
    expect(sent.map((message) => message.clientMessageId)).toEqual(["c-2", "c-3"]);
  });

  it("survives a reload while it is not safe", () => {
    const { outbox, memory } = start();
    put(outbox, "c-1");
    put(outbox, "c-2");
    outbox.heard({ type: "input_ack", sessionId: "S", inputId: "i", state: "sent", clientMessageId: "c-1" });
    const later = start(memory);
    expect(states(later.outbox)).toEqual(["c-2 waiting"]);
    later.outbox.flush();
    expect(later.sent).toMatchObject([{ clientMessageId: "c-2", text: "c-2" }]);
  });

  it("that is refused shows why, and can be retried or discarded", () => {
    const { outbox, sent } = start();
    put(outbox, "c-1");
    outbox.heard({ type: "input_rejected", code: "queue_full", message: "Full.", clientMessageId: "c-1" });
    expect(outbox.entries.value[0]).toMatchObject({ state: "refused", reason: "Full." });
    outbox.flush();
    expect(sent).toHaveLength(1);
    outbox.retry("c-1");
    expect(sent).toHaveLength(2);
    expect(outbox.discard("c-1")?.message.text).toBe("c-1");
    expect(states(outbox)).toEqual([]);
  });

  it("that could not even be read is refused too", () => {
    const { outbox } = start();
    put(outbox, "c-1");
    outbox.heard({ type: "error", code: "invalid_message", message: "Bad.", clientMessageId: "c-1" });
    expect(states(outbox)).toEqual(["c-1 refused"]);
  });

  it("that had run before, was cancelled, or is asked about, leaves", () => {
    const { outbox } = start();
    for (const state of ["done", "cancelled", "unconfirmed"]) {
      put(outbox, "c-1");
      outbox.heard({ type: "input_ack", sessionId: "S", inputId: "i", state, clientMessageId: "c-1" });
      expect(states(outbox)).toEqual([]);
    }
  });

  it("goes with its session", () => {
    const { outbox } = start();
    put(outbox, "c-1", "S");
    put(outbox, "c-2", "T");
    outbox.heard({ type: "session_deleted", sessionId: "S" });
    expect(states(outbox)).toEqual(["c-2 waiting"]);
  });

  it("that is safe is shown by the queue or the history after a reconnect", () => {
    const { outbox } = start();
    put(outbox, "c-1");
    put(outbox, "c-2");
    outbox.heard({ type: "input_ack", sessionId: "S", inputId: "i", state: "sent", clientMessageId: "c-1" });
    outbox.heard({ type: "subscribed", sessionId: "S", snapshot: { queue: [] } } as unknown as BridgeMessage);
    expect(states(outbox)).toEqual(["c-2 waiting"]);
  });

  it("is kept in mind where there is no room to store it", () => {
    const memory = new Memory();
    memory.full = true;
    const { outbox, sent } = start(memory);
    put(outbox, "c-1");
    outbox.flush();
    expect(sent).toHaveLength(2);
  });
});

it("what was kept by something else does no harm", () => {
  const memory = new Memory();
  memory.setItem("aqueduct.outbox", "{not json");
  expect(start(memory).outbox.entries.value).toEqual([]);
});
