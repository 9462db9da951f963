import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import type { SessionInfo } from "aqueduct-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { App } from "../src/store/app.ts";
import { defaults } from "../src/store/preferences.ts";
import { Router } from "../src/store/route.ts";
import { McpDialog } from "../src/view/page/mcp.tsx";
import { AppContext } from "../src/view/part/context.ts";
import { hello, Memory, World } from "./world.ts";

const SERVERS = [
  { name: "docs", status: "needs-auth", error: "HTTP 401", transport: "http" },
  { name: "files", status: "connected", transport: "stdio", tools: 11 },
  { name: "wiki", status: "connected", transport: "http", tools: 2 },
];

let root: HTMLElement;
let world: World;
let closed: number;

beforeEach(() => {
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement): void {
    this.open = true;
  };
  world = new World();
  closed = 0;
  root = document.createElement("div");
  document.body.append(root);
});

afterEach(() => {
  render(null, root);
  root.remove();
});

async function open(change: Record<string, unknown> = {}): Promise<void> {
  const app = new App({ around: world, keep: new Memory(), router: new Router(window), preferences: signal(defaults(false)), frame: (call) => call(), uuid: () => "c-1" });
  app.connection.start();
  await act(async () => {
    world.socket.hear({ ...hello(), ...change });
    await Promise.resolve();
  });
  await act(() => {
    render(
      <AppContext.Provider value={app}>
        <McpDialog session={{ sessionId: "s-1" } as SessionInfo} onClose={() => { closed += 1; }} />
      </AppContext.Provider>,
      root,
    );
  });
  await answer("list_mcp_servers", { type: "mcp_servers", sessionId: "s-1", servers: SERVERS });
}

/** Answers the newest message of a type. */
async function answer(type: string, reply: Record<string, unknown>): Promise<void> {
  const asked = world.socket.ofType(type).at(-1);
  if (!asked) throw new Error(`no request of type ${type}`);
  await act(async () => {
    world.socket.hear({ ...reply, requestId: asked.requestId });
    await Promise.resolve();
  });
  await act(() => vi.dynamicImportSettled());
}

function buttons(): string[] {
  return [...root.querySelectorAll("li button")].map((button) => button.textContent ?? "");
}

async function press(name: string): Promise<void> {
  const found = [...root.querySelectorAll("button")].find((button) => button.textContent === name);
  if (!found) throw new Error(`no button ${name}`);
  await act(async () => {
    found.click();
    await Promise.resolve();
  });
}

describe("the MCP servers of a session", () => {
  it("are signed in to with the address that the browser ended on", async () => {
    await open();
    expect(root.textContent).toContain("needs a sign-in");
    expect(buttons()).toEqual(["Sign in", "Sign out"]);
    await press("Sign in");
    expect(world.socket.ofType("sign_in_mcp_server")).toMatchObject([{ sessionId: "s-1", server: "docs" }]);
    await answer("sign_in_mcp_server", { type: "mcp_sign_in", sessionId: "s-1", server: "docs", url: "https://auth.example.com/authorize?x=1" });
    const link = root.querySelector<HTMLAnchorElement>("li a")!;
    expect([link.href, link.target, link.rel]).toEqual(["https://auth.example.com/authorize?x=1", "_blank", "noopener noreferrer"]);
    const input = root.querySelector("input")!;
    await act(() => {
      input.value = " http://localhost:4000/callback?code=c&state=s ";
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await press("Finish sign-in");
    expect(world.socket.ofType("finish_mcp_sign_in")).toMatchObject([{ server: "docs", callbackUrl: "http://localhost:4000/callback?code=c&state=s" }]);
    await answer("finish_mcp_sign_in", { type: "ok" });
    expect(world.socket.ofType("list_mcp_servers")).toHaveLength(2);
    expect(root.querySelector("li a")).toBeNull();
  });

  it("never make a link that runs a script", async () => {
    await open();
    await press("Sign in");
    await answer("sign_in_mcp_server", { type: "mcp_sign_in", sessionId: "s-1", server: "docs", url: "javascript:alert(1)" });
    expect(root.querySelector("li a")).toBeNull();
    expect(root.textContent).toContain("javascript:alert(1)");
  });

  it("are signed out of", async () => {
    await open();
    await press("Sign out");
    expect(world.socket.ofType("sign_out_mcp_server")).toMatchObject([{ sessionId: "s-1", server: "wiki" }]);
  });

  it("are only shown to a device that watches", async () => {
    await open({ device: hello("s-1", "watch").device });
    expect(root.textContent).toContain("needs a sign-in");
    expect(buttons()).toEqual([]);
    expect(closed).toBe(0);
  });
});
