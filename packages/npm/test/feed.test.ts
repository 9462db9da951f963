import { describe, expect, it } from "vitest";
import { Client, StoreChanged, type Feed } from "../src/index.ts";
import { World, type FakeSocket } from "./world.ts";

const SESSION = "S";

function start(): { world: World; client: Client; socket: FakeSocket } {
  const world = new World();
  const client = new Client(world);
  return { world, client, socket: world.greet() };
}

function subscribed(socket: FakeSocket, lastSeq: number): void {
  const { requestId } = socket.ofType("subscribe").at(-1)!;
  socket.hear({ type: "subscribed", sessionId: SESSION, snapshot: { lastSeq, pending: [], queue: [] }, requestId });
}

const stored = (seq: number): Record<string, unknown> => ({ type: "user_input", text: `${seq}`, sessionId: SESSION, seq });

async function read(feed: Feed, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const { value } = await feed.next();
    found.push("seq" in value ? `${value.seq}` : value.type);
  }
  return found;
}

describe("a feed", () => {
  it("has each stored message once, and asks again where one is missing", async () => {
    const { client, socket } = start();
    const feed = client.feed(SESSION);
    expect(socket.ofType("subscribe")).toMatchObject([{ sessionId: SESSION, sinceSeq: 0 }]);
    socket.hear(stored(1));
    subscribed(socket, 1);
    socket.hear({ type: "history_delta", sessionId: SESSION, messages: [stored(1)], fromSeq: 1, toSeq: 1, more: false });
    socket.hear(stored(1));
    socket.hear(stored(3));
    expect(socket.ofType("subscribe").at(-1)).toMatchObject({ sinceSeq: 1 });
    subscribed(socket, 3);
    socket.hear({ type: "history_delta", sessionId: SESSION, messages: [stored(2), stored(3)], fromSeq: 2, toSeq: 3, more: false });
    expect(await read(feed, 5)).toEqual(["subscribed", "1", "subscribed", "2", "3"]);
  });

  it("continues from its newest message after a reconnect", () => {
    const { world, client, socket } = start();
    client.feed(SESSION, { sinceSeq: 4 });
    subscribed(socket, 5);
    socket.hear(stored(5));
    socket.break();
    world.pass(250);
    expect(world.greet().ofType("subscribe")).toMatchObject([{ sinceSeq: 5 }]);
  });

  it("fails when the bridge has another store", async () => {
    const { world, client, socket } = start();
    const feed = client.feed(SESSION);
    subscribed(socket, 0);
    socket.break();
    world.pass(250);
    world.greet("s-2");
    expect(await read(feed, 1)).toEqual(["subscribed"]);
    await expect(feed.next()).rejects.toBeInstanceOf(StoreChanged);
  });

  it("holds a limited number of messages, and requests the rest when its reader has caught up", async () => {
    const { client, socket } = start();
    const feed = client.feed(SESSION);
    subscribed(socket, 20_000);
    for (let seq = 1; seq <= 20_000; seq++) socket.hear(stored(seq));
    const first = await read(feed, 10_000);
    expect(first.at(-1)).toBe("9999");
    expect(socket.ofType("subscribe")).toHaveLength(1);
    const next = feed.next();
    expect(socket.ofType("subscribe").at(-1)).toMatchObject({ sinceSeq: 9_999 });
    subscribed(socket, 20_000);
    expect((await next).value.type).toBe("subscribed");
  });

  it("ends the subscription when its reader leaves", async () => {
    const { client, socket } = start();
    const feed = client.feed(SESSION);
    subscribed(socket, 0);
    for await (const _ of feed) break;
    expect(socket.ofType("unsubscribe")).toMatchObject([{ sessionId: SESSION }]);
    expect(await feed.next()).toEqual({ done: true, value: undefined });
  });
});

describe("a closed client", () => {
  it("rejects what waits for the bridge", async () => {
    const { client, socket } = start();
    const feed = client.feed(SESSION);
    const waiting = [client.sessions(), client.input(SESSION, "hi"), feed.next()];
    client.close();
    for (const one of waiting) await expect(one).rejects.toMatchObject({ name: "Closed" });
    await expect(client.sessions()).rejects.toMatchObject({ name: "Closed" });
    expect(socket.closed).toBe(true);
  });
});
