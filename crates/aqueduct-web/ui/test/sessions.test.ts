import { describe, expect, it } from "vitest";
import { grouped, reduceSessions, type Sessions } from "../src/store/sessions.ts";
import { session } from "./build.ts";

const known: Sessions = new Map([
  ["a", session("a", { status: "running" })],
  ["b", session("b", { status: "stopped" })],
]);

describe("the list of sessions", () => {
  it("takes new rows and changes", () => {
    const next = reduceSessions(known, { type: "session_update", session: session("a", { title: "A", status: "idle" }) });
    expect(next.get("a")).toMatchObject({ title: "A", status: "idle" });
    expect(known.get("a")?.title).toBe("a");
  });

  it("knows that what the bridge holds no more has stopped", () => {
    const next = reduceSessions(known, { type: "session_list", sessions: [session("c")] });
    expect([...next.values()].map((one) => `${one.sessionId} ${one.status}`)).toEqual(["a stopped", "b stopped", "c idle"]);
  });

  it("forgets what was deleted", () => {
    expect(reduceSessions(known, { type: "session_deleted", sessionId: "a" }).has("a")).toBe(false);
  });

  it("follows the status, and since when a turn runs", () => {
    const running = reduceSessions(known, { type: "status", sessionId: "a", status: "running", since: 5 });
    expect(running.get("a")).toMatchObject({ turnSince: 5 });
    const waiting = reduceSessions(running, { type: "status", sessionId: "a", status: "waiting_approval", since: 9 });
    expect(waiting.get("a")).toMatchObject({ turnSince: 5 });
    expect(reduceSessions(waiting, { type: "status", sessionId: "a", status: "idle", since: 10 }).get("a")?.turnSince).toBeUndefined();
    expect(reduceSessions(known, { type: "status", sessionId: "z", status: "idle", since: 1 })).toBe(known);
  });

  it("puts those that wait for a user first, and the newest first in each group", () => {
    const groups = grouped([
      session("idle"),
      session("old", { status: "stopped", updatedAt: 1 }),
      session("new", { status: "stopped", updatedAt: 2 }),
      session("asks", { status: "waiting_approval" }),
      session("busy", { status: "compacting", updatedAt: 2 }),
      session("frozen", { status: "unreachable", updatedAt: 1 }),
    ]);
    expect([...groups].map(([name, list]) => [name, list.map((one) => one.sessionId)])).toEqual([
      ["waiting", ["asks"]],
      ["running", ["busy", "frozen"]],
      ["idle", ["idle"]],
      ["recent", ["new", "old"]],
    ]);
  });
});
