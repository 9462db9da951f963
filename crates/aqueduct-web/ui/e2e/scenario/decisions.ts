// What the user has to decide.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { World } from "../world.ts";

const QUESTIONS = {
  questions: [
    {
      question: "Which database?",
      header: "Database",
      multiSelect: false,
      options: [
        { label: "Postgres", description: "a server", preview: "```\nservers: 1\n```" },
        { label: "SQLite", description: "a file" },
      ],
    },
    { question: "Which checks?", header: "Checks", multiSelect: true, options: [{ label: "lint", description: "" }, { label: "test", description: "" }] },
    { question: "What name?", header: "Name", multiSelect: false, options: [{ label: "ada", description: "" }, { label: "bob", description: "" }] },
  ],
};

export function decisions(world: World): void {
  const made = (name: string): string => join(world.bridge.project, name);

  it("allow a command once", async () => {
    const { device, bridge, size } = world;
    const name = `once-${size}.txt`;
    await device.start(bridge.project, `${world.command(`touch ${name}`)}\n@say Made it.`);
    const region = device.region("Permission needed");
    await region.getByText(`touch ${name}`).first().waitFor();
    await region.getByRole("button", { name: "Allow once" }).click();
    await region.waitFor({ state: "detached" });
    await device.answers.getByText("Made it.", { exact: true }).waitFor();
    expect(existsSync(made(name))).toBe(true);
    await device.log.getByText("Allowed by you").waitFor();
  });

  it("allow it always: it is not asked again", async () => {
    const { device, bridge, size } = world;
    const line = world.command(`echo always-${size} > always-${size}.txt`);
    await device.start(bridge.project, `${line}\n@say First.`);
    await device.button("Always allow").click();
    await device.answers.getByText("First.", { exact: true }).waitFor();
    await device.idle();
    await device.say(`${line}\n@say Second.`);
    await device.answers.getByText("Second.", { exact: true }).waitFor();
    expect(await device.region("Permission needed").count()).toBe(0);
  });

  it("show which rule is added, and where", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project, `${world.command("mkdir -p made/by/rule")}\n@say Ruled.`);
    const region = device.region("Permission needed");
    await region.getByText("“Always allow” adds").click();
    await region.getByLabel("Rule").fill("Bash(mkdir -p made/*)");
    await region.getByLabel("Where").selectOption("localSettings");
    await device.button("Always allow").click();
    await device.answers.getByText("Ruled.", { exact: true }).waitFor();
    expect(readFileSync(made(".claude/settings.local.json"), "utf8")).toContain("Bash(mkdir -p made/*)");
  });

  it("show what a command reads and writes, part by part", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project, world.command("cat readme.md | tee copied.md && touch other.md"));
    const parts = device.region("Permission needed").locator(".parts");
    await parts.getByText("tee copied.md", { exact: true }).waitFor();
    expect(await parts.innerText()).toMatch(/writes[\s\S]*copied\.md/);
    await device.button("Deny").click();
    await device.idle();
  });

  it("deny, with a message for the model", async () => {
    const { device, bridge, size } = world;
    const name = `never-${size}.txt`;
    await device.start(bridge.project, world.command(`touch ${name}`));
    await device.button("Add a reason").click();
    await device.region("Permission needed").getByLabel("Message to the agent").fill("Use the other folder");
    await device.button("Deny").click();
    await device.log.getByText("Use the other folder").first().waitFor();
    await device.idle();
    expect(existsSync(made(name))).toBe(false);
  });

  it("are counted where they wait, and come first", async () => {
    const { device, bridge } = world;
    const before = await device.page.evaluate(() => Number(/^\((\d+)\)/.exec(document.title)?.[1] ?? 0));
    for (const name of ["one", "two"]) {
      await device.start(bridge.project, world.command(`touch ${name}.txt`));
      await device.region("Permission needed").waitFor();
    }
    await device.page.goto(`${bridge.origin}/#/`);
    await expect.poll(() => device.page.title()).toBe(`(${before + 2}) Aqueduct`);
    const groups = device.page.getByRole("navigation", { name: "Sessions" }).getByRole("region");
    expect(await groups.first().getByRole("heading").innerText()).toContain("Waiting for you");
    for (let left = 2; left > 0; left--) {
      await groups.first().getByRole("link").first().click();
      await device.button("Deny").click();
      await device.idle();
      await device.page.goto(`${bridge.origin}/#/`);
      await expect.poll(() => device.page.title()).toBe(before + left - 1 > 0 ? `(${before + left - 1}) Aqueduct` : "Aqueduct");
    }
  });

  it("answer questions: one, several, own words", async () => {
    const { device, bridge } = world;
    await device.start(bridge.project, `${world.tool("AskUserQuestion", QUESTIONS)}\n@say Good choice.`);
    const region = device.region("Question");
    await region.getByLabel("Postgres").check();
    await region.locator(".preview", { hasText: "servers: 1" }).waitFor();
    await region.getByLabel("SQLite").check();
    expect(await region.getByRole("button", { name: "Submit answers" }).isDisabled()).toBe(true);
    await region.getByLabel("lint").check();
    await region.getByLabel("test").check();
    await region.getByRole("group", { name: /What name/ }).getByLabel("Other").check();
    await region.getByLabel("Your answer").fill("Grace");
    await region.getByRole("button", { name: "Submit answers" }).click();
    await device.answers.getByText("Good choice.", { exact: true }).waitFor();
    for (const answer of ["SQLite", "lint, test", "Grace"]) await device.log.getByText(answer, { exact: true }).first().waitFor();
  });

  it("approve a plan after it was sent back once", async () => {
    const { device, bridge } = world;
    const plan = (text: string): string => world.tool("ExitPlanMode", { plan: text });
    await device.start(bridge.project, `${plan("# First\n\n1. Everything at once")}\n${plan("# Second\n\n1. Step by step")}\n@say Begun.`, "plan");
    await device.region("Plan").getByText("Everything at once").waitFor();
    await device.button("Keep planning").click();
    await device.region("Plan").getByLabel("Feedback").fill("Smaller steps");
    await device.button("Keep planning").click();
    await device.region("Plan").getByText("Step by step").waitFor();
    await device.button("Approve").click();
    await device.answers.getByText("Begun.", { exact: true }).waitFor();
    await device.page.getByRole("button", { name: "Permission mode: Ask" }).waitFor();
  });

  it("approve a plan and let its edits through", async () => {
    const { device, bridge, size } = world;
    const write = world.tool("Write", { file_path: made(`planned-${size}.txt`), content: "as planned\n" });
    await device.start(bridge.project, `${world.tool("ExitPlanMode", { plan: "Write a file." })}\n${write}\n@say Planned and done.`, "plan");
    await device.button("Approve, then: Accept edits").click();
    await device.answers.getByText("Planned and done.", { exact: true }).waitFor();
    expect(readFileSync(made(`planned-${size}.txt`), "utf8")).toBe("as planned\n");
  });

  it("count once when two devices decide, and both see who", async () => {
    const { device, bridge } = world;
    const other = await world.open();
    const id = await device.start(bridge.project, `${world.command("touch both.txt")}\n@say Decided.`);
    await other.page.goto(`${bridge.origin}/#/s/${id}`);
    await other.button("Deny").waitFor();
    await device.button("Allow once").waitFor();
    // At once, without the checks that people's fingers don't make.
    const press = (button: Element): void => (button as HTMLElement).click();
    await Promise.all([device.button("Allow once").evaluate(press), other.button("Deny").evaluate(press)]);
    const reported = await Promise.all(
      [device, other].map(async (one) => {
        await one.region("Permission needed").waitFor({ state: "detached" });
        return one.log.locator(".decided").first().innerText();
      }),
    );
    // `Allowed by you` here and `Allowed by Linux · Chrome` there, or the other way round.
    expect(reported[0]!.split(" ")[0]).toBe(reported[1]!.split(" ")[0]);
    expect(reported.filter((word) => word.includes("by you"))).toHaveLength(1);
    await other.close();
  });
}
