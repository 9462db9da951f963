// What the page may cost: bytes, time, memory; and that everybody can use it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bridge } from "./bridge.ts";
import { Device, launch, type Size } from "./browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Compressed, before anybody does anything. */
const FIRST_LOAD_BYTES = 100 * 1024;
/** The main thread's own work in one go: a busy machine makes it wait, which is not the page's fault. */
const LONGEST_TASK_MS = 50;

let browser: Browser;
let bridge: Bridge;
beforeAll(async () => {
  [browser, bridge] = await Promise.all([launch(), Bridge.start()]);
});
afterAll(async () => {
  await browser?.close();
  await bridge?.stop();
});

it("the first visit loads little", async () => {
  const device = await Device.open(browser, bridge, "phone");
  const fresh = await browser.newContext({ storageState: await device.context.storageState(), serviceWorkers: "block" });
  const page = await fresh.newPage();
  const session = await fresh.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => {
    bytes += event.encodedDataLength;
  });
  await page.goto(bridge.origin);
  await page.getByRole("status", { name: "Connected" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
  await fresh.close();
  await device.close();
});

// Other work on the machine only ever adds: one good run of three shows what the page costs.
it("a long answer streams without holding up the page", { retry: 2 }, async () => {
  const device = await Device.open(browser, bridge, "phone");
  const lines = Array.from({ length: 2000 }, (_, at) => (at % 40 === 0 ? `\n## Part ${at / 40}\n` : at % 13 === 0 ? `\`\`\`rust\nfn f${at}() -> u32 { ${at} }\n\`\`\`` : `Line ${at} of a long answer with **bold** and \`code\`.\n`));
  const id = await device.start(bridge.project);
  const tasks = await longestTasks(browser, device.page, async () => {
    await bridge.ask("POST", `/sessions/${id}/inputs`, { text: `@delta 120 0.004\n@blocks ${JSON.stringify([{ type: "text", text: lines.join("\n") }])}` });
    // Nothing looks at the page meanwhile: looking costs the page time.
    await bridge.idle(id);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  });
  await device.log.getByText("Line 1999").waitFor();
  expect(tasks[0]!.ms, tasks[0]!.what).toBeLessThan(LONGEST_TASK_MS);
  await device.close();
});

describe("a long conversation", () => {
  it("scrolls without end, keeps its place, and memory stays", async () => {
    const device = await Device.open(browser, bridge, "phone");
    const calls = Array.from({ length: 1500 }, (_, at) => ["Read", { file_path: `${bridge.project}/main.rs`, limit: (at % 3) + 1 }]);
    await device.start(bridge.project);
    const heap = async (): Promise<number> => {
      const session = await device.context.newCDPSession(device.page);
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      await session.detach();
      return usedSize;
    };
    for (let at = 0; at < 1500; at += 500) {
      await device.say(`@tools ${JSON.stringify(calls.slice(at, at + 500))}\n@say Round ${at}.`);
      await device.log.getByText(`Round ${at}.`, { exact: true }).waitFor();
      await device.idle();
    }
    const before = await heap();
    expect(await device.page.locator(".row").count()).toBeLessThan(80);
    for (let step = 0; step < 40; step++) {
      await device.log.evaluate((box) => {
        box.dispatchEvent(new WheelEvent("wheel"));
        box.scrollTop -= 3000;
      });
      await device.page.waitForTimeout(20);
    }
    const place = async (): Promise<string> =>
      device.page.evaluate(() => {
        const edge = document.querySelector(".log")!.getBoundingClientRect().top;
        const row = [...document.querySelectorAll<HTMLElement>(".row")].find((one) => one.getBoundingClientRect().bottom > edge + 1)!;
        return `${row.dataset.key} ${Math.round(row.getBoundingClientRect().top / 4)}`;
      });
    const held = await place();
    // Somebody else goes on talking; the reader stays where they are, and is told.
    const id = /#\/s\/([^/?]+)/.exec(device.page.url())![1]!;
    await bridge.ask("POST", `/sessions/${id}/inputs`, { text: "@say News." });
    await device.button("New messages").waitFor();
    expect(await place()).toBe(held);
    await device.button("New messages").click();
    await device.log.getByText("News.", { exact: true }).waitFor();
    expect(await heap()).toBeLessThan(before * 2 + 10_000_000);
    await device.close();
  });
});

/** States in which everybody must be able to use the page. */
const STATES: ReadonlyArray<readonly [string, (device: Device) => Promise<void>]> = [
  ["list", async (device) => device.page.goto(`${bridge.origin}/#/`).then(() => undefined)],
  ["new session", async (device) => device.page.goto(`${bridge.origin}/#/new`).then(() => undefined)],
  [
    "conversation",
    async (device) => {
      await device.start(bridge.project, `@blocks ${JSON.stringify([{ type: "thinking", thinking: "Hm." }, { type: "text", text: "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn a() {}\n```\n\n- [x] done" }, { type: "tool_use", name: "Read", input: { file_path: `${bridge.project}/main.rs` } }])}\n@say end`);
      await device.idle();
    },
  ],
  [
    "permission",
    async (device) => {
      await device.start(bridge.project, `@tool Bash ${JSON.stringify({ command: "touch a && rm -rf b | tee c" })}`);
      await device.region("Permission needed").waitFor();
    },
  ],
  [
    "question",
    async (device) => {
      await device.start(bridge.project, `@tool AskUserQuestion ${JSON.stringify({ questions: [{ question: "Which?", header: "Pick", multiSelect: false, options: [{ label: "A", description: "first" }, { label: "B", description: "second" }] }] })}`);
      await device.region("Question").waitFor();
    },
  ],
  ["usage", async (device) => device.page.goto(`${bridge.origin}/#/usage`).then(() => undefined)],
  ["devices", async (device) => device.page.goto(`${bridge.origin}/#/devices`).then(() => undefined)],
  ["settings", async (device) => device.page.goto(`${bridge.origin}/#/settings`).then(() => undefined)],
];

describe.each([
  ["phone", "light"],
  ["desk", "dark"],
] satisfies Array<[Size, "light" | "dark"]>)("on a %s in %s", (size, colorScheme) => {
  let device: Device;
  beforeAll(async () => {
    // Only the checker needs more than the page's policy allows.
    device = await Device.open(browser, bridge, size, { colorScheme, bypassCSP: true });
  });
  afterAll(() => device?.close());

  it.each(STATES)("axe finds nothing serious: %s", async (_, reach) => {
    await reach(device);
    await device.page.waitForLoadState("networkidle");
    await device.page.evaluate(AXE);
    const found = await device.page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: { run(): Promise<{ violations: Array<{ id: string; impact: string; nodes: Array<{ html: string }> }> }> } }).axe.run();
      return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    expect(found).toEqual([]);
  });
});

