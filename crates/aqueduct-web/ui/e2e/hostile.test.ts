// Content that means harm: it is shown as text, nothing of it runs, and nothing of it hides what would be run.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World("phone");

const EVIL = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(2)</script>",
  "<svg onload=alert(3)><animate onbegin=alert(3)></svg>",
  "[link](javascript:alert(4)) [data](data:text/html,<script>alert(4)</script>) [vb](vbscript:alert(4))",
  "![pixel](https://evil.example/p.png)",
  '<a href="javascript:alert(5)">a</a>',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><button>Allow once</button></form>',
  '<style>*{display:none}</style><link rel=stylesheet href="https://evil.example/a.css">',
  '<div style="position:fixed;inset:0">over everything</div>',
  "\u202ereversed\u202c",
].join("\n\n");

afterEach(async () => {
  const { device } = world;
  // Nothing of it became an element, no link leads where it should not, nothing is wider than the page.
  expect(await device.page.locator("main :is(img, script, style, link, iframe, form:not(.composer, .decision-form), svg:not(.icon, .mark, .gauge svg, .plot), [onerror], [onload], [style*=fixed])").count()).toBe(0);
  for (const link of await device.page.locator("main a[href]").all()) expect(await link.getAttribute("href")).toMatch(/^(#|https?:)/);
  expect(await device.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(device.faults).toEqual([]);
});

it("in an answer, a thought and a title", async () => {
  const { device, bridge } = world;
  const blocks = [
    { type: "thinking", thinking: EVIL },
    { type: "text", text: `${EVIL}\n\n${"x".repeat(20_000)}` },
  ];
  const id = await device.start(bridge.project, `@blocks ${JSON.stringify(blocks)}`);
  await device.answers.getByText("<script>alert(2)</script>").waitFor();
  await device.idle();
  expect(await device.answers.innerText()).toContain("⟨U+202E⟩reversed");
  await bridge.ask("PUT", `/sessions/${id}/title`, { title: "<img src=x onerror=alert(7)>\u202etitle" });
  await device.page.getByRole("heading", { name: "<img src=x onerror=alert(7)>" }).waitFor();
});

it("in what tools print", async () => {
  const { device, bridge } = world;
  writeFileSync(join(bridge.project, "evil.txt"), `${EVIL}\n\u001b[8mconcealed\u001b[0m shown\u001b[2K\u001b[1A over\rwritten \u001b]8;;javascript:alert(8)\u0007label\u001b]8;;\u0007\n${"y".repeat(50_000)}\n`);
  await device.start(bridge.project, `${world.command("cat evil.txt")}\n@say end`);
  await device.answers.getByText("end", { exact: true }).waitFor();
  const output = device.log.locator(".output");
  await output.getByText("<script>alert(2)</script>").waitFor();
  await output.getByRole("button", { name: /Show all/ }).click();
  const text = await output.innerText();
  // Terminals would hide these; here they can be read.
  for (const part of ["concealed", "shown", "over", "written", "label"]) expect(text).toContain(part);
});

it("in names of files", async () => {
  const { device, bridge } = world;
  const folder = join(bridge.project, "names");
  mkdirSync(folder, { recursive: true });
  const names = ["<img src=x onerror=alert(9)>.txt", "gnp\u202etxt.exe", "zero\u200bwidth.txt", "new\nline.txt"];
  for (const name of names) writeFileSync(join(folder, name), "x\n");
  const id = await device.start(bridge.project, `${world.tool("Glob", { pattern: "names/*" })}\n@say end`);
  await device.answers.getByText("end", { exact: true }).waitFor();
  await device.log.getByRole("button", { name: /Glob/ }).click();
  await device.log.getByText("<img src=x onerror=alert(9)>.txt").first().waitFor();
  expect(await device.log.locator(".paths").innerText()).toMatch(/U\+202E[\s\S]*|U\+200B/);
  await device.page.goto(`${bridge.origin}/#/s/${id}/diff`);
  await device.page.locator(".changed-file", { hasText: "onerror=alert(9)" }).waitFor();
});

it("in what is to be decided", async () => {
  const { device, bridge } = world;
  const command = "echo '<img src=x onerror=alert(6)>' \u202e; rm\u00a0-rf \u200b/nowhere";
  await device.start(bridge.project, `${world.command(command)}\n@say end`);
  const region = device.region("Permission needed");
  await region.waitFor();
  const shown = await region.locator(".exact").innerText();
  for (const part of ["<img src=x onerror=alert(6)>", "U+202E", "NBSP", "rm", "-rf", "U+200B", "/nowhere"]) expect(shown).toContain(part);
  await region.getByText("invisible characters").waitFor();
  await device.button("Deny").click();
  await device.idle();
});

it("in a long command: its end is visible or a scroll away, never cut", async () => {
  const { device, bridge } = world;
  const command = `echo ${" ".repeat(3000)}${"\n".repeat(80)}; rm -rf ./everything`;
  await device.start(bridge.project, `${world.command(command)}\n@say end`);
  const exact = device.region("Permission needed").locator(".exact");
  await exact.waitFor();
  expect(await exact.textContent()).toContain("rm -rf ./everything");
  await exact.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
    element.closest(".tray")!.scrollTop = element.closest(".tray")!.scrollHeight;
  });
  await device.button("Deny").click();
  await device.idle();
});

it("in a question and a plan", async () => {
  const { device, bridge } = world;
  const questions = [{ question: `Which? ${EVIL}`, header: "<b>h</b>", multiSelect: false, options: [{ label: "<svg onload=alert(10)>", description: EVIL, preview: EVIL }, { label: "B\u202e", description: "" }] }];
  await device.start(bridge.project, `${world.tool("AskUserQuestion", { questions })}\n@say end`);
  await device.region("Question").getByLabel("<svg onload=alert(10)>").check();
  await device.region("Question").locator(".preview", { hasText: "<script>alert(2)</script>" }).waitFor();
  await device.button("Submit answers").click();
  await device.answers.getByText("end", { exact: true }).waitFor();
  await device.start(bridge.project, `${world.tool("ExitPlanMode", { plan: EVIL })}\n@say done`, "plan");
  await device.region("Plan").getByText("<script>alert(2)</script>").waitFor();
  await device.button("Approve").click();
  await device.answers.getByText("done", { exact: true }).waitFor();
});
