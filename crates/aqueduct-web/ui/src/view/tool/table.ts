// Which tool is shown how.

import type { Look } from "./look.ts";
import { bash } from "./bash.tsx";
import { change } from "./change.tsx";
import { find } from "./find.tsx";
import { generic } from "./generic.tsx";
import { plan, question } from "./ask.tsx";
import { read } from "./read.tsx";
import { todo } from "./todo.tsx";
import { web } from "./web.tsx";

const LOOKS: Readonly<Record<string, Look>> = {
  Bash: bash,
  PowerShell: bash,
  Edit: change,
  MultiEdit: change,
  Write: change,
  NotebookEdit: change,
  Read: read,
  Glob: find,
  Grep: find,
  LS: find,
  TodoWrite: todo,
  WebFetch: web,
  WebSearch: web,
  AskUserQuestion: question,
  ExitPlanMode: plan,
};

const SUBAGENTS: ReadonlySet<string> = new Set(["Task", "Agent"]);

/** How a tool's calls are shown. */
export function lookOf(name: string): Look {
  return Object.hasOwn(LOOKS, name) ? LOOKS[name]! : generic;
}

/** Whether a tool starts a subagent. */
export function isSubagent(name: string): boolean {
  return SUBAGENTS.has(name);
}

/** A tool's name for people: those of MCP servers are distinguished. */
export function titleOf(name: string): string {
  const parts = /^mcp__(.+?)__(.+)$/.exec(name);
  return parts ? `${parts[2]} (${parts[1]})` : name;
}
