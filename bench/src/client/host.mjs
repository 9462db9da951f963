// A host on the TypeScript SDK: AGENT SESSIONS DELTAS. Prints what it took as JSON.

import { query } from "@anthropic-ai/claude-agent-sdk";

const [agent, sessions, deltas] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

/** A prompt that is given when it is asked for, so that all sessions are started before any streams. */
function heldPrompt() {
  let give;
  const given = new Promise((resolve) => (give = resolve));
  async function* prompts() {
    yield await given;
  }
  const message = { role: "user", content: `@flood ${deltas * 8} 8` };
  return { prompts: prompts(), give: () => give({ type: "user", message, parent_tool_use_id: null, session_id: "" }) };
}

const started = [];
for (let i = 0; i < sessions; i++) {
  const held = heldPrompt();
  const options = { pathToClaudeCodeExecutable: agent, model: "scripted", includePartialMessages: true };
  const run = query({ prompt: held.prompts, options });
  await run.initializationResult();
  started.push({ run, held });
}
const began = performance.now();
const cpu = process.cpuUsage();
const counts = await Promise.all(
  started.map(async ({ run, held }) => {
    held.give();
    let frames = 0;
    for await (const message of run) {
      frames++;
      if (message.type === "result") break;
    }
    return frames;
  }),
);
const seconds = (performance.now() - began) / 1000;
const used = process.cpuUsage(cpu);
const reported = {
  frames: counts.reduce((sum, count) => sum + count, 0),
  seconds,
  cpu_seconds: (used.user + used.system) / 1e6,
  peak_bytes: process.resourceUsage().maxRSS * 1024,
};
console.log(JSON.stringify(reported));
process.exit(0);
