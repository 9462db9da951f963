// Task Master with the CLI as its model: documents become tasks, and tasks are changed.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

import { perform } from "./host.mjs";

const [program] = process.argv.slice(2);

const model = { provider: "claude-code", modelId: "sonnet", maxTokens: 64000, temperature: 0.2 };

function prepare() {
  mkdirSync(".taskmaster/tasks", { recursive: true });
  const config = {
    models: { main: model, research: model, fallback: model },
    global: { logLevel: "error", defaultSubtasks: 3, defaultPriority: "medium", anonymousTelemetry: false },
    claudeCode: { pathToClaudeCodeExecutable: process.env.CLAUDE_CODE_EXECUTABLE },
  };
  writeFileSync(".taskmaster/config.json", JSON.stringify(config));
  writeFileSync(".taskmaster/tasks/tasks.json", JSON.stringify({ master: { tasks: [], metadata: {} } }));
}

function run(record, ...args) {
  try {
    execFileSync(process.execPath, [program, ...args], { encoding: "utf8", timeout: 240_000, stdio: ["ignore", "pipe", "pipe"] });
    record({ ran: args[0] });
  } catch (error) {
    throw new Error(`${args[0]} failed: ${String(error.stdout).slice(-1500)} ${String(error.stderr).slice(-1500)}`);
  }
}

function tasks(record) {
  const { master } = JSON.parse(readFileSync(".taskmaster/tasks/tasks.json", "utf8"));
  for (const task of master.tasks) record({ task });
}

const task = (id, title) => ({
  id, title, description: `What ${title} is`, details: "How", testStrategy: "By hand", priority: "high", dependencies: [], status: "pending",
});

await perform({
  async stream(record) {
    prepare();
    const answer = { tasks: [task(1, "one"), task(2, "two")], metadata: { projectName: "p", totalTasks: 2, sourceFile: "prd.txt", generatedAt: "2026-01-01" } };
    writeFileSync("prd.txt", `Two things.\n@tool StructuredOutput ${JSON.stringify(answer)}\n@say ${JSON.stringify(answer)}\n`);
    run(record, "parse-prd", "prd.txt", "--num-tasks", "2", "--force");
    tasks(record);
    const { id, priority, status, ...added } = task(3, "three");
    run(record, "add-task", "--prompt", `One more.\n@tool StructuredOutput ${JSON.stringify(added)}\n@say ${JSON.stringify(added)}`);
    tasks(record);
  },
});
