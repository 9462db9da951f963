// What goes wrong between a phone and an agent, and what must not come of it.

import { readdirSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bridge } from "./bridge.ts";
import { Device, launch } from "./browser.ts";

let browser: Browser;
let bridge: Bridge;
beforeAll(async () => {
  [browser, bridge] = await Promise.all([launch(), Bridge.start()]);
});
afterAll(async () => {
  await browser?.close();
  await bridge?.stop();
});

describe("a connection", () => {
  it("that is cut in the middle of an answer loses nothing and doubles nothing", async () => {
    const device = await Device.open(browser, bridge, "phone");
    await device.start(bridge.project, "@slow 80 0.1");
    await device.log.getByText("w5").waitFor();
    await device.context.setOffline(true);
    await device.status("Reconnecting").waitFor();
    // What is said now waits here, and says so.
    await device.say("@say afterwards");
    await device.log.getByText("Not sent yet").waitFor();
    await device.context.setOffline(false);
    await device.status("Connected").waitFor();
    await device.log.getByText("w78 w79").waitFor();
    await device.log.getByText("afterwards", { exact: true }).waitFor();
    await device.idle();
    const text = await device.log.innerText();
    expect(text.match(/w0 w1/g)).toHaveLength(1);
    expect(text.match(/@say afterwards/g)).toHaveLength(1);
    await device.close();
  });

  it("whose bridge is killed under a turn shows the rest of it", async () => {
    const device = await Device.open(browser, bridge, "phone");
    await device.start(bridge.project, "@slow 80 0.1");
    await device.log.getByText("w5").waitFor();
    await bridge.kill();
    await device.status("Reconnecting").waitFor();
    await bridge.up();
    await device.status("Connected").waitFor();
    await device.log.getByText("w78 w79").waitFor();
    await device.idle();
    expect((await device.log.innerText()).match(/w0 w1/g)).toHaveLength(1);
    await device.say("@say Alive.");
    await device.log.getByText("Alive.", { exact: true }).waitFor();
    await device.close();
  });

  it("whose bridge is killed while it asks offers the question again", async () => {
    const device = await Device.open(browser, bridge, "phone");
    await device.start(bridge.project, `@tool Bash ${JSON.stringify({ command: "touch after-crash.txt" })}\n@say Done.`);
    await device.region("Permission needed").waitFor();
    await bridge.kill();
    await bridge.up();
    await device.status("Connected").waitFor();
    await device.button("Allow once").click();
    await device.log.getByText("Done.", { exact: true }).waitFor();
    expect(readdirSync(bridge.project)).toContain("after-crash.txt");
    await device.close();
  });

  it("that is not there leaves the page whole", async () => {
    const device = await Device.open(browser, bridge, "desk");
    await device.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await bridge.kill();
    await device.page.reload();
    await device.page.getByRole("navigation", { name: "Sessions" }).waitFor();
    await bridge.up();
    await device.status("Connected").waitFor();
    await device.close();
  });
});

describe("two devices", () => {
  it("decide at once: one counts, both see who", async () => {
    const [phone, desk] = await Promise.all([Device.open(browser, bridge, "phone"), Device.open(browser, bridge, "desk")]);
    const id = await phone.start(bridge.project, `@tool Bash ${JSON.stringify({ command: "touch both.txt" })}\n@say Decided.`);
    await desk.page.goto(`${bridge.origin}/#/s/${id}`);
    await desk.button("Deny").waitFor();
    await phone.button("Allow once").waitFor();
    // Without the checks that people's fingers don't make: whoever is second finds the button gone.
    await Promise.allSettled([phone.button("Allow once"), desk.button("Deny")].map((button) => button.dispatchEvent("click", undefined, { timeout: 2000 })));
    for (const device of [phone, desk]) {
      await device.region("Permission needed").waitFor({ state: "detached" });
      await device.log.locator(".decided").first().waitFor();
    }
    const words = await Promise.all([phone, desk].map((device) => device.log.locator(".decided").first().innerText()));
    expect(words[0]!.split(" ")[0]).toBe(words[1]!.split(" ")[0]);
    expect(words.filter((word) => word.includes("by you"))).toHaveLength(1);
    await Promise.all([phone.close(), desk.close()]);
  });

  it("see the same words as they come", async () => {
    const [phone, desk] = await Promise.all([Device.open(browser, bridge, "phone"), Device.open(browser, bridge, "desk")]);
    const id = await phone.start(bridge.project, "@slow 40 0.1");
    await phone.log.getByText("w5").waitFor();
    // Somebody who comes late sees the beginning too.
    await desk.page.goto(`${bridge.origin}/#/s/${id}`);
    await desk.log.getByText("w0 w1 w2").waitFor();
    await desk.log.getByText("w38 w39").waitFor();
    await phone.log.getByText("w38 w39").waitFor();
    await Promise.all([phone.close(), desk.close()]);
  });
});

describe("hostile content", () => {
  it("is text, wherever it stands", async () => {
    const device = await Device.open(browser, bridge, "phone");
    const evil = `<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)></svg> [link](javascript:alert(4)) ![pixel](https://evil.example/p.png) <a href="javascript:alert(5)">a</a> <iframe src="https://evil.example"></iframe> \u202ereversed\u202c`;
    // Escapes in commands are refused by the agent itself.
    const command = "echo '<img src=x onerror=alert(6)>' \u202e; rm\u00a0-rf \u200b/nowhere";
    await device.start(bridge.project, `@blocks ${JSON.stringify([{ type: "text", text: `${evil}\n\n${"x".repeat(20_000)}` }, { type: "tool_use", name: "Bash", input: { command } }])}\n@say end`);
    const region = device.region("Permission needed");
    await region.waitFor();
    const shown = await region.locator(".exact").innerText();
    for (const part of ["<img src=x onerror=alert(6)>", "U+202E", "NBSP", "U+200B"]) expect(shown).toContain(part);
    await region.getByText("can’t be seen").waitFor();
    await device.button("Deny").click();
    await device.idle();
    expect(await device.page.locator(".log img, .log script, .log svg:not(.icon), .log iframe").count()).toBe(0);
    for (const link of await device.page.locator(".log a").all()) expect(await link.getAttribute("href")).not.toMatch(/^javascript/i);
    expect(await device.log.innerText()).toContain("⟨U+202E⟩");
    // Nothing is wider than the page.
    expect(await device.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(device.faults).toEqual([]);
    await device.close();
  });
});
