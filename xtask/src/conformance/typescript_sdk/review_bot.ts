// Reviews changes, all at once: node review_bot.mjs AGENT SECONDS USD CHANGE...

import {
  type CanUseTool,
  createSdkMcpServer,
  type HookCallback,
  type Options,
  query,
  type SDKMessage,
  tool,
} from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

/** What the model sends to report a problem. */
const problem = {
  file: z.string(),
  line: z.number().int(),
  problem: z.string().describe("What is wrong, in one sentence."),
};

/** What a review comes to. */
const Verdict = z.object({
  approved: z.boolean().describe("Whether the change can be merged."),
  reason: z.string(),
});

/** Keeps secrets from the model, whatever is allowed. */
const guard: HookCallback = async (input) => {
  if (input.hook_event_name !== "PreToolUse" || !JSON.stringify(input.tool_input).includes(".env")) return {};
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "That file is secret.",
    },
  };
};

type Asked = { question: string; options: { label: string }[] };

/** Questions get their first option; beyond reading, only tests and reports are allowed. */
const decide: CanUseTool = async (name, input) => {
  if (name === "AskUserQuestion") {
    const questions = input.questions as Asked[];
    const answers = Object.fromEntries(questions.map((asked) => [asked.question, asked.options[0].label]));
    return { behavior: "allow", updatedInput: { ...input, answers } };
  }
  if (name === "mcp__review__report" || (name === "Bash" && input.command === "make test")) {
    return { behavior: "allow", updatedInput: input };
  }
  return { behavior: "deny", message: "Reviewers only read and test." };
};

/** A reviewer: what it can do, what it may do, and what it may cost. */
function reviewer(agent: string, usd: number, name: string): Options {
  const report = tool("report", "Reports a problem of the change", problem, async (found) => {
    console.log(`${name}: ${found.file}:${found.line}: ${found.problem}`);
    return { content: [{ type: "text", text: "reported" }] };
  });
  return {
    pathToClaudeCodeExecutable: agent,
    mcpServers: { review: createSdkMcpServer({ name: "review", tools: [report] }) },
    canUseTool: decide,
    hooks: { PreToolUse: [{ matcher: "Read|Bash", hooks: [guard] }] },
    maxBudgetUsd: usd,
    includePartialMessages: true,
  };
}

/** One prompt: calls a function for each message, and returns the result. */
async function run(prompt: string, options: Options, each: (message: SDKMessage) => void = () => {}) {
  for await (const message of query({ prompt, options })) {
    each(message);
    if (message.type !== "result") continue;
    if (message.subtype !== "success") throw new Error(message.subtype);
    return message;
  }
  throw new Error("the agent ended without a result");
}

/** Reviews a change, then resumes the session for the verdict. Returns it with the cost of both. */
async function review(options: Options, name: string, change: string) {
  let text = "";
  const reviewed = await run(`Review this change: ${change}`, options, (message) => {
    if (message.type === "stream_event" && message.parent_tool_use_id === null) {
      const { event } = message;
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    } else if (message.type === "assistant") {
      for (const block of message.message.content) {
        if (block.type === "tool_use") console.log(`${name}: > ${block.name}`);
      }
    }
  });
  console.log(`${name}: ${text}`);
  const schema = z.toJSONSchema(Verdict, { target: "draft-7" });
  const outputFormat = { type: "json_schema" as const, schema };
  const ended = await run("Can it be merged?", { ...options, resume: reviewed.session_id, outputFormat });
  return { verdict: Verdict.parse(ended.structured_output), cost: ended.total_cost_usd };
}

const [agent, seconds, usd, ...changes] = process.argv.slice(2);
const reviews = changes.map(async (change) => {
  const name = change.split("\n")[0];
  const abortController = new AbortController();
  const timer = setTimeout(() => abortController.abort(), Number(seconds) * 1000);
  try {
    const { verdict, cost } = await review({ ...reviewer(agent, Number(usd), name), abortController }, name, change);
    console.log(`${name}: approved: ${verdict.approved}, ${verdict.reason}`);
    return cost;
  } catch (error) {
    const late = abortController.signal.aborted;
    console.log(`${name}: ${late ? `not done within ${seconds} s` : (error as Error).message}`);
    return 0;
  } finally {
    clearTimeout(timer);
  }
});
const total = (await Promise.all(reviews)).reduce((sum, cost) => sum + cost, 0);
console.log(`${total.toFixed(4)} US$`);
