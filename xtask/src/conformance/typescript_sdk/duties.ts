// Drives an agent through the TypeScript SDK, and reports a verdict for each duty, a JSON object a line:
//
//     node duties.mjs AGENT [NAME...]
//
// The model behind the agent is scripted: prompts define what it does.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import {
  createSdkMcpServer,
  getSessionMessages,
  type Options,
  type Query,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  tool,
} from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

const [agent, ...wanted] = process.argv.slice(2);
const TIME_LIMIT_MS = 60_000;

/** A line that makes the model call a tool. */
const call = (name: string, input: object): string => `@tool ${name} ${JSON.stringify(input)}`;

/** A project of its own, and what an agent is started with there. */
class Place {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "aqueduct-duty-")));

  options(more: Options = {}): Options {
    return { pathToClaudeCodeExecutable: agent, cwd: this.path, settingSources: [], ...more };
  }

  write(name: string, text: string): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** One prompt, one conversation: all that came. */
  async ask(prompt: string, more: Options = {}): Promise<SDKMessage[]> {
    const messages: SDKMessage[] = [];
    for await (const message of query({ prompt, options: this.options(more) })) messages.push(message);
    return messages;
  }

  talk(more: Options = {}): Talk {
    return new Talk(this.options(more));
  }
}

/** A conversation of several prompts. */
class Talk {
  readonly query: Query;
  private readonly waiting: SDKUserMessage[] = [];
  private wake: () => void = () => {};
  private isOver = false;

  constructor(options: Options) {
    this.query = query({ prompt: this.prompts(), options });
  }

  private async *prompts(): AsyncGenerator<SDKUserMessage> {
    while (!this.isOver) {
      const next = this.waiting.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => { this.wake = resolve; });
    }
  }

  say(text: string): void {
    const message = { role: "user" as const, content: text };
    this.waiting.push({ type: "user", message, parent_tool_use_id: null } as SDKUserMessage);
    this.wake();
  }

  /** What comes until something has come. */
  async until(isIt: (message: SDKMessage) => boolean): Promise<SDKMessage[]> {
    const messages: SDKMessage[] = [];
    for (;;) {
      const next = await this.query.next();
      assert(!next.done, "the conversation ended");
      messages.push(next.value);
      if (isIt(next.value)) return messages;
    }
  }

  async turn(text: string): Promise<SDKMessage[]> {
    this.say(text);
    return this.until((message) => message.type === "result");
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }
}

function result(messages: SDKMessage[]): SDKResultMessage & { result?: string; structured_output?: unknown } {
  const found = messages.filter((message) => message.type === "result");
  assert.equal(found.length, 1);
  return found[0] as SDKResultMessage;
}

function init(messages: SDKMessage[]): Record<string, any> {
  const found = messages.find((message) => message.type === "system" && message.subtype === "init");
  assert(found, "no init");
  return found;
}

/** What tools gave back, as text. */
function results(messages: SDKMessage[]): string[] {
  const said = messages.filter((message) => message.type === "user");
  const blocks = said.flatMap((message: any) => (Array.isArray(message.message.content) ? message.message.content : []));
  return blocks.filter((block) => block.type === "tool_result").map((block) => JSON.stringify(block.content));
}

type Duty = (place: Place) => Promise<void>;

