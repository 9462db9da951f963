import WebSocket from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, pair, Refused, Unauthorized, type BridgeMessage, type Client } from "../dist/index.js";
import { Bridge, CuttableClient, next, seqs, TOKEN, until } from "./bridge.ts";

let bridge: Bridge;
let client: Client;

beforeAll(async () => {
  bridge = await Bridge.start();
  client = await connect({ url: bridge.url, token: TOKEN, WebSocket });
});
afterAll(async () => {
  client?.close();
  await bridge?.stop();
});

const ofType = (messages: readonly BridgeMessage[], type: string): BridgeMessage[] => messages.filter((message) => message.type === type);

describe("a session", () => {
  it("streams an answer, then has it stored", async () => {
    const session = await client.start({ projectPath: bridge.project, text: "@say one two three four" });
    const messages = await until(session.messages(), (message) => message.type === "result");
    expect(messages[0]?.type).toBe("subscribed");
    const numbers = seqs(messages);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(ofType(messages, "user_input")).toMatchObject([{ text: "@say one two three four" }]);
    expect(ofType(messages, "assistant")).toMatchObject([{ message: { content: [{ type: "text", text: "one two three four" }] } }]);
    expect(ofType(messages, "result")).toMatchObject([{ subtype: "success" }]);
  });

  it("sends deltas to a feed that watches from the start", async () => {
    const session = await client.start({ projectPath: bridge.project });
    const feed = session.messages();
    await next(feed, "subscribed");
    expect(await session.send("@say one two three four")).toMatchObject({ sessionId: session.id });
    const messages = await until(feed, (message) => message.type === "result");
    const deltas = ofType(messages, "stream_delta").map((message) => (message as { text: string }).text);
    expect(deltas.join("")).toBe("one two three four");
  });

  it("waits for a permission, and takes approval and rejection", async () => {
    const session = await client.start({ projectPath: bridge.project, text: '@tool Bash {"command":"touch allowed"}\n@say done' });
    const feed = session.messages();
    const request = await next(feed, "permission_request");
    expect(request).toMatchObject({ kind: "permission", toolName: "Bash", input: { command: "touch allowed" } });
    await session.approve(request);
    expect(await next(feed, "permission_resolved")).toMatchObject({ id: request.id, decision: "allowed" });
    await next(feed, "result");

    await session.send('@tool Bash {"command":"touch denied"}\n@say done');
    const second = await next(feed, "permission_request");
    await expect(session.approve({ ...second, inputHash: "0".repeat(64) })).rejects.toMatchObject({ reply: { code: "input_changed" } });
    await session.reject(second, { message: "Not this one." });
    expect(await next(feed, "permission_resolved")).toMatchObject({ decision: "denied", message: "Not this one." });
    await next(feed, "result");
    const late = await session.approve(second).catch((error: unknown) => error);
    expect(Refused.is(late, "already_resolved")).toBe(true);
  });

  it("asks a question and gets the answer", async () => {
    const questions = [{ question: "Which color?", header: "Color", multiSelect: false, options: [{ label: "Red", description: "warm" }, { label: "Blue", description: "cold" }] }];
    const session = await client.start({ projectPath: bridge.project, text: `@tool AskUserQuestion ${JSON.stringify({ questions })}` });
    const feed = session.messages();
    const request = await next(feed, "permission_request");
    expect(request.kind).toBe("question");
    await session.answer(request, { "Which color?": "Blue" });
    expect(await next(feed, "permission_resolved")).toMatchObject({ decision: "answered", answers: { "Which color?": "Blue" } });
    await next(feed, "result");
  });

  it("is listed, stopped, read again from any number on, and deleted", async () => {
    const session = await client.start({ projectPath: bridge.project, text: "@say hi" });
    const feed = session.messages();
    await next(feed, "result");
    await session.stop();
    expect(await client.sessions()).toContainEqual(expect.objectContaining({ sessionId: session.id }));
    const later = session.messages({ sinceSeq: 2 });
    expect(seqs(await until(later, (message) => message.type === "result"))[0]).toBe(3);
    const newest = session.messages({ limit: 1 });
    expect(seqs(await until(newest, (message) => "seq" in message))).toEqual([newest.lastSeq]);
    await session.delete();
    const rest: string[] = [];
    for await (const message of feed) rest.push(message.type);
    expect(rest).not.toContain("result");
    expect((await client.sessions()).map(({ sessionId }) => sessionId)).not.toContain(session.id);
    await expect(session.messages().next()).rejects.toMatchObject({ reply: { code: "session_not_found" } });
  });
});

