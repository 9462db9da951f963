// Every state of the page is accessible: axe checks each, at both sizes, light and dark.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device, Size } from "./browser.ts";
import { providing } from "./scenario/trust.ts";
import { World } from "./world.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const ANSWER = "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn a() {}\n```\n\n- [x] done\n- [ ] to do\n\n> quoted [link](https://example.org)";
const QUESTIONS = [{ question: "Which?", header: "Pick", multiSelect: false, options: [{ label: "A", description: "first", preview: "`a`" }, { label: "B", description: "second" }] }];

/** A state, and the way to it. It may give a way out. */
type State = readonly [string, (device: Device) => Promise<unknown>];

function states(world: World): readonly State[] {
  const go = (path: string, device: Device): Promise<unknown> => device.page.goto(`${world.bridge.origin}/#/${path}`);
  const begin = (device: Device, script = "", mode?: string): Promise<string> => device.start(world.bridge.project, script, mode);
  const deny = async (device: Device): Promise<void> => {
    await device.button("Deny").click();
    await device.idle();
  };
  return [
    ["an empty list", (device) => go("", device)],
    [
      "a new session",
      async (device) => {
        await go("new", device);
        await device.button("Choose a folder").click();
        await device.page.locator(".folders li").first().waitFor();
      },
    ],
    [
      "a folder to be trusted",
      async (device) => {
        await device.begin(providing(world, "to-be-trusted", "curl https://example.org/install | sh"));
        await device.button("Trust and start").waitFor();
        return () => device.button("Cancel").click();
      },
    ],
    ["an empty conversation", (device) => begin(device)],
    [
      "a conversation",
      async (device) => {
        const todos = [{ content: "Fix it", status: "in_progress", activeForm: "Fixing it" }];
        const edit = { file_path: join(world.bridge.project, "main.rs"), old_string: "hello", new_string: "hallo" };
        const script = [`@blocks ${JSON.stringify([{ type: "thinking", thinking: "Hm." }, { type: "text", text: ANSWER }, { type: "tool_use", name: "Read", input: { file_path: join(world.bridge.project, "main.rs") } }])}`, world.command("ls nowhere"), world.tool("Edit", edit), world.tool("TodoWrite", { todos }), "@say end"];
        writeFileSync(join(world.bridge.project, "main.rs"), 'fn main() {\n    println!("hello");\n}\n');
        await begin(device, script.join("\n"), "acceptEdits");
        await device.answers.getByText("end", { exact: true }).waitFor();
        await device.idle();
        await device.log.getByRole("button", { name: /Read/ }).click();
        await device.page.getByRole("region", { name: "To-dos" }).getByRole("button").click();
      },
    ],
    [
      "a permission",
      async (device) => {
        await begin(device, world.command("touch a && cat b | tee c"));
        await device.region("Permission needed").getByText("“Always allow” adds").click();
        await device.button("Add a reason").click();
        return () => deny(device);
      },
    ],
    [
      "a change to decide about",
      async (device) => {
        await begin(device, world.tool("Write", { file_path: join(world.bridge.project, "new.rs"), content: "fn new() {}\n" }));
        await device.region("Permission needed").waitFor();
        return () => deny(device);
      },
    ],
    [
      "a question",
      async (device) => {
        await begin(device, world.tool("AskUserQuestion", { questions: QUESTIONS }));
        await device.region("Question").getByLabel("A", { exact: true }).check();
        return () => device.button("Submit answers").click();
      },
    ],
    [
      "a plan",
      async (device) => {
        await begin(device, world.tool("ExitPlanMode", { plan: "# Plan\n\n1. Step" }), "plan");
        await device.button("Keep planning").click();
        return () => device.button("Approve").click();
      },
    ],
    [
      "a queue",
      async (device) => {
        const gate = world.bridge.gate();
        await begin(device, world.command(gate.command));
        await device.button("Stop").waitFor();
        for (const text of ["one", "two"]) await device.say(`@say ${text}`);
        const queue = device.page.getByRole("list", { name: "Queued" });
        await queue.getByRole("listitem").nth(1).waitFor();
        await queue.getByRole("listitem").first().getByRole("button", { name: "Edit" }).click();
        return () => gate.open();
      },
    ],
    [
      "no connection",
      async (device) => {
        await begin(device);
        await device.context.setOffline(true);
        await device.status("Reconnecting").waitFor();
        await device.say("@say later");
        await device.log.getByText("Not sent yet").waitFor();
        return async () => {
          await device.context.setOffline(false);
          await device.status("Connected").waitFor();
        };
      },
    ],
    [
      "a failed turn",
      async (device) => {
        await begin(device, "@fail 400 1 nothing");
        await device.log.locator(".turn-end.failure").waitFor();
      },
    ],
    [
      "a menu",
      async (device) => {
        await begin(device);
        await device.button("Session actions").click();
        return () => device.page.keyboard.press("Escape");
      },
    ],
    [
      "a dialog",
      async (device) => {
        await begin(device);
        await device.button("Session actions").click();
        await device.page.getByRole("menuitem", { name: "Rename" }).click();
        return () => device.page.keyboard.press("Escape");
      },
    ],
    [
      "the keys",
      async (device) => {
        await go("", device);
        await device.page.locator("body").press("?");
        await device.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
        return () => device.page.keyboard.press("Escape");
      },
    ],
    [
      "a list",
      async (device) => {
        await go("", device);
        await device.page.getByRole("heading", { name: "Idle" }).waitFor();
      },
    ],
    ["hits", (device) => go("search?q=later", device).then(() => device.page.locator(".hits li, .page-wait").first().waitFor())],
    ["nothing found", (device) => go("search?q=nobodysaidthis", device).then(() => device.page.getByText("Nothing found.").waitFor())],
    [
      "changes, and a file",
      async (device) => {
        await begin(device);
        await device.page.getByRole("link", { name: "Changes" }).click();
        await device.page.locator(".changed-file").first().waitFor();
      },
    ],
    [
      "a file",
      async (device) => {
        const id = await begin(device);
        await go(`s/${id}/file?path=main.rs&line=2`, device);
        await device.page.locator(".file-lines").waitFor();
      },
    ],
    ["usage", (device) => go("usage", device).then(() => device.page.locator(".totals").waitFor())],
    ["settings", (device) => go("settings", device).then(() => device.page.getByRole("heading", { name: "About" }).waitFor())],
    [
      "a pairing link to be made",
      async (device) => {
        await go("devices", device);
        await device.button("Pair a device").click();
        await device.button("Create link").waitFor();
        return () => device.button("Cancel").click();
      },
    ],
    [
      "a consequence to be confirmed",
      async (device) => {
        await go("", device);
        await go("devices", device);
        await device.button("Pair a device").click();
        await device.button("Create link").click();
        await device.button("Pair").waitFor();
        return () => device.button("Cancel").click();
      },
    ],
    [
      "a pairing",
      async (device) => {
        await go("devices", device);
        await device.button("Pair a device").click();
        await device.button("Create link").click();
        await device.button("Pair").click();
        await device.page.locator(".pairing-link").waitFor();
        return () => device.page.keyboard.press("Escape");
      },
    ],
  ];
}

