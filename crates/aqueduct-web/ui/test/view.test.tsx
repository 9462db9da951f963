import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AccessScope } from "aqueduct-client";
import { App } from "../src/store/app.ts";
import { defaults } from "../src/store/preferences.ts";
import { Router } from "../src/store/route.ts";
import { AppContext } from "../src/view/part/context.ts";
import { Shell } from "../src/view/shell/shell.tsx";
import { session, SESSION, Story } from "./build.ts";
import { Memory, World, type FakeSocket } from "./world.ts";

vi.stubGlobal(
  "ResizeObserver",
  class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
);

let root: HTMLElement | undefined;
afterEach(() => {
  if (root) render(null, root);
  root?.remove();
  location.hash = "";
});

interface Page {
  app: App;
  world: World;
  socket: FakeSocket;
  hear(message: Record<string, unknown>): Promise<void>;
  /** The element with a role and a name, as a screen reader finds it. */
  find(role: string, name: string): HTMLElement;
  has(role: string, name: string): boolean;
}

/** Waits for a page or dialog that is loaded when it is first needed: it is drawn, then loaded, then drawn again. */
async function loaded(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await act(() => vi.dynamicImportSettled());
}

async function open(hash: string, scope?: AccessScope): Promise<Page> {
  location.hash = hash;
  const world = new World();
  const app = new App({ around: world, keep: new Memory(), router: new Router(window), preferences: signal(defaults(false)), frame: (call) => call(), uuid: () => "c-1" });
  root = document.createElement("div");
  document.body.append(root);
  app.connection.start();
  await act(() => {
    render(
      <AppContext.Provider value={app}>
        <Shell />
      </AppContext.Provider>,
      root!,
    );
  });
  await act(async () => {
    world.greet("s-1", scope);
  });
  await loaded();
  const all = (role: string, name: string): HTMLElement[] =>
    [...root!.querySelectorAll<HTMLElement>("*")].filter((element) => roleOf(element) === role && nameOf(element) === name);
  return {
    app,
    world,
    socket: world.socket,
    hear: async (message) => act(() => world.socket.hear(message)),
    has: (role, name) => all(role, name).length > 0,
    find: (role, name) => {
      const [found] = all(role, name);
      if (!found) throw new Error(`no ${role} ${name}`);
      return found;
    },
  };
}

function roleOf(element: HTMLElement): string {
  const natural: Record<string, string> = { BUTTON: "button", NAV: "navigation", TEXTAREA: "textbox", SELECT: "combobox" };
  return element.getAttribute("role") ?? natural[element.tagName] ?? "";
}

