// What the page may cost in bytes and memory. What it costs in time is for `npm run budget`.

import { expect, it } from "vitest";
import { World } from "./world.ts";

/** Compressed, before any user input. */
const FIRST_LOAD_BYTES = 100 * 1024;
/** What is drawn of a conversation, however long it is. */
const MOST_ROWS = 80;
/** What a conversation may keep of each thousand events beyond those that are held. */
const LEAK_BYTES = 4_000_000;

const world = new World("phone");

it("the first visit loads little", async () => {
  const { bridge } = world;
  // The key of a paired browser can't be copied into another: this one is paired, and then loads everything again.
  const fresh = await world.open({ serviceWorkers: "block" });
  const { page } = fresh;
  await page.goto("about:blank");
  const session = await fresh.context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  let bytes = 0;
  session.on("Network.dataReceived", (event) => {
    bytes += event.encodedDataLength;
  });
  await page.goto(bridge.origin);
  await page.getByRole("status", { name: "Connected" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
  await fresh.close();
});

it("a long conversation costs no more than what is visible", async () => {
  const { device, bridge } = world;
  const calls = Array.from({ length: 250 }, (_, at) => ["Read", { file_path: `${bridge.project}/main.rs`, limit: (at % 3) + 1 }]);
  await device.start(bridge.project);
  const heap = async (): Promise<number> => {
    const session = await device.context.newCDPSession(device.page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize;
  };
  const round = async (name: string): Promise<void> => {
    await device.say(`@tools ${JSON.stringify(calls)}\n@say ${name}`);
    await device.answers.getByText(name, { exact: true }).waitFor();
    await device.idle();
  };
  await round("First round.");
  await round("Second round.");
  const before = await heap();
  await round("Third round.");
  await round("Fourth round.");
  expect(await device.page.locator(".row").count()).toBeLessThan(MOST_ROWS);
  expect((await heap()) - before).toBeLessThan(LEAK_BYTES);
});
