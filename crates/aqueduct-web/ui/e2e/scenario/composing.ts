// What a person writes, and what becomes of it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { World } from "../world.ts";

/** A picture of one point. */
const DOT = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

export function composing(world: World): void {
  it("queues messages that are sent during a turn; they can be changed, taken out, and sent at once", async () => {
    const { device, bridge } = world;
    const gate = bridge.gate();
    await device.start(bridge.project, `${world.command(gate.command)}\n@say Unread.`);
    await device.button("Stop").waitFor();
    const queue = device.page.getByRole("list", { name: "Queued" });
    for (const [at, text] of ["@say wrong", "@say surplus", "@say urgent"].entries()) {
      await device.say(text);
      await expect.poll(() => queue.getByRole("listitem").count()).toBe(at + 1);
    }
    const row = (text: string) => queue.getByRole("listitem").filter({ hasText: text });
    await row("surplus").getByRole("button", { name: "Delete" }).click();
    await row("surplus").waitFor({ state: "detached" });
    await row("wrong").getByRole("button", { name: "Edit" }).click();
    await queue.getByRole("textbox", { name: "Edit" }).fill("@say right");
    await queue.getByRole("button", { name: "Save" }).click();
    await row("@say right").waitFor();
    await row("urgent").getByRole("button", { name: "More" }).click();
    await device.page.getByRole("menuitem", { name: "Send into the turn" }).click();
    await row("urgent").waitFor({ state: "detached" });
    await gate.open();
    await device.answers.getByText("right", { exact: true }).waitFor();
    await device.idle();
    const said = await device.log.innerText();
    expect(said).toContain("urgent");
    expect(said).not.toContain("wrong");
    expect(said).not.toContain("surplus");
  });

  it("keeps a draft by session, and what was sent", async () => {
    const { device, bridge } = world;
    const id = await device.start(bridge.project);
    await device.message.fill("half a thought");
    await device.page.goto(`${bridge.origin}/#/settings`);
    await device.page.goto(`${bridge.origin}/#/s/${id}`);
    await expect.poll(() => device.message.inputValue()).toBe("half a thought");
    await device.say("@say one");
    await device.answers.getByText("one", { exact: true }).waitFor();
    await device.message.press("ArrowUp");
    await expect.poll(() => device.message.inputValue()).toBe("@say one");
    await device.message.fill("");
  });

  it("completes commands and files", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project);
    await device.message.pressSequentially("see @mai");
    await device.page.getByRole("option", { name: "main.rs" }).waitFor();
    await device.message.press("Tab");
    await expect.poll(() => device.message.inputValue()).toBe("see @main.rs ");
    await device.message.fill("");
    await device.message.pressSequentially("/comp");
    await device.page.getByRole("option", { name: /compact/ }).waitFor();
    await device.message.press("Escape");
    await device.message.fill("");
  });

  it("takes pictures and files that are pasted, dropped or chosen", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project);
    await device.page.getByLabel("Attach a file").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: DOT });
    await device.button("Remove dot.png").waitFor();
    for (const kind of ["paste", "drop"] as const) {
      await device.message.evaluate((field, event) => {
        const data = new DataTransfer();
        data.items.add(new File([`by ${event}`], `${event}.txt`, { type: "text/plain" }));
        field.dispatchEvent(event === "paste" ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true }) : new DragEvent("drop", { dataTransfer: data, bubbles: true }));
      }, kind);
      await device.button(`Remove ${kind}.txt`).waitFor();
    }
    await device.button("Remove drop.txt").click();
    await device.say("@say Seen.");
    await device.answers.getByText("Seen.", { exact: true }).waitFor();
    const said = device.page.getByRole("article", { name: "You said" });
    await expect.poll(() => said.locator("img").evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))).toEqual([1]);
    expect(await said.innerText()).toContain("paste.txt");
    expect(await said.innerText()).not.toContain("drop.txt");
  });

  it("makes pictures smaller that models would refuse", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project);
    await device.message.evaluate(async (field) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [9000, 90];
      canvas.getContext("2d")?.fillRect(0, 0, 4500, 90);
      const wide = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
      const data = new DataTransfer();
      data.items.add(new File([wide ?? ""], "wide.png", { type: "image/png" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    await device.button("Remove wide.png").waitFor();
    await device.say("@say Scaled.");
    await device.answers.getByText("Scaled.", { exact: true }).waitFor();
    const said = device.page.getByRole("article", { name: "You said" });
    const size = (image: SVGElement | HTMLElement): [number, number] => [(image as HTMLImageElement).naturalWidth, (image as HTMLImageElement).naturalHeight];
    await expect.poll(() => said.locator("img").evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))).toEqual([2000]);
    expect(await said.locator("img").evaluate(size)).toEqual([2000, 20]);
  });

  it("switches model and mode in place", async () => {
    const { device, bridge, size } = world;
    await device.start(bridge.project, "@say hello");
    await device.answers.getByText("hello", { exact: true }).waitFor();
    await device.idle();
    await device.page.getByRole("button", { name: /^Permission mode/ }).click();
    await device.page.getByRole("menuitemradio", { name: /Accept edits/ }).click();
    await device.page.getByRole("button", { name: "Permission mode: Accept edits" }).waitFor();
    const file = join(bridge.project, `edit-${size}.txt`);
    await device.say(`${world.tool("Write", { file_path: file, content: "x\n" })}\n@say Written.`);
    await device.answers.getByText("Written.", { exact: true }).waitFor();
    expect(readFileSync(file, "utf8")).toBe("x\n");
  });
}
