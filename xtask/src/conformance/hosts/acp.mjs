// An editor on the Agent Client Protocol: drives an ACP server that hosts the CLI.

import { cliEnded, peer, perform } from "./host.mjs";

const [server] = process.argv.slice(2);

let record = () => {};
let decide = "allow_once";
let begun = () => {};

/** Whether the text of an interrupted turn may be among the chunks: how far it came is a matter of the time. */
let mask = false;

/** Chunks of one text are one event, and all that is reported about one tool call is another. */
let chunk;
let tools = new Map();
let usage = {};

/** A frame may overtake a permission request inside the host, so the order of updates is not compared. */
function tool({ toolCallId, status, rawOutput, ...rest }) {
  let shown = tools.get(toolCallId);
  if (!shown) {
    shown = { tool: {}, statuses: [] };
    tools.set(toolCallId, shown);
    record(shown);
  }
  for (const [name, value] of Object.entries(rest)) if (!isEmpty(value)) shown.tool[name] = value;
  if (status && shown.statuses.at(-1) !== status) shown.statuses.push(status);
  // Tools answer in words of their own; what a command prints is not.
  if (rawOutput !== undefined) shown.output = shown.tool.name === "Bash" ? rawOutput : typeof rawOutput;
  return shown;
}

const isEmpty = (value) => value == null || (typeof value === "object" && Object.keys(value).length === 0);

function update({ sessionUpdate, ...rest }) {
  if (sessionUpdate.endsWith("_chunk") && rest.content?.type === "text") {
    if (chunk?.chunk !== sessionUpdate) {
      chunk = { chunk: sessionUpdate, text: "" };
      record(chunk);
    }
    chunk.text += mask ? rest.content.text.replace(/^w0( w\d+)* ?$/, "w0 …") : rest.content.text;
    if (sessionUpdate === "agent_message_chunk") begun();
    return;
  }
  // Each program brings its own commands; titles are made beside the conversation, and the duty list has them.
  if (["available_commands_update", "session_info_update"].includes(sessionUpdate)) return;
  if (sessionUpdate === "usage_update") {
    usage = { used: rest.used, size: rest.size, limits: usage.limits || "_claude/rateLimit" in (rest._meta ?? {}) };
    return;
  }
  chunk = undefined;
  if (sessionUpdate.startsWith("tool_call")) tool(rest);
  else record({ update: sessionUpdate, ...rest });
}

const start = () =>
  peer(process.execPath, [server], {
    onNotification: (method, params) => {
      if (method === "session/update") update(params.update);
      // Whether the user is logged in is reported at no fixed time.
      else if (method !== "_auth/status_update") record({ notification: method });
    },
    onRequest: (method, params) => {
      chunk = undefined;
      tool(params.toolCall).permission = { method, options: params.options };
      const option = params.options?.find((option) => option.kind === decide);
      return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
    },
  });

const initialize = () =>
  connection.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });

let connection = start();

async function open(method, params = {}) {
  const { sessionId, modes, models, configOptions } = await connection.request(method, {
    cwd: process.cwd(),
    mcpServers: [],
    ...params,
  });
  record({ method, modes, models: Boolean(models) });
  configOptions?.forEach((shown) => record({ option: option(shown) }));
  return sessionId ?? params.sessionId;
}

/** The models of each program are its own; that they can be chosen is not. */
function option({ id, category, currentValue, options }) {
  return category === "model" ? { id, category, choice: options.length > 1 } : { id, category, currentValue, options };
}

async function prompt(sessionId, text) {
  chunk = undefined;
  tools = new Map();
  usage = {};
  const content = [{ type: "text", text }];
  const turn = connection.request("session/prompt", { sessionId, prompt: content });
  // A host may report a turn that the user ended as an error.
  const { stopReason, usage: spent } = await turn.catch((error) => ({ stopReason: `error ${JSON.parse(error.message).code}` }));
  chunk = undefined;
  record({ stopReason, spent, usage });
}

const sessions = [];

const duties = {
  async stream(events) {
    record = events;
    record({ initialized: await initialize() });
    sessions.push(await open("session/new"));
    await prompt(sessions[0], "@say A text that comes in several pieces.");
    await prompt(sessions[0], "@think a thought | and its answer");
  },
  async permission(events) {
    record = events;
    decide = "allow_once";
    await prompt(sessions[0], '@tool Bash {"command":"touch made.txt","description":"Make a file"}\n@say made');
    await prompt(sessions[0], `@tool Write {"file_path":"${process.cwd()}/written.txt","content":"one\\ntwo\\n"}\n@say written`);
  },
  async denial(events) {
    record = events;
    decide = "reject_once";
    await prompt(sessions[0], '@tool Bash {"command":"touch denied.txt","description":"Make a file"}\n@say denied');
    decide = "allow_once";
    await prompt(sessions[0], "@say still here");
  },
  async interrupt(events) {
    // How far the text came depends on the timing.
    record = (event) => events(event.chunk ? { chunk: event.chunk } : event);
    const started = new Promise((resolve) => (begun = resolve));
    const turn = prompt(sessions[0], "@slow 4000 0.05");
    await started;
    connection.notify("session/cancel", { sessionId: sessions[0] });
    await turn;
    begun = () => {};
    record = events;
    await prompt(sessions[0], "@say after the interrupt");
  },
  async resume(events) {
    record = events;
    mask = true;
    const [sessionId] = sessions;
    await open("session/load", { sessionId });
    await prompt(sessionId, "@say loaded");
    await open("session/resume", { sessionId });
    await prompt(sessionId, "@say resumed");
    mask = false;
  },
  async list(events) {
    record = events;
    sessions.push(await open("session/new"));
    await prompt(sessions[1], "@say a second session");
    // As after a restart of the editor: while a CLI runs, its transcript may have an older title.
    connection.child.kill();
    await connection.ended.catch(() => {});
    await cliEnded();
    connection = start();
    await initialize();
    const { sessions: listed } = await connection.request("session/list", { cwd: process.cwd() });
    record({ listed: listed.map(({ title, cwd }) => ({ title, cwd })).sort((a, b) => (a.title < b.title ? -1 : 1)) });
  },
};

await perform(duties);
