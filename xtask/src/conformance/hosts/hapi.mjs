// HAPI: a hub with an HTTP API, and a runner that starts the CLI for sessions of the hub.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";

import { perform, until } from "./host.mjs";

const [program] = process.argv.slice(2);

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const url = `http://127.0.0.1:${port}`;

const env = { ...process.env, HAPI_HOME: `${process.env.HOME}/.hapi`, CLI_API_TOKEN: "token", HAPI_LISTEN_PORT: String(port), HAPI_API_URL: url };
const start = (...args) => spawn(program, args, { env, stdio: "ignore" });

let token;

async function call(method, path, body) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

const get = (path) => call("GET", path);
const post = (path, body = {}) => call("POST", path, body);

let session;
let seen = 0;

async function open() {
  start("hub");
  await until("the hub's start", () => get("/health").catch(() => false));
  token = (await post("/api/auth", { accessToken: "token" })).token;
  start("runner", "start-sync");
  const machine = await until("the runner's start", async () => (await get("/api/machines")).machines[0]);
  const spawned = await post(`/api/machines/${machine.id}/spawn`, { directory: process.cwd(), agent: "claude" });
  if (spawned.type !== "success") throw new Error(JSON.stringify(spawned));
  session = spawned.sessionId;
  await until("the session's start", async () => (await state()).active);
}

async function fresh() {
  const { messages } = await get(`/api/sessions/${session}/messages?limit=200`);
  return messages.filter(({ seq }) => seq > seen).sort((a, b) => a.seq - b.seq);
}

/** The CLI reports that it is ready: the end of a turn that was not stopped. */
const ready = ({ content }) => content.content?.data?.type === "ready";

/** HAPI reports no such end where a call was denied or the turn was aborted. */
const answered = ({ content }) =>
  [content.content?.data?.message?.content].flat().some((block) => block?.type === "tool_result");
const aborted = ({ content }) => content.content?.data?.message === "Aborted by user";

/** Sends a prompt, and records what the hub has when the message that ends the turn is there and the CLI is idle. */
async function turn(record, text, during = async () => {}, ends = ready) {
  await post(`/api/sessions/${session}/messages`, { text });
  await during();
  const messages = await until("the end of a turn", async () => {
    const messages = await fresh();
    if (!messages.some(ends)) return false;
    const { thinking, agentState } = await state();
    return !thinking && Object.keys(agentState?.requests ?? {}).length === 0 && messages;
  });
  seen = messages.at(-1).seq;
  messages.map(({ content }) => shown(content)).filter(Boolean).forEach(record);
}

function shown({ role, content }) {
  if (role === "user") return { role, text: content.text };
  const { type, data } = content;
  if (type !== "output") return { role, type, event: data?.type, message: data?.message };
  const { subtype, message, resultSummary } = data;
  for (const block of Array.isArray(message?.content) ? message.content : []) delete block.permissions?.date;
  return { role, type: data.type, subtype, content: message?.content, usage: resultSummary?.usage, turns: resultSummary?.num_turns };
}

const state = async () => (await get(`/api/sessions/${session}`)).session;

async function decide(record, decision, body) {
  const [id, { tool, arguments: input }] = await until("a permission request", async () => Object.entries((await state()).agentState?.requests ?? {})[0]);
  record({ asked: tool, input });
  await post(`/api/sessions/${session}/permissions/${id}/${decision}`, body);
}

await perform({
  async stream(record) {
    await open();
    await turn(record, "@say A text of one turn.");
    await turn(record, "@think a thought | and its answer");
  },
  async permission(record) {
    await turn(record, '@tool Bash {"command":"touch made.txt","description":"Make a file"}\n@say made', () => decide(record, "approve"));
  },
  async denial(record) {
    await turn(record, '@tool Bash {"command":"touch denied.txt","description":"Make a file"}\n@say denied', () => decide(record, "deny"), answered);
    await turn(record, "@say still here");
    await turn(record, "@say and again");
  },
  async interrupt(record) {
    await turn(
      (event) => record(Array.isArray(event.content) && event.type === "assistant" ? { ...event, content: "begun" } : event),
      '@saytool First a word.|Bash {"command":"touch running && sleep 600","description":"Wait"}',
      async () => {
        await decide(record, "approve");
        await until("the command's start", async () => existsSync("running"));
        await post(`/api/sessions/${session}/abort`);
      },
      aborted,
    );
    await turn(record, "@say after the interrupt");
  },
  async resume(record) {
    await post(`/api/sessions/${session}/archive`);
    await until("the end of the session", async () => !(await state()).active);
    const resumed = await post(`/api/sessions/${session}/resume`);
    record({ type: resumed.type });
    if (resumed.sessionId !== session) seen = 0;
    session = resumed.sessionId;
    await until("the session's start", async () => (await state()).active);
    const before = await fresh();
    seen = before.at(-1)?.seq ?? seen;
    await turn(record, "@say resumed");
  },
  async list(record) {
    for (const { active, thinking, metadata, pendingRequestsCount } of (await get("/api/sessions")).sessions) {
      record({ active, thinking, pendingRequestsCount, summary: metadata?.summary?.text, flavor: metadata?.flavor });
    }
  },
});