function nameOf(element: HTMLElement): string {
  return (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
}

async function openSession(pending: unknown[] = [], scope?: AccessScope): Promise<Page> {
  const page = await open(`#/s/${SESSION}`, scope);
  await page.hear({ type: "session_list", sessions: [session(SESSION, { status: "running", title: "Login test" })] });
  await page.hear({ type: "subscribed", sessionId: SESSION, snapshot: { session: session(SESSION, { status: "running", title: "Login test" }), lastSeq: 0, pending, queue: [] } });
  return page;
}

const REQUEST = {
  id: "p-1",
  toolUseId: "t1",
  toolName: "Bash",
  input: { command: "cargo test \u202e| tee log" },
  kind: "permission",
  inputHash: "abc",
  reason: "no rule allows it",
  rules: [{ rule: "Bash(cargo test)", destination: "localSettings" }],
  parts: [{ text: "cargo test", verdict: "ask" }, { text: "tee log", writes: ["/proj/api/log"], verdict: "ask" }],
  sessionId: SESSION,
  seq: 1,
  time: 0,
};

describe("the page", () => {
  it("has the names that people and tests rely on", async () => {
    const page = await openSession();
    for (const [role, name] of [
      ["navigation", "Sessions"],
      ["button", "New session"],
      ["log", "Conversation"],
      ["textbox", "Message"],
      ["button", "Send"],
      ["button", "Stop"],
      ["status", "Connected"],
    ] as const) {
      expect(page.has(role, name), `${role} ${name}`).toBe(true);
    }
  });

  it("shows that the connection is lost", async () => {
    const page = await openSession();
    await act(() => page.socket.break());
    expect(page.has("status", "Reconnecting")).toBe(true);
    expect(page.has("status", "Connected")).toBe(false);
  });

  it("shows how to pair when the token was revoked", async () => {
    const page = await openSession();
    await act(() => page.socket.break(4401));
    await loaded();
    expect(root!.textContent).toContain("not paired");
    expect(page.has("navigation", "Sessions")).toBe(false);
  });
});

describe("a device with a scope", () => {
  /** Which of the controls each scope has. */
  it.each([
    ["watch", []],
    ["decide", ["Allow once", "Deny"]],
    ["operate", ["Allow once", "Deny", "Always allow", "New session", "Send"]],
    ["admin", ["Allow once", "Deny", "Always allow", "New session", "Send"]],
  ] as const)("that is %s has the controls it may use", async (scope, names) => {
    const page = await openSession([REQUEST], scope);
    const all = ["Allow once", "Deny", "Always allow", "New session", "Send"];
    expect(all.filter((name) => page.has("button", name))).toEqual(names.length === 5 ? all : names);
    const places = [...root!.querySelectorAll("option")].map((option) => option.value);
    expect(places.includes("userSettings")).toBe(scope === "admin");
    const reason = { watch: "can’t decide what the agent asks", decide: "can’t send messages" }[scope as string];
    expect(root!.querySelectorAll(".limited")).toHaveLength(reason ? 1 : 0);
    if (reason) expect(root!.textContent).toContain(`This device ${reason}`);
  });

  it("sees the reason where it may not decide or start", async () => {
    await openSession([REQUEST], "watch");
    expect(root!.textContent).toContain("This device can’t decide what the agent asks: its access is “Watch”");
    if (root) render(null, root);
    await open("#/new", "decide");
    expect(root!.textContent).toContain("This device can’t start sessions");
  });

  it("is listed with what it may do, until when, where, and how it signs in", async () => {
    const page = await open("#/devices", "admin");
    const devices = [
      { deviceId: "d-1", name: "laptop", kind: "device", current: true, scope: "admin", credential: "key" },
      { deviceId: "d-2", name: "CI", kind: "token", scope: "decide", credential: "bearer", expiresAt: 1, root: "/proj/api" },
    ];
    await page.hear({ type: "devices", devices, requestId: page.socket.ofType("list_devices")[0]?.requestId });
    await loaded();
    const [own, other] = [...root!.querySelectorAll(".devices li")].map((row) => row.textContent);
    expect(own).toContain("Full access");
    expect(own).toContain("signs in with a key");
    for (const words of ["Decide", "expired", "only in /proj/api", "signs in with a token"]) expect(other).toContain(words);
  });

  it("is shown when a revocation is not saved yet", async () => {
    const page = await open("#/devices", "admin");
    const devices = [{ deviceId: "d-2", name: "phone", kind: "device", scope: "watch", credential: "key" }];
    await page.hear({ type: "devices", devices, requestId: page.socket.ofType("list_devices")[0]?.requestId });
    await loaded();
    await act(() => page.find("button", "Revoke").click());
    const sure = root!.querySelector("dialog");
    expect(sure?.getAttribute("aria-label")).toBe("Revoke access");
    await act(() => sure!.querySelector<HTMLButtonElement>(".danger")!.click());
    const [asked] = page.socket.ofType("revoke_device");
    expect(asked).toMatchObject({ deviceId: "d-2" });
    await page.hear({ type: "ok", unsaved: "the disk is full", requestId: asked?.requestId });
    await loaded();
    expect(root!.querySelector('[role="alert"]')?.textContent).toContain("not saved yet: the disk is full.");
  });

  it("confirms a consequence, and only then does it", async () => {
    const page = await openSession([REQUEST], "admin");
    const asked = (): Array<Record<string, unknown>> => page.socket.ofType("set_permission_mode");
    await act(() => page.app.do({ type: "set_permission_mode", sessionId: SESSION, mode: "bypassPermissions" }));
    const refuse = async (): Promise<void> => {
      await page.hear({ type: "error", code: "confirmation_required", message: "The agent runs everything. Repeat the request with `confirm` to do it.", confirm: "v-1", requestId: asked().at(-1)?.requestId });
      await loaded();
    };
    await refuse();
    expect(root!.querySelector("dialog")?.getAttribute("aria-label")).toBe("Allow every command without asking?");
    expect(root!.querySelector("dialog")?.textContent).toContain("The agent runs everything.");
    expect(root!.querySelector("dialog")?.textContent).not.toContain("Repeat");
    await act(() => page.find("button", "Cancel").click());
    expect(asked()).toHaveLength(1);
    await act(() => page.app.do({ type: "set_permission_mode", sessionId: SESSION, mode: "bypassPermissions" }));
    await refuse();
    await act(() => page.find("button", "Allow everything").click());
    expect(asked().at(-1)).toMatchObject({ mode: "bypassPermissions", confirm: "v-1" });
  });
});

describe("a permission", () => {
  it("shows all of what would run, and what hides in it", async () => {
    const page = await openSession([REQUEST]);
    const region = page.find("region", "Permission needed");
    expect(region.querySelector(".exact")?.textContent).toBe("cargo test U+202E| tee log");
    expect(region.textContent).toContain("invisible characters");
    expect(region.textContent).toContain("no rule allows it");
    expect(region.textContent).toContain("Bash(cargo test)");
    expect(region.querySelectorAll(".parts > ol > li")).toHaveLength(2);
  });

  it("is allowed once, bound to what was shown", async () => {
    const page = await openSession([REQUEST]);
    await act(() => page.find("button", "Allow once").click());
    expect(page.socket.ofType("approve")).toMatchObject([{ id: "p-1", sessionId: SESSION, inputHash: "abc" }]);
    // A second press while the first is on its way sends nothing.
    await act(() => page.find("button", "Allow once").click());
    expect(page.socket.ofType("approve")).toHaveLength(1);
  });

  it("is always allowed with the rules that were shown", async () => {
    const page = await openSession([REQUEST]);
    await act(() => page.find("button", "Always allow").click());
    expect(page.socket.ofType("approve_always")).toMatchObject([{ rules: ["Bash(cargo test)"], destination: "localSettings", inputHash: "abc" }]);
  });

  it("is always allowed with the edited rules", async () => {
    const page = await openSession([REQUEST]);
    const field = root!.querySelector<HTMLInputElement>(".rule-row input")!;
    await act(() => {
      field.value = "Bash(cargo:*)";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await act(() => page.find("button", "Always allow").click());
    expect(page.socket.ofType("approve_always")).toMatchObject([{ rules: ["Bash(cargo:*)"] }]);
  });

  it("is denied, with what to do instead", async () => {
    const page = await openSession([REQUEST]);
    await act(() => page.find("button", "Add a reason").click());
    const field = root!.querySelector<HTMLTextAreaElement>(".decision textarea")!;
    await act(() => {
      field.value = "Use staging";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await act(() => page.find("button", "Deny").click());
    expect(page.socket.ofType("reject")).toMatchObject([{ id: "p-1", message: "Use staging" }]);
  });

  it("disappears when another client decides, and the call shows who", async () => {
    const page = await openSession();
    for (const message of new Story().call("t1", "Bash", { command: "ls" }).ask("p-1", "t1").reported) await page.hear(message as never);
    expect(page.has("region", "Permission needed")).toBe(true);
    await page.hear({ type: "permission_resolved", id: "p-1", toolUseId: "t1", decision: "allowed", by: { kind: "device", deviceId: "d-2", name: "phone" }, sessionId: SESSION, seq: 3, time: 0 });
    expect(page.has("region", "Permission needed")).toBe(false);
    expect(page.app.conversations.get(SESSION).value.fold.calls.size).toBe(1);
  });

  it("offers no rule where none may be made", async () => {
    const page = await openSession([{ ...REQUEST, onceOnly: true }]);
    expect(page.has("button", "Always allow")).toBe(false);
  });

  it("is one of several", async () => {
    const page = await openSession([REQUEST, { ...REQUEST, id: "p-2", input: { command: "second" } }]);
    expect(root!.textContent).toContain("1 of 2");
    await act(() => page.find("button", "Next decision").click());
    expect(page.find("region", "Permission needed").querySelector(".exact")?.textContent).toBe("second");
  });

  it("is decided with keys", async () => {
    const page = await openSession([REQUEST]);
    await act(() => {
      document.dispatchEvent(new KeyboardEvent("keydown", { code: "KeyN", altKey: true }));
    });
    expect(page.socket.ofType("reject")).toHaveLength(1);
  });
});

describe("an unconfirmed message", () => {
  const resend = { ...REQUEST, kind: "resend", toolUseId: "p-1", toolName: "", input: { inputId: "i-1", text: "Deploy\nto staging" }, parts: undefined, rules: undefined, reason: undefined };

  it("is shown, and sent again", async () => {
    const page = await openSession([resend], "operate");
    const region = page.find("region", "Sent, but not confirmed");
    expect(region.querySelector("blockquote")?.textContent).toBe("Deploy\nto staging");
    expect(page.has("button", "Always allow")).toBe(false);
    await act(() => page.find("button", "Send again").click());
    await act(() => page.find("button", "Send again").click());
    expect(page.socket.ofType("approve")).toMatchObject([{ id: "p-1", sessionId: SESSION, inputHash: "abc" }]);
  });

  it("is dropped", async () => {
    const page = await openSession([resend], "operate");
    await act(() => page.find("button", "Discard").click());
    expect(page.socket.ofType("reject")).toMatchObject([{ id: "p-1", sessionId: SESSION, inputHash: "abc" }]);
    expect(page.socket.ofType("approve")).toHaveLength(0);
  });

  it("can only be dropped by a device that may not write", async () => {
    const page = await openSession([resend], "decide");
    expect(page.has("button", "Send again")).toBe(false);
    expect(page.has("button", "Discard")).toBe(true);
    expect(page.find("region", "Sent, but not confirmed").textContent).toContain("This device can’t send messages");
  });

  it("is withdrawn when another device decides", async () => {
    const page = await openSession();
    for (const message of new Story().user("Deploy").ask("p-1", "p-1", { kind: "resend", toolName: "", input: { inputId: "i-0", text: "Deploy" } }).reported) await page.hear(message as never);
    expect(page.has("region", "Sent, but not confirmed")).toBe(true);
    const message = (): string | null | undefined => root!.querySelector("article.user footer")?.textContent;
    expect(message()).toContain("Not confirmed");
    await page.hear({ type: "permission_resolved", id: "p-1", toolUseId: "p-1", decision: "denied", by: { kind: "device", deviceId: "d-2", name: "phone" }, sessionId: SESSION, seq: 3, time: 0 });
    expect(page.has("region", "Sent, but not confirmed")).toBe(false);
    expect(message()).not.toContain("Not confirmed");
    expect(root!.textContent).toContain("Discarded by phone");
  });
});

describe("an agent that does not respond", () => {
  const status = async (page: Page, status: string, message?: string): Promise<void> => page.hear({ type: "status", sessionId: SESSION, status, since: 5, ...(message ? { message } : {}) });

  it("is announced in the bridge’s words until it responds", async () => {
    const page = await openSession();
    await status(page, "unreachable", "The agent’s process is frozen; 2 messages wait.");
    expect(root!.querySelector(".session-head")?.textContent).toContain("Not responding");
    expect(page.has("status", "The agent’s process is frozen; 2 messages wait.")).toBe(true);
    // Messages can still be sent: they wait.
    expect(page.has("button", "Send")).toBe(true);
    await status(page, "running");
    expect(root!.textContent).not.toContain("frozen");
  });

  it("is announced where the bridge gave no words, as after the page was opened", async () => {
    const page = await openSession();
    await status(page, "unreachable");
    expect(root!.textContent).toContain("The agent’s process does not respond. Messages wait");
  });
});

describe("a question", () => {
  const question = { ...REQUEST, kind: "question", toolName: "AskUserQuestion", input: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }, { question: "What else?", multiSelect: true, options: [{ label: "x" }, { label: "y" }] }] } };

  it("is answered when every part of it is", async () => {
    const page = await openSession([question]);
    const submit = page.find("button", "Submit answers") as HTMLButtonElement;
    expect(submit.disabled).toBe(true);
    const boxes = [...page.find("region", "Question").querySelectorAll("input")];
    for (const label of ["B", "x", "y"]) await act(() => boxes.find((box) => box.ariaLabel === label || box.getAttribute("aria-label") === label)!.click());
    await act(() => page.find("button", "Submit answers").click());
    expect(page.socket.ofType("answer")).toMatchObject([{ toolUseId: "p-1", answers: { "Which?": "B", "What else?": "x, y" } }]);
  });
});

describe("a plan", () => {
  const plan = { ...REQUEST, kind: "plan", toolName: "ExitPlanMode", input: { plan: "# Do it" }, modes: ["default", "acceptEdits"] };

  it("is approved into a mode, or sent back", async () => {
    const page = await openSession([plan]);
    await act(() => page.find("button", "Approve, then: Accept edits").click());
    expect(page.socket.ofType("approve")).toMatchObject([{ mode: "acceptEdits" }]);
  });

  it("is sent back with what should change", async () => {
    const page = await openSession([plan]);
    await act(() => page.find("button", "Keep planning").click());
    const field = root!.querySelector<HTMLTextAreaElement>(".decision textarea")!;
    await act(() => {
      field.value = "Smaller steps";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await act(() => page.find("button", "Keep planning").click());
    expect(page.socket.ofType("reject")).toMatchObject([{ message: "Smaller steps" }]);
  });
});

describe("the composer", () => {
  it("sends, and shows the words until the conversation has them", async () => {
    const page = await openSession();
    const field = page.find("textbox", "Message") as HTMLTextAreaElement;
    await act(() => {
      field.value = "Run the tests";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await act(() => page.find("button", "Send").click());
    expect(page.socket.ofType("input")).toMatchObject([{ text: "Run the tests", clientMessageId: "c-1", sessionId: SESSION }]);
    expect(root!.querySelector(".unsent")?.textContent).toContain("Run the tests");
    await page.hear({ type: "user_input", text: "Run the tests", id: "i", clientMessageId: "c-1", source: "client", sessionId: SESSION, seq: 1, time: 0 });
    expect(root!.querySelector(".unsent")).toBeNull();
  });

  it("stops the turn", async () => {
    const page = await openSession();
    await act(() => page.find("button", "Stop").click());
    expect(page.socket.ofType("interrupt")).toMatchObject([{ sessionId: SESSION }]);
  });

  it("shows what waits, and lets it be taken out", async () => {
    const page = await openSession();
    await page.hear({ type: "queue", sessionId: SESSION, inputs: [{ id: "i-1", text: "Later", time: 0 }] });
    await act(() => page.find("button", "Delete").click());
    expect(page.socket.ofType("cancel_queued_input")).toMatchObject([{ inputId: "i-1" }]);
  });
});
