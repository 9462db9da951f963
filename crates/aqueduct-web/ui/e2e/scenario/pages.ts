// Everything around the conversation.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { World } from "../world.ts";

export function pages(world: World): void {
  it("find words in messages, and lead there", async () => {
    const { device, bridge, size } = world;
    await device.start(bridge.project, `@say The xylophone-${size} is in the attic.`);
    await device.answers.getByText(`xylophone-${size}`).waitFor();
    await device.idle();
    await device.page.goto(`${bridge.origin}/#/`);
    await device.page.getByRole("searchbox", { name: "Search sessions" }).fill("xylophone attic");
    await device.page.keyboard.press("Enter");
    const hit = device.page.getByRole("link", { name: new RegExp(size) }).filter({ has: device.page.locator("mark", { hasText: "attic" }) });
    await hit.first().click();
    await device.answers.getByText("in the attic").waitFor();
  });

  it("rename a session, and export it as a document", async () => {
    const { device, bridge, size } = world;
    await device.start(bridge.project, "@say For the record.");
    await device.answers.getByText("For the record.", { exact: true }).waitFor();
    await device.idle();
    await device.button("Session actions").click();
    await device.page.getByRole("menuitem", { name: "Rename" }).click();
    await device.page.getByLabel("Session title").fill(`Named on a ${size}`);
    await device.button("Save").click();
    await device.page.getByRole("heading", { name: `Named on a ${size}` }).waitFor();
    for (const [name, mark] of [["Markdown", "For the record."], ["HTML", "<html"], ["JSON lines", '"type"']] as const) {
      await device.button("Session actions").click();
      const saved = device.page.waitForEvent("download");
      await device.page.getByRole("menuitem", { name: `Export: ${name}` }).click();
      expect(readFileSync(await (await saved).path(), "utf8")).toContain(mark);
    }
  });

  it("stop a session's agent, and resume it with the next message", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project, "@say Before.");
    await device.answers.getByText("Before.", { exact: true }).waitFor();
    await device.idle();
    await device.button("Session actions").click();
    await device.page.getByRole("menuitem", { name: "Stop agent" }).click();
    await device.page.locator(".session-head").getByText("Stopped").first().waitFor();
    await device.say("@say After.");
    await device.answers.getByText("After.", { exact: true }).waitFor();
  });

  it("show what changed, and files", async () => {
    const { device, bridge, size } = world;
    writeFileSync(join(bridge.project, "readme.md"), `# Demo\n\nChanged on a ${size}.\n`);
    await device.start(bridge.project);
    await device.page.getByRole("link", { name: "Changes" }).click();
    await device.page.getByText(`Changed on a ${size}.`).waitFor();
    const file = device.page.locator(".changed-file", { hasText: "readme.md" });
    await file.getByRole("link", { name: "Open file" }).click();
    await device.page.locator(".file-lines").getByText(`Changed on a ${size}.`).waitFor();
  });

  it("show what was used", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project, '@usage {"input_tokens": 1000000, "output_tokens": 2000}\n@say costly');
    await device.answers.getByText("costly", { exact: true }).waitFor();
    await device.idle();
    await device.page.goto(`${bridge.origin}/#/usage`);
    await device.page.getByRole("heading", { name: "By project" }).waitFor();
    await device.page.locator(".share-name", { hasText: "demo" }).waitFor();
    await device.page.getByRole("heading", { name: "By model" }).waitFor();
    await device.page.getByRole("img", { name: /per day/ }).waitFor();
  });

  it("read a session of a terminal, and continue it", async () => {
    const { device, bridge, size } = world;
    const said = `Said in a terminal before a ${size}.`;
    execFileSync(process.env.AQUEDUCT!, ["run", "--agent", "builtin", `@say ${said}`], { cwd: bridge.project, env: { PATH: process.env.PATH, HOME: bridge.home }, stdio: "ignore" });
    await device.page.goto(`${bridge.origin}/#/`);
    await device.page.reload();
    await device.page.getByRole("link", { name: new RegExp(`${said}.*terminal`, "s") }).click();
    await device.answers.getByText(said).waitFor();
    await device.button("Continue here").click();
    await device.say("@say Said here.");
    await device.answers.getByText("Said here.", { exact: true }).waitFor();
    await device.answers.getByText(said).waitFor();
  });

  it("keep what a reader prefers", async () => {
    const { device, bridge } = world;
    await device.page.goto(`${bridge.origin}/#/settings`);
    await device.page.getByRole("radio", { name: "Dark" }).check();
    await device.page.getByRole("radio", { name: "130 %" }).check();
    await device.page.reload();
    expect(await device.page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.dataset.size])).toEqual(["dark", "130"]);
    await device.page.getByRole("radio", { name: "System" }).check();
    await device.page.getByRole("radio", { name: "100 %" }).check();
  });
}