const DUTIES: Record<string, Duty> = {
  "a prompt is answered": async (place) => {
    const messages = await place.ask("@say hello");
    assert.equal(result(messages).result, "hello");
    assert.equal(init(messages).cwd, place.path);
  },

  "hooks are called and their answers used": async (place) => {
    const seen: string[] = [];
    const hooks: Options["hooks"] = {
      UserPromptSubmit: [{ hooks: [async () => (seen.push("prompt"), {})] }],
      PreToolUse: [{
        matcher: "Bash",
        hooks: [async (input: any) => {
          seen.push(`before ${input.tool_name}`);
          if (!input.tool_input.command.includes("secret")) return {};
          const decision = { hookEventName: "PreToolUse" as const, permissionDecision: "deny" as const };
          return { hookSpecificOutput: { ...decision, permissionDecisionReason: "not today" } };
        }],
      }],
      PostToolUse: [{ matcher: "Bash", hooks: [async (input: any) => (seen.push(`after ${input.tool_name}`), {})] }],
      Stop: [{ hooks: [async () => (seen.push("stop"), {})] }],
    };
    const allowed = { hooks, allowedTools: ["Bash"] };
    const denied = await place.ask(call("Bash", { command: "echo secret", description: "d" }), allowed);
    assert.match(results(denied)[0], /not today/);
    await place.ask(call("Bash", { command: "echo fine", description: "d" }), allowed);
    assert.deepEqual(seen, ["prompt", "before Bash", "stop", "prompt", "before Bash", "after Bash", "stop"]);
  },

  "the host is asked for permission": async (place) => {
    const asked: string[] = [];
    const file = join(place.path, "made.txt");
    const canUseTool: Options["canUseTool"] = async (name, input) => {
      asked.push(name);
      return name === "Bash"
        ? { behavior: "deny", message: "rather not" }
        : { behavior: "allow", updatedInput: { ...input, content: "changed" } };
    };
    const prompt = [
      call("Write", { file_path: file, content: "made" }),
      call("Bash", { command: "touch x", description: "d" }),
    ].join("\n");
    const messages = await place.ask(prompt, { canUseTool });
    assert.deepEqual(asked, ["Write", "Bash"]);
    assert.equal(readFileSync(file, "utf8"), "changed");
    assert(!existsSync(join(place.path, "x")));
    assert.equal(result(messages).permission_denials.length, 1);
  },

  "questions are answered": async (place) => {
    const question = { question: "Which?", header: "Choice", multiSelect: false };
    const options = [{ label: "left", description: "l" }, { label: "right", description: "r" }];
    const canUseTool: Options["canUseTool"] = async (_name, input) => ({
      behavior: "allow",
      updatedInput: { ...input, answers: { "Which?": "right" } },
    });
    const prompt = call("AskUserQuestion", { questions: [{ ...question, options }] });
    assert.match(results(await place.ask(prompt, { canUseTool }))[0], /right/);
  },

  "tools of the host are called": async (place) => {
    const called: string[] = [];
    const echo = tool("echo", "Repeats the text", { text: z.string() }, async ({ text }) => {
      called.push(text);
      return { content: [{ type: "text", text: `echo ${text}` }] };
    });
    const mcpServers = { own: createSdkMcpServer({ name: "own", version: "1.0.0", tools: [echo] }) };
    const prompt = call("mcp__own__echo", { text: "one" });
    const messages = await place.ask(prompt, { mcpServers, allowedTools: ["mcp__own__echo"] });
    assert.match(results(messages)[0], /echo one/);
    assert.deepEqual(called, ["one"]);
  },

  "subagents work and report": async (place) => {
    const agents = { helper: { description: "Helps", prompt: "You help." } };
    const sent = { description: "d", subagent_type: "helper", run_in_background: false };
    const inner = call("Bash", { command: "echo inner", description: "d" });
    const prompt = `${call("Agent", { ...sent, prompt: `${inner}\n@say from below` })}\n@say done`;
    const messages = await place.ask(prompt, { agents, allowedTools: ["Agent", "Task", "Bash"] });
    assert.equal(result(messages).result, "done");
    const below = messages.filter((message: any) => typeof message.parent_tool_use_id === "string");
    assert(below.some((message: any) => JSON.stringify(message).includes("echo inner")));
    const tasks = messages.filter((message: any) => message.subtype?.startsWith("task_"));
    assert(tasks.some((message: any) => message.subtype === "task_notification" && message.status === "completed"));
    assert.match(results(messages.filter((message: any) => !message.parent_tool_use_id))[0], /from below/);
  },

  "an interruption ends the turn and not the conversation": async (place) => {
    const talk = place.talk({ includePartialMessages: true });
    talk.say("@slow 200 0.05");
    await talk.until((message) => message.type === "stream_event");
    await talk.query.interrupt();
    const ended = await talk.until((message) => message.type === "result");
    assert.equal((result(ended) as any).terminal_reason, "aborted_streaming");
    assert.equal(result(await talk.turn("@say again")).result, "again");
    talk.end();
  },

  "mode and model change while it runs": async (place) => {
    const talk = place.talk();
    await talk.turn("@say one");
    await talk.query.setModel("haiku");
    await talk.query.setPermissionMode("acceptEdits");
    const messages = await talk.turn("@say two");
    assert.match(init(messages).model, /haiku/);
    assert.equal(init(messages).permissionMode, "acceptEdits");
    talk.end();
  },

  "what the agent has is reported": async (place) => {
    place.write(".claude/commands/own.md", "---\ndescription: Mine\n---\n@say mine $ARGUMENTS\n");
    const talk = place.talk({ settingSources: ["project"] });
    const commands = await talk.query.supportedCommands();
    assert(commands.some((command) => command.name === "own"));
    assert((await talk.query.supportedModels()).length > 0);
    assert.equal(result(await talk.turn("/own words")).result, "mine words");
    talk.end();
  },

  "answers have the requested form": async (place) => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const prompt = `${call("StructuredOutput", { n: "one" })}\n${call("StructuredOutput", { n: 1 })}`;
    const messages = await place.ask(prompt, { outputFormat: { type: "json_schema", schema } });
    assert.deepEqual(result(messages).structured_output, { n: 1 });
  },

  "a conversation is resumed and forked": async (place) => {
    const first = result(await place.ask("@say one")).session_id;
    const resumed = result(await place.ask("@say two", { resume: first }));
    assert.equal(resumed.session_id, first);
    const forked = result(await place.ask("@say three", { resume: first, forkSession: true })).session_id;
    assert.notEqual(forked, first);
    const kept = async (id: string) => (await getSessionMessages(id, { dir: place.path })).length;
    assert.equal(await kept(forked), (await kept(first)) + 2);
  },

  "an error of the API is reported": async (place) => {
    const messages: SDKMessage[] = [];
    const asking = async (): Promise<void> => {
      const options = place.options();
      for await (const message of query({ prompt: "@fail 400 9 no", options })) messages.push(message);
    };
    await asking().catch(() => {});
    assert.equal(result(messages).is_error, true);
  },
};

async function judge(duty: Duty): Promise<{ verdict: string; note: string }> {
  const place = new Place();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it takes too long")), TIME_LIMIT_MS);
  });
  try {
    await Promise.race([duty(place), late]);
    return { verdict: "passed", note: "" };
  } catch (error) {
    return { verdict: "failed", note: String((error as Error).message ?? error).slice(0, 500) };
  } finally {
    clearTimeout(timer);
    rmSync(place.path, { recursive: true, force: true });
  }
}

for (const [name, duty] of Object.entries(DUTIES)) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  console.log(JSON.stringify({ case: name, ...(await judge(duty)) }));
}
process.exit(0);
