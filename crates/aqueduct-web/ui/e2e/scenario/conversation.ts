// Messages, as they arrive.

import { expect, it } from "vitest";
import { words, type World } from "../world.ts";

export function conversation(world: World): void {
  it("is started, and streams", async () => {
    const { device, bridge } = world;
    const gate = bridge.gate();
    await device.start(bridge.project, `@delta word 0.02\n@saytool ${words(30)}|Bash ${JSON.stringify({ command: gate.command })}\n@say Over.`);
    await device.answers.getByText("w3").waitFor();
    await device.button("Stop").waitFor();
    await device.answers.getByText("w28 w29").waitFor();
    await gate.open();
    await device.answers.getByText("Over.", { exact: true }).waitFor();
    await device.idle();
  });

  it("shows Markdown, code and thinking", async () => {
    const { device, bridge } = world;
    const text = "Here is **bold**:\n\n```rust\nfn main() {}\n```\n\n- [x] done\n- [ ] to do";
    await device.start(bridge.project, `@blocks ${JSON.stringify([{ type: "thinking", thinking: "Let me think." }, { type: "text", text }])}`);
    await device.log.locator("strong", { hasText: "bold" }).waitFor();
    await device.log.locator(".hljs-keyword", { hasText: "fn" }).waitFor();
    expect(await device.answers.getByRole("checkbox").evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked))).toEqual([true, false]);
    await device.log.getByRole("button", { name: /Thought/ }).click();
    await device.log.locator(".thinking-body", { hasText: "Let me think." }).waitFor();
  });

  it("has a card for each tool", async () => {
    const { device, bridge } = world;
    const file = `${bridge.project}/main.rs`;
    const todos = [
      { content: "Find it", status: "completed", activeForm: "Finding it" },
      { content: "Fix it", status: "in_progress", activeForm: "Fixing it" },
    ];
    await device.start(
      bridge.project,
      [
        world.command("printf '\\033[31mred\\033[0m'"),
        world.command("ls nowhere"),
        world.tool("Read", { file_path: file }),
        world.tool("Grep", { pattern: "fn", path: bridge.project }),
        world.tool("TodoWrite", { todos }),
        "@say All done.",
      ].join("\n"),
    );
    await device.answers.getByText("All done.", { exact: true }).waitFor();
    await device.log.locator(".output .fg-red", { hasText: "red" }).waitFor();
    await device.log.getByText("exit code 2", { exact: true }).waitFor();
    await device.log.getByRole("article", { name: /Grep/ }).waitFor();
    await device.log.getByRole("button", { name: /Read/ }).click();
    await device.log.locator(".code-lines", { hasText: "println" }).waitFor();
    await device.page.getByRole("region", { name: "To-dos" }).getByText("Fixing it").waitFor();
  });

  it("is sent again, whole, after a reload in the middle", async () => {
    const { device, bridge } = world;
    const gate = bridge.gate();
    await device.start(bridge.project, `@delta word 0.05\n@saytool ${words(60)}|Bash ${JSON.stringify({ command: gate.command })}\n@say The end.`);
    await device.answers.getByText("w5").waitFor();
    await device.page.reload();
    await device.answers.getByText(words(10)).waitFor();
    await gate.open();
    await device.answers.getByText("The end.", { exact: true }).waitFor();
    expect((await device.answers.allInnerTexts()).join("\n").match(/w\d+/g)).toEqual(words(60).split(" "));
  });

  it("is stopped, and continues", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project, "@slow 100000 0.05");
    await device.answers.getByText("w2").waitFor();
    await device.button("Stop").click();
    await device.idle();
    await device.log.getByText(/Stopped by you|Interrupted/).first().waitFor();
    await device.say("@say Still here.");
    await device.answers.getByText("Still here.", { exact: true }).waitFor();
  });

  it("keeps the reader's place while it grows, and shows that there is more", async () => {
    const { device, bridge } = world;
    const id = await device.start(bridge.project, `@blocks ${JSON.stringify([{ type: "text", text: Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join("\n\n") }])}`);
    await device.answers.getByText("Paragraph 59.").waitFor();
    await device.idle();
    // As a finger or a wheel does it.
    await device.log.evaluate((box) => {
      box.dispatchEvent(new WheelEvent("wheel"));
      box.scrollTop = 200;
    });
    await device.button("Jump to the end").waitFor();
    const place = await device.log.evaluate((box) => box.scrollTop);
    await bridge.ask("POST", `/sessions/${id}/inputs`, { text: "@say News." });
    await device.button("New messages").waitFor();
    expect(await device.log.evaluate((box) => box.scrollTop)).toBe(place);
    await device.button("New messages").click();
    await device.answers.getByText("News.", { exact: true }).waitFor();
  });
}
