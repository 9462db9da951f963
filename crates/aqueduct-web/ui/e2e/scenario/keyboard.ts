// Everything without a pointer.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import type { Device } from "../browser.ts";
import type { World } from "../world.ts";

/** More steps than any page has. */
const MOST_STEPS = 200;

/** Goes to an element with the Tab key alone. */
async function tabTo(device: Device, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await device.page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${target}`);
}

export function keyboard(world: World): void {
  it("is enough for everything", async () => {
    const { device, bridge, size } = world;
    const { page } = device;
    const keys = page.keyboard;
    await page.goto(`${bridge.origin}/#/`);
    await page.locator("body").press("n");
    await tabTo(device, page.getByLabel("What should be done?"));
    await keys.type(world.command(`touch keyboard-${size}.txt`));
    await tabTo(device, page.getByLabel("Project folder"));
    await keys.press("ControlOrMeta+A");
    await keys.type(bridge.project);
    await tabTo(device, device.button("Start"));
    await keys.press("Enter");
    await device.region("Permission needed").waitFor();
    await keys.press("Alt+y");
    await device.region("Permission needed").waitFor({ state: "detached" });
    await device.idle();
    expect(existsSync(join(bridge.project, `keyboard-${size}.txt`))).toBe(true);

    // A decision by its buttons, too.
    await keys.press("i");
    await keys.type(world.command(`touch denied-${size}.txt`));
    await keys.press("ControlOrMeta+Enter");
    await tabTo(device, device.button("Deny"));
    await keys.press("Enter");
    await device.region("Permission needed").waitFor({ state: "detached" });
    await device.idle();
    expect(existsSync(join(bridge.project, `denied-${size}.txt`))).toBe(false);

    await page.locator("body").press("i");
    await keys.type("@slow 100000 0.05");
    await keys.press("ControlOrMeta+Enter");
    await device.answers.getByText("w3").waitFor();
    await keys.press("Control+.");
    await device.idle();

    await keys.press("Escape");
    await keys.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await keys.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await tabTo(device, device.button("Session actions"));
    await keys.press("Enter");
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    await keys.press("ArrowDown");
    await keys.press("Home");
    await keys.press("Enter");
    await page.getByLabel("Session title").waitFor();
    await keys.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.locator("body").press("u");
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await page.locator("body").press(",");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });
}
