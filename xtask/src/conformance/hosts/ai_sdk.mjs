// A program on the AI SDK with the provider for the CLI.

import { generateText, streamText } from "ai";
import { claudeCode, listSessions } from "ai-sdk-provider-claude-code";

import { cliEnded, perform } from "./host.mjs";

const settings = { pathToClaudeCodeExecutable: process.env.CLAUDE_CODE_EXECUTABLE, cwd: process.cwd() };

let session;

/** Permission requests that are not recorded yet. They reach the host beside the stream, before or after a call's parts. */
const asked = [];

/** One turn: what is streamed, and how it ended. */
async function turn(record, script, more = {}, control = undefined) {
  let text;
  // The provider puts the role before the prompt, and a script begins at the beginning of a line.
  const prompt = `go\n${script}`;
  const result = streamText({ model: claudeCode("sonnet", { ...settings, ...more }), prompt, abortSignal: control?.signal, onError: () => {} });
  for await (const part of result.stream ?? result.fullStream) {
    if (part.type === "text-delta" || part.type === "reasoning-delta") {
      if (text?.type !== part.type) record((text = { type: part.type, text: "" }));
      text.text += part.text;
      control?.abort();
    } else {
      text = undefined;
      if (part.type === "tool-result" || part.type === "tool-error") asked.splice(0).forEach(record);
      record(shown(part));
    }
  }
  return result;
}

function shown(part) {
  switch (part.type) {
    case "tool-call":
      return { type: part.type, tool: part.toolName, input: part.input };
    case "tool-result":
      return { type: part.type, tool: part.toolName, output: part.output };
    case "tool-error":
      return { type: part.type, tool: part.toolName };
    case "finish":
      return { type: part.type, reason: part.finishReason, usage: part.totalUsage };
    case "error":
      return { type: part.type, message: String(part.error?.message ?? part.error) };
    default:
      return { type: part.type };
  }
}

const decide = (answer) => ({
  streamingInput: "always",
  canUseTool: async (tool, input) => {
    asked.push({ asked: tool, input });
    return answer(input);
  },
});

await perform({
  async stream(record) {
    await turn(record, "@say A text that comes in several pieces.");
    await turn(record, "@think a thought | and its answer");
  },
  async permission(record) {
    const allow = decide((updatedInput) => ({ behavior: "allow", updatedInput }));
    await turn(record, '@tool Bash {"command":"echo allowed","description":"Print a line"}\n@say done', allow);
    await turn(record, '@tool Bash {"command":"touch made.txt","description":"Make a file"}\n@say made', allow);
  },
  async denial(record) {
    const deny = decide(() => ({ behavior: "deny", message: "not today" }));
    await turn(record, '@tool Bash {"command":"touch denied.txt","description":"Make a file"}\n@say denied', deny);
  },
  async interrupt(record) {
    const control = new AbortController();
    const events = (event) => record(event.text === undefined ? event : { type: event.type });
    try {
      await turn(events, "@slow 4000 0.05", {}, control);
    } catch (error) {
      record({ thrown: error.name });
    }
    await turn(record, "@say after the interrupt");
  },
  async resume(record) {
    const first = await generateText({ model: claudeCode("sonnet", settings), prompt: "go\n@say first" });
    session = metadata(first).sessionId;
    record({ text: first.text, session });
    for (const more of [{ resume: session }, { resume: session, forkSession: true }, { continue: true }]) {
      const next = await generateText({ model: claudeCode("sonnet", { ...settings, ...more }), prompt: "go\n@say next" });
      record({ text: next.text, session: metadata(next).sessionId });
    }
  },
  async list(record) {
    await cliEnded();
    const listed = await listSessions({ dir: process.cwd() });
    const titles = listed.map(({ summary, firstPrompt, customTitle }) => ({ summary, firstPrompt, customTitle }));
    titles.map((title) => JSON.stringify(title)).sort().forEach((title) => record(JSON.parse(title)));
  },
});

function metadata(result) {
  return (result.finalStep?.providerMetadata ?? result.providerMetadata)["claude-code"];
}
