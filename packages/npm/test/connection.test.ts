import { describe, expect, it } from "vitest";
import { Connection, delay, Lost, type BridgeMessage } from "../src/index.ts";
import { World } from "./world.ts";

function start(): { world: World; connection: Connection; heard: BridgeMessage[]; greetings: () => number } {
  const world = new World();
  const heard: BridgeMessage[] = [];
  let greetings = 0;
  const connection = new Connection(world, { heard: (message) => heard.push(message), greeted: () => greetings++ });
  connection.start();
  return { world, connection, heard, greetings: () => greetings };
}

describe("the state of the connection", () => {
  it("is connected only after the bridge's greeting", () => {
    const { world, connection } = start();
    expect(connection.link.value).toBe("connecting");
    world.greet();
    expect(connection.link.value).toBe("connected");
  });

  it("reports at once that the connection broke, and reconnects by itself", () => {
    const { world, connection, greetings } = start();
    world.greet();
    world.socket.break();
    expect(connection.link.value).toBe("reconnecting");
    world.pass(250);
    expect(world.sockets).toHaveLength(2);
    world.greet();
    expect(connection.link.value).toBe("connected");
    expect(greetings()).toBe(2);
  });

  it("waits longer each time, up to a limit", () => {
    expect([1, 2, 3, 4].map((n) => delay(n, 0))).toEqual([250, 500, 1000, 2000]);
    expect(delay(40, 0)).toBe(15_000);
    expect(delay(1, 1)).toBeGreaterThan(150);
  });

  it("tries at once when the page comes back", () => {
    const { world, connection } = start();
    world.greet();
    for (let at = 0; at < 6; at++) {
      world.socket.break();
      world.pass(20_000);
    }
    const before = world.sockets.length;
    world.socket.break();
    connection.wake();
    expect(world.sockets).toHaveLength(before + 1);
  });

  it("notices a connection that died in its sleep", () => {
    const { world, connection } = start();
    const socket = world.greet();
    connection.wake();
    expect(socket.ofType("ping")).toHaveLength(1);
    world.pass(2_500);
    expect(connection.link.value).toBe("reconnecting");
    expect(socket.closed).toBe(true);
  });

  it("asks a quiet connection whether it lives, and believes any word", () => {
    const { world, connection } = start();
    const socket = world.greet();
    world.pass(20_000);
    expect(socket.ofType("ping")).toHaveLength(1);
    socket.hear({ type: "pong", time: 0 });
    world.pass(19_000);
    expect(connection.link.value).toBe("connected");
  });

  it("is over when the token is revoked", () => {
    const { world, connection } = start();
    world.greet();
    world.socket.break(4401);
    expect(connection.link.value).toBe("unauthorized");
    world.pass(60_000);
    connection.wake();
    expect(world.sockets).toHaveLength(1);
  });

  it("is over when the bridge does not let this device in", async () => {
    const { world, connection } = start();
    world.found = "unauthorized";
    world.socket.break();
    world.pass(250);
    world.socket.break();
    await Promise.resolve();
    await Promise.resolve();
    expect(connection.link.value).toBe("unauthorized");
  });

  it("keeps trying while the bridge is away", async () => {
    const { world, connection } = start();
    world.found = "unreachable";
    for (let at = 0; at < 5; at++) {
      world.socket.break();
      await Promise.resolve();
      world.pass(15_000);
    }
    expect(world.sockets).toHaveLength(6);
    expect(connection.link.value).toBe("connecting");
  });

  it("receives nothing from sockets that it closed", () => {
    const { world, heard } = start();
    const old = world.greet();
    old.break();
    world.pass(250);
    world.greet();
    const before = heard.length;
    old.hear({ type: "pong", time: 0 });
    expect(heard).toHaveLength(before);
  });

  it("does not trust what is not JSON", () => {
    const { world, connection } = start();
    world.greet();
    world.socket.onmessage?.({ data: "{" });
    expect(connection.link.value).toBe("reconnecting");
  });
});

describe("requests", () => {
  it("get the reply that repeats their id", async () => {
    const { world, connection } = start();
    const socket = world.greet();
    const reply = connection.request<"models">({ type: "list_models" });
    const { requestId } = socket.ofType("list_models")[0]!;
    socket.hear({ type: "pong", time: 0, requestId: "other" });
    socket.hear({ type: "models", models: [], requestId });
    expect(await reply).toMatchObject({ type: "models" });
  });

  it("are refused with the bridge's reason", async () => {
    const { world, connection } = start();
    const socket = world.greet();
    const reply = connection.request({ type: "list_models" });
    socket.hear({ type: "error", code: "not_supported", message: "No.", requestId: socket.ofType("list_models")[0]!.requestId });
    await expect(reply).rejects.toMatchObject({ name: "Refused", message: "No.", reply: { code: "not_supported" } });
  });

  it("wait for a connection, and are asked again after it broke", async () => {
    const { world, connection } = start();
    const reply = connection.request<"pong">({ type: "ping" });
    expect(world.greet().ofType("ping")).toHaveLength(1);
    world.socket.break();
    world.pass(250);
    const again = world.greet();
    const [asked] = again.ofType("ping");
    again.hear({ type: "pong", time: 7, requestId: asked!.requestId });
    expect(await reply).toMatchObject({ time: 7 });
  });

  it("that must not be sent twice are not", async () => {
    const { world, connection } = start();
    world.greet();
    const reply = connection.request({ type: "interrupt" }, { once: true });
    world.socket.break();
    await expect(reply).rejects.toBeInstanceOf(Lost);
    world.pass(250);
    expect(world.greet().ofType("interrupt")).toEqual([]);
    world.socket.break();
    await expect(connection.request({ type: "interrupt" }, { once: true })).rejects.toBeInstanceOf(Lost);
  });

  it("are not answered by parts of a history", async () => {
    const { world, connection } = start();
    const socket = world.greet();
    const reply = connection.request<"subscribed">({ type: "subscribe", sessionId: "S" });
    const { requestId } = socket.ofType("subscribe")[0]!;
    socket.hear({ type: "history_delta", sessionId: "S", messages: [], fromSeq: 1, toSeq: 1, more: false, requestId });
    socket.hear({ type: "subscribed", sessionId: "S", snapshot: {}, requestId });
    expect(await reply).toMatchObject({ type: "subscribed" });
  });
});
