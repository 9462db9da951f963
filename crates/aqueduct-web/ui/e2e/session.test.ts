// A day with the UI: everything that a person does, at both sizes, against a real bridge.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bridge } from "./bridge.ts";
import { Device, launch, type Size } from "./browser.ts";

let browser: Browser;
let bridge: Bridge;
beforeAll(async () => {
  [browser, bridge] = await Promise.all([launch(), Bridge.start()]);
});
afterAll(async () => {
  await browser?.close();
  await bridge?.stop();
});

const QUESTION = JSON.stringify({
  questions: [
    { question: "Which database?", header: "Database", multiSelect: false, options: [{ label: "Postgres", description: "a server" }, { label: "SQLite", description: "a file" }] },
    { question: "Which checks?", header: "Checks", multiSelect: true, options: [{ label: "lint", description: "" }, { label: "test", description: "" }] },
  ],
});

describe.each(["phone", "desk"] satisfies Size[])("on a %s", (size) => {
  let device: Device;
  beforeAll(async () => {
    device = await Device.open(browser, bridge, size);
  });
  afterAll(async () => {
    expect(device?.faults).toEqual([]);
    await device?.close();
  });

  it("a device without a token is told how to get one", async () => {
    const stranger = await Device.open(browser, bridge, size, { link: null });
    await stranger.page.getByRole("heading", { name: "This device is not paired" }).waitFor();
    await stranger.close();
  });

  it("a pairing link works once", async () => {
    const link = await bridge.pairingLink();
    const first = await Device.open(browser, bridge, size, { link });
    expect(first.page.url()).not.toContain("pair=");
    const second = await Device.open(browser, bridge, size, { link: null });
    await second.page.goto(link);
    await second.page.getByRole("alert").waitFor();
    await first.close();
    await second.close();
  });

  it("starts a session and streams an answer", async () => {
    await device.start(bridge.project, "@slow 30 0.05");
    await device.log.getByText("w3").waitFor();
    await device.button("Stop").waitFor();
    await device.log.getByText("w29").waitFor();
    await device.idle();
    await expect.poll(() => device.log.innerText()).toContain("w28 w29");
  });

  it("shows Markdown, code and thinking", async () => {
    const text = "Here is **bold**:\n\n```rust\nfn main() {}\n```\n\n- [x] done";
    await device.start(bridge.project, `@blocks ${JSON.stringify([{ type: "thinking", thinking: "Let me think." }, { type: "text", text }])}`);
    await device.log.locator("strong", { hasText: "bold" }).waitFor();
    await device.log.locator(".hljs-keyword", { hasText: "fn" }).waitFor();
    await device.log.getByRole("button", { name: /Thought/ }).click();
    await device.log.locator(".thinking-body", { hasText: "Let me think." }).waitFor();
  });

  it("allows a command once", async () => {
    const name = `once-${size}.txt`;
    await device.start(bridge.project, `@tool Bash ${JSON.stringify({ command: `touch ${name}` })}\n@say Made it.`);
    const region = device.region("Permission needed");
    await region.getByText(`touch ${name}`).first().waitFor();
    await region.getByRole("button", { name: "Allow once" }).click();
    await region.waitFor({ state: "detached" });
    await device.log.getByText("Made it.", { exact: true }).waitFor();
    expect(readFileSync(join(bridge.project, name), "utf8")).toBe("");
    await device.log.getByText("Allowed by you").waitFor();
  });

  it("always allows, and does not ask again", async () => {
    const command = JSON.stringify({ command: `echo always-${size} > always-${size}.txt` });
    await device.start(bridge.project, `@tool Bash ${command}\n@say First.`);
    await device.button("Always allow").click();
    await device.log.getByText("First.", { exact: true }).waitFor();
    await device.idle();
    await device.say(`@tool Bash ${command}\n@say Second.`);
    await device.log.getByText("Second.", { exact: true }).waitFor();
    expect(await device.region("Permission needed").count()).toBe(0);
  });

  it("denies, with a message for the model", async () => {
    const name = `never-${size}.txt`;
    await device.start(bridge.project, `@tool Bash ${JSON.stringify({ command: `touch ${name}` })}`);
    await device.button("Say why").click();
    await device.region("Permission needed").getByLabel("Message to the agent").fill("Use the other folder");
    await device.button("Deny").click();
    await device.log.getByText("Use the other folder").first().waitFor();
    await device.idle();
    expect(() => readFileSync(join(bridge.project, name))).toThrow();
  });

  it("answers questions", async () => {
    await device.start(bridge.project, `@tool AskUserQuestion ${QUESTION}\n@say Good choice.`);
    const region = device.region("Question");
    await region.getByLabel("SQLite").check();
    expect(await region.getByRole("button", { name: "Submit answers" }).isDisabled()).toBe(true);
    await region.getByLabel("lint").check();
    await region.getByLabel("test").check();
    await region.getByRole("button", { name: "Submit answers" }).click();
    await device.log.getByText("Good choice.", { exact: true }).waitFor();
    await device.log.getByText("lint, test").waitFor();
  });

  it("approves a plan after it was sent back once", async () => {
    const plan = (text: string): string => `@tool ExitPlanMode ${JSON.stringify({ plan: text })}`;
    await device.start(bridge.project, `${plan("# First\n\n1. Everything at once")}\n${plan("# Second\n\n1. Step by step")}\n@say Begun.`, "plan");
    await device.region("Plan").getByText("Everything at once").waitFor();
    await device.button("Keep planning").click();
    await device.region("Plan").getByLabel("Feedback").fill("Smaller steps");
    await device.button("Keep planning").click();
    await device.region("Plan").getByText("Step by step").waitFor();
    await device.button("Approve").click();
    await device.log.getByText("Begun.", { exact: true }).waitFor();
  });

  it("queues what is said during a turn; it can be changed and taken out", async () => {
    await device.start(bridge.project, "@slow 40 0.1");
    await device.log.getByText("w1").first().waitFor();
    await device.say("@say wrong");
    await device.say("@say surplus");
    const queue = device.page.getByRole("list", { name: "Queued" });
    await expect.poll(() => queue.getByRole("listitem").count()).toBe(2);
    await queue.getByRole("listitem").nth(1).getByRole("button", { name: "Delete" }).click();
    await queue.getByRole("listitem").first().getByRole("button", { name: "Edit" }).click();
    await queue.getByRole("textbox", { name: "Edit" }).fill("@say right");
    await queue.getByRole("button", { name: "Save" }).click();
    await queue.getByText("@say right").waitFor();
    await expect.poll(() => queue.getByRole("listitem").count()).toBe(1);
    await device.log.getByText("right", { exact: true }).waitFor();
    await device.idle();
    const text = await device.log.innerText();
    expect(text).not.toContain("wrong");
    expect(text).not.toContain("surplus");
  });

  it("stops a turn", async () => {
    await device.start(bridge.project, "@slow 600 0.1");
    await device.log.getByText("w2").waitFor();
    await device.button("Stop").click();
    await device.idle();
    await device.log.getByText(/Stopped by you|Interrupted/).first().waitFor();
    await device.say("@say Still here.");
    await device.log.getByText("Still here.", { exact: true }).waitFor();
  });

  it("goes on after a reload in the middle of an answer", async () => {
    await device.start(bridge.project, "@slow 60 0.1");
    await device.log.getByText("w5").waitFor();
    await device.page.reload();
    // The beginning is there again, and the rest comes.
    await device.log.getByText("w0 w1 w2").waitFor();
    await device.log.getByText("w58 w59").waitFor();
    expect((await device.log.innerText()).match(/w0 /g)).toHaveLength(1);
  });

  it("keeps a draft by session, and what was sent", async () => {
    const id = await device.start(bridge.project);
    await device.message.fill("half a thought");
    await device.page.goto(`${bridge.origin}/#/settings`);
    await device.page.goto(`${bridge.origin}/#/s/${id}`);
    await expect.poll(() => device.message.inputValue()).toBe("half a thought");
    await device.say("@say one");
    await device.log.getByText("one", { exact: true }).waitFor();
    await device.message.press("ArrowUp");
    await expect.poll(() => device.message.inputValue()).toBe("@say one");
    await device.message.fill("");
  });

  it("completes commands and files", async () => {
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

  it("finds words in what was said, and leads there", async () => {
    await device.start(bridge.project, `@say The xylophone-${size} is in the attic.`);
    await device.log.getByText(`xylophone-${size}`).last().waitFor();
    await device.idle();
    await device.page.goto(`${bridge.origin}/#/search?q=${encodeURIComponent("xylophone attic")}`);
    await device.page.getByRole("link", { name: new RegExp(size) }).first().click();
    await device.log.getByText("in the attic").last().waitFor();
  });

  it("renames, and exports as a document", async () => {
    await device.start(bridge.project, "@say For the record.");
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

  it("shows what changed, and files", async () => {
    writeFileSync(join(bridge.project, "readme.md"), `# Demo\n\nChanged on a ${size}.\n`);
    await device.start(bridge.project);
    await device.page.getByRole("link", { name: "Changes" }).click();
    await device.page.getByText(`Changed on a ${size}.`).waitFor();
    const file = device.page.locator(".changed-file", { hasText: "readme.md" });
    await file.getByRole("link", { name: "Open file" }).click();
    await device.page.locator(".file-lines").getByText(`Changed on a ${size}.`).waitFor();
  });

  it("shows what was used", async () => {
    await device.start(bridge.project, '@usage {"input_tokens": 1000000, "output_tokens": 2000}\n@say costly');
    await device.log.getByText("costly").last().waitFor();
    await device.idle();
    await device.page.goto(`${bridge.origin}/#/usage`);
    await device.page.getByRole("heading", { name: "By project" }).waitFor();
    await device.page.locator(".share-name", { hasText: "demo" }).waitFor();
  });

  it("switches model and mode in place", async () => {
    await device.start(bridge.project, "@say hello");
    await device.idle();
    await device.page.getByRole("button", { name: /^Permission mode/ }).click();
    await device.page.getByRole("menuitemradio", { name: /Accept edits/ }).click();
    await device.page.getByRole("button", { name: "Permission mode: Accept edits" }).waitFor();
    await device.say(`@tool Write ${JSON.stringify({ file_path: join(bridge.project, `edit-${size}.txt`), content: "x\n" })}\n@say Written.`);
    await device.log.getByText("Written.", { exact: true }).waitFor();
    expect(readFileSync(join(bridge.project, `edit-${size}.txt`), "utf8")).toBe("x\n");
  });

  it("lists devices, and lets one in no more", async () => {
    const other = await Device.open(browser, bridge, size);
    await device.page.goto(`${bridge.origin}/#/devices`);
    const rows = device.page.locator(".devices li").filter({ hasNotText: "this device" }).filter({ has: device.page.getByRole("button", { name: "Revoke" }) });
    await rows.first().waitFor();
    for (let left = await rows.count(); left > 0; left--) {
      await rows.first().getByRole("button", { name: "Revoke" }).click();
      await device.page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await expect.poll(() => rows.count()).toBe(left - 1);
    }
    await other.page.getByRole("heading", { name: "This device is not paired" }).waitFor();
    await other.close();
  });

  it("lets another device in", async () => {
    await device.page.goto(`${bridge.origin}/#/devices`);
    await device.button("Pair a device").click();
    const link = await device.page.locator(".pairing-link code").innerText();
    const other = await Device.open(browser, bridge, size, { link });
    await other.close();
    await device.page.keyboard.press("Escape");
  });
});

it("works with the keyboard alone", async () => {
  const device = await Device.open(browser, bridge, "desk");
  const { page } = device;
  const { keyboard } = page;
  await keyboard.press("n");
  await page.getByLabel("Project folder").focus();
  await keyboard.press("Control+A");
  await keyboard.type(bridge.project);
  await page.getByLabel("What should be done?").focus();
  await keyboard.type(`@tool Bash ${JSON.stringify({ command: "touch keyboard.txt" })}`);
  await keyboard.press("Control+Enter");
  await device.region("Permission needed").waitFor();
  await keyboard.press("Alt+y");
  await device.region("Permission needed").waitFor({ state: "detached" });
  await device.idle();
  await keyboard.press("i");
  await keyboard.type("@slow 600 0.1");
  await keyboard.press("Enter");
  await device.log.getByText("w3").waitFor();
  await keyboard.press("Control+.");
  await device.idle();
  await keyboard.press("Escape");
  await keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await keyboard.press("Escape");
  await keyboard.press("u");
  await page.getByRole("heading", { name: "Usage" }).waitFor();
  expect(device.faults).toEqual([]);
  await device.close();
});

it("a session of a terminal is read and continued", async () => {
  const device = await Device.open(browser, bridge, "phone");
  const program = process.env.AQUEDUCT!;
  const { execFileSync } = await import("node:child_process");
  execFileSync(program, ["run", "--agent", "builtin", "@say Said in a terminal."], { cwd: bridge.project, env: { PATH: process.env.PATH, HOME: bridge.home } });
  await device.page.reload();
  await device.page.getByRole("link", { name: /terminal/ }).first().click();
  await device.log.getByText("Said in a terminal.").last().waitFor();
  await device.button("Continue here").click();
  await device.say("@say Said on a phone.");
  await device.log.getByText("Said on a phone.").last().waitFor();
  await device.log.getByText("Said in a terminal.").last().waitFor();
  await device.close();
});