describe("an input", () => {
  it("that is sent twice runs once", async () => {
    const session = await client.start({ projectPath: bridge.project });
    const feed = session.messages();
    const first = await session.send("@say once", { clientMessageId: "same" });
    const second = await session.send("@say once", { clientMessageId: "same" });
    expect(second.inputId).toBe(first.inputId);
    const messages = await until(feed, (message) => message.type === "result");
    await session.send("@say after");
    messages.push(...(await until(feed, (message) => message.type === "result")));
    expect(ofType(messages, "user_input").map((message) => (message as { text: string }).text)).toEqual(["@say once", "@say after"]);
  });

  it("whose acknowledgement was lost is sent again and runs once", async () => {
    const other = await CuttableClient.connect({ url: bridge.url, token: TOKEN });
    const session = await other.client.start({ projectPath: bridge.project });
    const feed = session.messages();
    await next(feed, "subscribed");
    const sent = session.send("@say survived");
    other.cut();
    await sent;
    const messages = await until(feed, (message) => message.type === "result");
    await session.send("@say after");
    messages.push(...(await until(feed, (message) => message.type === "result")));
    expect(ofType(messages, "user_input").map((message) => (message as { text: string }).text)).toEqual(["@say survived", "@say after"]);
    other.client.close();
  });

  it("that the bridge refuses is rejected", async () => {
    await expect(client.session("0198c0de-0000-4000-8000-000000000000").send("hi")).rejects.toMatchObject({ name: "Refused", reply: { code: "session_not_found" } });
  });
});

describe("a connection", () => {
  it("that is cut in the middle of a turn comes back with every message once", async () => {
    const links: string[] = [];
    const other = await CuttableClient.connect({ url: bridge.url, token: TOKEN, onLink: (link) => links.push(link) });
    const gate = bridge.gate();
    const session = await other.client.start({ projectPath: bridge.project, text: `@tool Bash ${JSON.stringify({ command: gate.command })}\n@say done` });
    const feed = session.messages();
    const messages = await until(feed, (message) => message.type === "assistant");
    other.cut();
    messages.push(...(await until(feed, (message) => message.type === "subscribed")));
    await gate.open();
    messages.push(...(await until(feed, (message) => message.type === "result")));
    const numbers = seqs(messages);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(ofType(messages, "subscribed")).toHaveLength(2);
    expect(links).toEqual(["connected", "reconnecting", "connected"]);
    other.client.close();
  });

  it("survives a bridge that is killed and started again: nothing is lost, nothing comes twice", async () => {
    const gate = bridge.gate();
    const session = await client.start({ projectPath: bridge.project, text: `@tool Bash ${JSON.stringify({ command: gate.command })}\n@say first` });
    const feed = session.messages();
    const messages = await until(feed, (message) => message.type === "assistant");
    await bridge.kill();
    await gate.open();
    const sent = session.send("@say second");
    await bridge.up();
    await sent;
    for (const _ of ["first", "second"]) messages.push(...(await until(feed, (message) => message.type === "result")));
    const numbers = seqs(messages);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(ofType(messages, "user_input")).toHaveLength(2);
    expect(ofType(messages, "result")).toHaveLength(2);
  });

  it("with a wrong token is refused", async () => {
    await expect(connect({ url: bridge.url, token: "wrong", WebSocket })).rejects.toBeInstanceOf(Unauthorized);
    await expect(connect({ url: bridge.url, token: "no token", WebSocket })).rejects.toBeInstanceOf(TypeError);
  });

  it("with the token of a pairing code works, until it is revoked", async () => {
    const request = { type: "pair_device", scope: "watch" } as const;
    const { confirm } = await client.request(request).then(
      () => expect.unreachable(),
      (error: Refused) => error.reply,
    );
    const { link } = await client.request({ ...request, confirm: confirm! });
    const { token, deviceId } = await pair(bridge.url, new URL(link).hash.replace("#pair=", ""), "test");
    let refused: (() => void) | undefined;
    const revoked = new Promise<void>((resolve) => (refused = resolve));
    const paired = await connect({ url: bridge.url, token, WebSocket, onLink: (link) => (link === "unauthorized" ? refused?.() : undefined) });
    expect(paired.hello?.device).toMatchObject({ deviceId, scope: "watch" });
    await client.request({ type: "revoke_device", deviceId });
    await revoked;
    await expect(paired.sessions()).rejects.toBeInstanceOf(Unauthorized);
    paired.close();
  });
});
