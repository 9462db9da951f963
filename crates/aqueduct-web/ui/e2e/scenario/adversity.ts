// What goes wrong between a phone and an agent, and what must not come of it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Device } from "../browser.ts";
import { words, type World } from "../world.ts";

const COUNT = 60;

/** A turn that streams words, and is not over before its gate is open. */
function streaming(world: World): { script: string; open(): Promise<void> } {
  const gate = world.bridge.gate();
  return { script: `@delta word 0.05\n@saytool ${words(COUNT)}|Bash ${JSON.stringify({ command: gate.command })}\n@say The end.`, open: gate.open };
}

/** All words of the model, each once, and the end. */
async function whole(device: Device): Promise<void> {
  await device.answers.getByText("The end.", { exact: true }).waitFor();
  expect((await device.answers.allInnerTexts()).join("\n").match(/w\d+/g)).toEqual(words(COUNT).split(" "));
}

export function adversity(world: World): void {
  it("a cut in the middle of an answer loses nothing and doubles nothing", async () => {
    const { device, bridge } = world;
    const { script, open } = streaming(world);
    await device.start(bridge.project, script);
    await device.answers.getByText("w5").waitFor();
    await device.context.setOffline(true);
    await device.status("Reconnecting").waitFor();
    // A message that is sent now waits here, and is shown as waiting.
    await device.say("@say afterwards");
    await device.log.getByText("Not sent yet").waitFor();
    await device.context.setOffline(false);
    await device.status("Connected").waitFor();
    await open();
    await device.answers.getByText("afterwards", { exact: true }).waitFor();
    await device.idle();
    await whole(device);
    expect((await device.log.innerText()).match(/@say afterwards/g)).toHaveLength(1);
  });

  it("a bridge that is killed under a turn comes back with the rest of it", async () => {
    const { device, bridge } = world;
    const { script, open } = streaming(world);
    await device.start(bridge.project, script);
    await device.answers.getByText("w5").waitFor();
    await bridge.kill();
    await device.status("Reconnecting").waitFor();
    await bridge.up();
    await device.status("Connected").waitFor();
    await open();
    await whole(device);
    await device.idle();
    await device.say("@say Alive.");
    await device.answers.getByText("Alive.", { exact: true }).waitFor();
  });

  it("a bridge that is killed while it asks offers the question again", async () => {
    const { device, bridge, size } = world;
    await device.start(bridge.project, `${world.command(`touch after-crash-${size}.txt`)}\n@say Done.`);
    await device.region("Permission needed").waitFor();
    await bridge.kill();
    await bridge.up();
    await device.status("Connected").waitFor();
    await device.button("Allow once").click();
    await device.answers.getByText("Done.", { exact: true }).waitFor();
    expect(existsSync(join(bridge.project, `after-crash-${size}.txt`))).toBe(true);
  });

  it("a bridge that is not there leaves the page whole", async () => {
    const { device, bridge } = world;
    await device.page.goto(`${bridge.origin}/#/`);
    await device.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await bridge.kill();
    await device.page.reload();
    await device.page.getByRole("navigation", { name: "Sessions" }).waitFor();
    await bridge.up();
    await device.status("Connected").waitFor();
  });

  it("a device that comes late sees the beginning too", async () => {
    const { device, bridge } = world;
    const { script, open } = streaming(world);
    const id = await device.start(bridge.project, script);
    await device.answers.getByText("w5").waitFor();
    const other = await world.open();
    await other.page.goto(`${bridge.origin}/#/s/${id}`);
    await other.answers.getByText(words(6)).waitFor();
    await open();
    await Promise.all([whole(device), whole(other)]);
    await other.close();
  });
}
