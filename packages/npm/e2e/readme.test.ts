import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bridge, TOKEN } from "./bridge.ts";

let bridge: Bridge;
beforeAll(async () => {
  bridge = await Bridge.start();
});
afterAll(() => bridge.stop());

it("the example prints what the README shows", async () => {
  const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
  const block = (kind: string): string => new RegExp(`\`\`\`${kind}\n(.*?)\`\`\``, "s").exec(readme)![1]!;
  // In the package's folder, where its own name leads to what is built.
  const file = join(import.meta.dirname, "..", "dist", "readme-example.mjs");
  writeFileSync(file, block("js"));
  const env = { PATH: process.env.PATH, AQUEDUCT_URL: bridge.url, AQUEDUCT_TOKEN: TOKEN };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: bridge.project, env });
  expect(stdout).toBe(block("text"));
});