describe.each(["phone", "desktop"] satisfies Size[])("on a %s", (size) => {
  const world = new World(size);
  let device: Device;
  beforeAll(async () => {
    // Only the checker needs more than the page's policy allows.
    device = await world.open({ bypassCSP: true });
  });
  afterAll(() => device?.close());

  it("before pairing", async () => {
    const stranger = await world.open({ link: null, bypassCSP: true });
    await stranger.page.getByRole("heading", { name: "This device is not paired" }).waitFor();
    expect(await found(stranger)).toEqual([]);
    await stranger.close();
  });

  it("with less than full access", async () => {
    const { bridge } = world;
    const limited = async (scope: string): Promise<Device> => world.open({ link: await bridge.pairingLink(scope), bypassCSP: true });
    const id = await device.start(bridge.project, world.command("touch limited.txt"));
    const watcher = await limited("watch");
    await watcher.page.goto(`${bridge.origin}/#/s/${id}`);
    await watcher.page.getByText("This device can’t decide").waitFor();
    expect(await found(watcher)).toEqual([]);
    const decider = await limited("decide");
    await decider.page.goto(`${bridge.origin}/#/s/${id}`);
    await decider.region("Permission needed").waitFor();
    expect(await found(decider)).toEqual([]);
    await decider.button("Deny").click();
    await decider.page.goto(`${bridge.origin}/#/devices`);
    await decider.page.getByText("This device can’t manage devices").waitFor();
    expect(await found(decider)).toEqual([]);
    const operator = await limited("operate");
    await operator.begin(providing(world, "to-be-reviewed"));
    await operator.button("Start without it").waitFor();
    expect(await found(operator)).toEqual([]);
    for (const one of [watcher, decider, operator]) await one.close();
  });

  it("a folder that changed", async () => {
    const folder = providing(world, "changing");
    await device.begin(folder);
    await device.button("Trust and start").click();
    await device.message.waitFor();
    providing(world, "changing", "curl https://example.org/install | sh");
    await device.begin(folder);
    await device.page.getByRole("dialog", { name: "Trust what changed in this folder?" }).waitFor();
    expect(await found(device)).toEqual([]);
    await device.button("Cancel").click();
  });

  it.each(states(world))("%s", async (_, reach) => {
    const leave = await reach(device);
    expect(await found(device)).toEqual([]);
    if (typeof leave === "function") await leave();
  });
});

/** What axe finds that is serious or critical, light and dark. */
async function found({ page }: Device): Promise<string[]> {
  await page.evaluate(AXE);
  const all: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const serious = await page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: { run(): Promise<{ violations: Array<{ id: string; impact: string; nodes: Array<{ html: string; failureSummary?: string }> }> }> } }).axe.run();
      return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
    });
    all.push(...serious.map((one) => `${colorScheme}: ${one}`));
  }
  return all;
}
