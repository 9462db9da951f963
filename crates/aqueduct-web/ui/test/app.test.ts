import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { App } from "../src/store/app.ts";
import { defaults } from "../src/store/preferences.ts";
import { Router } from "../src/store/route.ts";
import { session, SESSION, Story } from "./build.ts";
import { Memory, World } from "./world.ts";

function start(): { app: App; world: World } {
  const world = new World();
  let id = 0;
  const app = new App({ around: world, keep: new Memory(), router: new Router(window), preferences: signal(defaults(false)), frame: (call) => call(), uuid: () => `c-${++id}` });
  app.connection.start();
  return { app, world };
}

function subscribed(lastSeq: number): Record<string, unknown> {
  return { type: "subscribed", sessionId: SESSION, snapshot: { session: session(SESSION, { lastSeq }), lastSeq, pending: [], queue: [] } };
}

describe("a connection", () => {
  it("begins with the lists, and with what was open", () => {
    const { app, world } = start();
    app.conversations.watch(SESSION);
    const socket = world.greet();
    expect(socket.sent.map((message) => message.type)).toEqual(["list_sessions", "list_recent_sessions", "subscribe"]);
    expect(socket.ofType("subscribe")).toMatchObject([{ sessionId: SESSION, limit: 200 }]);
  });

  it("that came back asks for what was missed, and sends what was not safe", () => {
    const { app, world } = start();
    const story = new Story().user("1").text("m", 0, "2");
    const socket = world.greet();
    app.conversations.watch(SESSION);
    socket.hear(subscribed(0));
    for (const message of story.reported) socket.hear(message as never);
    app.say(SESSION, { text: "more" });
    socket.break();
    world.pass(250);
    const again = world.greet();
    expect(again.ofType("subscribe")).toMatchObject([{ sinceSeq: 2 }]);
    expect(again.ofType("input")).toMatchObject([{ text: "more", clientMessageId: "c-1" }]);
  });

  it("to another store starts from nothing", () => {
    const { app, world } = start();
    const socket = world.greet("s-1");
    app.conversations.watch(SESSION);
    socket.hear(subscribed(0));
    for (const message of new Story().user("1").reported) socket.hear(message as never);
    expect(app.conversations.get(SESSION).value.lastSeq).toBe(1);
    socket.break();
    world.pass(250);
    expect(world.greet("s-2").ofType("subscribe")[0]).not.toHaveProperty("sinceSeq");
    expect(app.conversations.get(SESSION).value.lastSeq).toBe(0);
  });

  it("that loses a message asks again", () => {
    const { app, world } = start();
    const socket = world.greet();
    app.conversations.watch(SESSION);
    const story = new Story().user("1").user("2").user("3");
    socket.hear(subscribed(0));
    socket.hear(story.reported[0] as never);
    socket.hear(story.reported[2] as never);
    expect(socket.ofType("subscribe").at(-1)).toMatchObject({ sinceSeq: 1 });
  });

  it("keeps only a few conversations up to date", () => {
    const { app, world } = start();
    const socket = world.greet();
    for (const id of ["a", "b", "c", "d", "e"]) app.conversations.watch(id);
    expect(socket.ofType("unsubscribe")).toMatchObject([{ sessionId: "a" }]);
    app.conversations.watch("e");
    expect(socket.ofType("subscribe")).toHaveLength(5);
  });

  it("shows the bridge's clock", () => {
    const { app, world } = start();
    world.time = 999_000;
    world.greet();
    expect(app.now()).toBe(1_000_000);
  });
});

describe("the app", () => {
  it("counts the sessions that wait", () => {
    const { app, world } = start();
    const socket = world.greet();
    socket.hear({ type: "session_list", sessions: [session("a", { pending: 1 }), session("b"), session("c", { status: "waiting_approval" })] });
    expect(app.waiting.value).toBe(2);
  });

  it("gets pages of what is older", async () => {
    const { app, world } = start();
    const socket = world.greet();
    const story = new Story();
    for (let at = 0; at < 10; at++) story.user(String(at));
    app.conversations.watch(SESSION);
    socket.hear(subscribed(10));
    socket.hear({ type: "history_delta", sessionId: SESSION, messages: story.reported.slice(6), fromSeq: 7, toSeq: 10, more: false, cut: true });
    const page = app.older(SESSION);
    const [asked] = socket.ofType("get_history");
    expect(asked).toMatchObject({ beforeSeq: 7 });
    socket.hear({ type: "history", sessionId: SESSION, messages: story.reported.slice(0, 6), more: false, lastSeq: 10, requestId: asked!.requestId });
    expect(await page).toBe(true);
    expect(app.conversations.get(SESSION).value.firstSeq).toBe(1);
    expect(await app.older(SESSION)).toBe(false);
  });

  it("shows what goes wrong", async () => {
    const { app, world } = start();
    const socket = world.greet();
    app.do({ type: "stop_session", sessionId: "x" });
    socket.hear({ type: "error", code: "session_not_found", message: "No session has this id.", requestId: socket.ofType("stop_session")[0]!.requestId });
    await Promise.resolve();
    await Promise.resolve();
    expect(app.toasts.shown.value).toMatchObject([{ kind: "error", text: "No session has this id." }]);
  });

  it("knows the newest state of limits", () => {
    const { app, world } = start();
    const socket = world.greet();
    socket.hear({ type: "rate_limit", limit: { rateLimitType: "five_hour", status: "allowed" } });
    socket.hear({ type: "rate_limit", limit: { rateLimitType: "five_hour", status: "rejected" } });
    expect([...app.rateLimits.value.values()]).toMatchObject([{ status: "rejected" }]);
  });
});