/** What the page's main thread did in one go, in milliseconds of its own time, longest first. */
async function longestTasks(of: Browser, page: Page, during: () => Promise<void>): Promise<Array<{ ms: number; what: string }>> {
  interface Entry {
    name: string;
    ph: string;
    pid: number;
    tid: number;
    ts: number;
    dur?: number;
    tdur?: number;
    args?: { name?: string; data?: { url?: string } };
  }
  const session = await of.newBrowserCDPSession();
  const entries: Entry[] = [];
  session.on("Tracing.dataCollected", (event) => entries.push(...(event.value as unknown as Entry[])));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] } });
  await during();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  const script = await page.evaluate(() => document.querySelector<HTMLScriptElement>("script[src]")!.src);
  const call = entries.find((entry) => entry.name === "FunctionCall" && entry.args?.data?.url === script);
  const mine = entries.filter((entry) => entry.pid === call?.pid && entry.tid === call.tid && entry.ph === "X");
  const tasks = mine.filter((entry) => /RunTask$/.test(entry.name)).sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0));
  expect(tasks.length).toBeGreaterThan(50);
  return tasks.slice(0, 5).map((task) => {
    const inside = mine.filter((entry) => entry !== task && entry.ts >= task.ts && entry.ts < task.ts + (task.dur ?? 0) && (entry.tdur ?? 0) > 3000);
    return { ms: (task.tdur ?? 0) / 1000, what: inside.map((entry) => `${entry.name} ${((entry.tdur ?? 0) / 1000).toFixed(1)}`).join(", ") };
  });
}
