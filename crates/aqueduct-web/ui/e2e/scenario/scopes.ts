// What devices with less than full access see and do, and what has to be confirmed.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Device } from "../browser.ts";
import type { World } from "../world.ts";
import { providing } from "./trust.ts";

/** Pairs another device from the devices page, and checks the confirmation's text. */
async function pair(world: World, scope: string, consequence: string): Promise<Device> {
  const { device, bridge } = world;
  await device.page.goto(`${bridge.origin}/#/`);
  await device.page.goto(`${bridge.origin}/#/devices`);
  await device.button("Pair a device").click();
  await device.page.getByRole("radio", { name: new RegExp(`^${scope}`) }).check();
  await device.button("Create link").click();
  const question = device.page.getByRole("dialog", { name: "Pair another device?" });
  await question.getByText(consequence).waitFor();
  await question.getByRole("button", { name: "Pair", exact: true }).click();
  const link = await device.page.locator(".pairing-link code").innerText();
  await device.page.keyboard.press("Escape");
  return world.open({ link });
}

export function scopes(world: World): void {
  it("decides and watches on devices that were paired for that, and does nothing else", async () => {
    const { device, bridge, size } = world;
    const decider = await pair(world, "Decide", "approve what agents ask for");
    const watcher = await pair(world, "Watch", "can read every session");
    const name = `decided-${size}.txt`;
    const id = await device.start(bridge.project, `${world.command(`touch ${name}`)}\n@say It was allowed.`);
    for (const other of [decider, watcher]) {
      expect(await other.button("New session").count()).toBe(0);
      await other.page.goto(`${bridge.origin}/#/s/${id}`);
    }
    await watcher.page.getByText("This device can’t decide what the agent asks").waitFor();
    await decider.region("Permission needed").getByText(`touch ${name}`).first().waitFor();
    await decider.page.getByText("This device can’t send messages").waitFor();
    for (const other of [decider, watcher]) {
      expect(await other.message.count()).toBe(0);
      expect(await other.button("Always allow").count()).toBe(0);
    }
    expect(await watcher.button("Allow once").count()).toBe(0);
    await decider.button("Allow once").click();
    for (const one of [decider, watcher, device]) await one.answers.getByText("It was allowed.", { exact: true }).waitFor();
    await decider.log.getByText("Allowed by you").waitFor();
    expect(existsSync(join(bridge.project, name))).toBe(true);
    await watcher.page.goto(`${bridge.origin}/#/devices`);
    await watcher.page.getByText("its access is “Watch”").waitFor();
    await decider.close();
    await watcher.close();
  });

  it("shows what a folder provides to a device that can't trust it", async () => {
    const { bridge } = world;
    const operator = await world.open({ link: await bridge.pairingLink("operate") });
    const folder = providing(world, "operated");
    await operator.begin(folder);
    const dialog = operator.page.getByRole("dialog", { name: "Review what this folder provides" });
    await dialog.getByText("touch hook-ran", { exact: true }).waitFor();
    await dialog.getByText(`aqueduct trust ${folder}`).waitFor();
    expect(await operator.button("Trust and start").count()).toBe(0);
    await operator.button("Start without it").click();
    await operator.message.waitFor();
    await operator.say("@say Without it.");
    await operator.answers.getByText("Without it.", { exact: true }).waitFor();
    await operator.button("Review what the folder provides").click();
    await dialog.getByText("that needs full access").waitFor();
    expect(existsSync(join(folder, "hook-ran"))).toBe(false);
    await operator.close();
  });

  it("asks again before an agent stops asking", async () => {
    const { device } = world;
    const question = device.page.getByRole("dialog", { name: "Allow every command without asking?" });
    const folder = providing(world, "bypassed");
    await device.begin(folder, "", "bypassPermissions");
    await device.button("Trust and start").click();
    await question.getByText("runs every command and changes every file without asking anyone").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await device.button("Start").click();
    await question.getByRole("button", { name: "Allow everything" }).click();
    await device.message.waitFor();
    await device.page.getByRole("button", { name: "Permission mode: Allow everything" }).waitFor();
  });

  it("asks again before a rule goes into the user settings", async () => {
    const { device, bridge, size } = world;
    const rule = `Bash(mkdir -p everywhere-${size}/*)`;
    const settings = join(bridge.home, ".claude/settings.json");
    const question = device.page.getByRole("dialog", { name: "Always allow in every project?" });
    await device.start(bridge.project, `${world.command(`mkdir -p everywhere-${size}/a`)}\n@say Everywhere.`);
    const region = device.region("Permission needed");
    await region.getByText("“Always allow” adds").click();
    await region.getByLabel("Rule").fill(rule);
    await region.getByLabel("Where").selectOption("userSettings");
    await device.button("Always allow").click();
    await question.getByText("in every project on this machine").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    expect(existsSync(settings) && readFileSync(settings, "utf8").includes(rule)).toBe(false);
    await device.button("Always allow").click();
    await question.getByRole("button", { name: "Always allow" }).click();
    await device.answers.getByText("Everywhere.", { exact: true }).waitFor();
    expect(readFileSync(settings, "utf8")).toContain(rule);
  });
}
