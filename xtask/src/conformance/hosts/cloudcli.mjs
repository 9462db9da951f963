// CloudCLI: a server with an HTTP API for sessions and a WebSocket for conversations.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";

import WebSocket from "ws";

import { perform, until } from "./host.mjs";

const [program] = process.argv.slice(2);

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

const env = {
  ...process.env,
  SERVER_PORT: String(port),
  HOST: "127.0.0.1",
  DATABASE_PATH: `${process.env.HOME}/cloudcli.sqlite`,
  CLAUDE_CLI_PATH: process.env.CLAUDE_CODE_EXECUTABLE,
  NODE_ENV: "production",
};

let token;
let socket;
let session;
let received = [];

async function call(method, path, body) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function open() {
  spawn(process.execPath, [program], { env, stdio: "ignore" });
  await until("the server's start", () => call("GET", "/api/auth/status").catch(() => false));
  token = (await call("POST", "/api/auth/register", { username: "ada", password: "a-password" })).token;
  socket = new WebSocket(`ws://127.0.0.1:${port}/ws?token=${token}`);
  socket.on("message", (text) => received.push(JSON.parse(text)));
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  await create();
}

async function create() {
  const { data } = await call("POST", "/api/providers/sessions", { provider: "claude", projectPath: process.cwd() });
  session = data.sessionId ?? data.session?.id ?? data.id;
}

const send = (message) => socket.send(JSON.stringify({ sessionId: session, ...message }));
const found = (what, kind) => until(what, () => received.find((message) => message.kind === kind));

/** One turn: what the server sends until the run is complete. */
async function turn(record, content, during = async () => {}) {
  received = [];
  send({ type: "chat.send", content, options: { permissionMode: "default" } });
  await during();
  await found("the end of a turn", "complete");
  let text;
  for (const message of received) {
    if (message.kind === "stream_delta") {
      if (!text) record((text = { kind: message.kind, text: "" }));
      text.text += message.content;
      continue;
    }
    if (OTHERS.includes(message.kind)) continue;
    text = undefined;
    record(shown(message));
  }
}

/** What depends on a watcher of files, or on what each program brings. */
const OTHERS = ["session_upserted", "loading_progress", "chat_subscribed"];

function shown({ id, seq, sessionId, actualSessionId, timestamp, uuid, toolUseResult, ...rest }) {
  delete rest.toolResult?.toolUseResult;
  // A tool that was interrupted answers in the program's own words.
  for (const result of [rest, rest.toolResult]) {
    if (result?.isError && result.content !== "not today") result.content = "an error";
  }
  return rest;
}

async function decide(record, allow) {
  const { requestId, toolName, input } = await found("a permission request", "permission_request");
  record({ asked: toolName, input });
  send({ type: "chat.permission-response", requestId, allow, message: allow ? undefined : "not today" });
}

await perform({
  async stream(record) {
    await open();
    await turn(record, "@say A text that comes in several pieces.");
    await turn(record, "@think a thought | and its answer");
  },
  async permission(record) {
    await turn(record, '@tool Bash {"command":"touch made.txt","description":"Make a file"}\n@say made', () => decide(record, true));
  },
  async denial(record) {
    await turn(record, '@tool Bash {"command":"touch denied.txt","description":"Make a file"}\n@say denied', () => decide(record, false));
    await turn(record, "@say still here");
  },
  async interrupt(record) {
    await turn(record, '@tool Bash {"command":"touch running && sleep 600","description":"Wait"}', async () => {
      await decide(record, true);
      await until("the command's start", () => existsSync("running"));
      send({ type: "chat.abort" });
    });
    await turn(record, "@say after the interrupt");
  },
  async resume(record) {
    // The server reads transcripts when it notices that they have changed.
    const messages = await until("the history", async () => {
      const { data } = await call("GET", `/api/providers/sessions/${session}/messages`);
      return data.messages.at(-1)?.content === "after the interrupt" && data.messages;
    });
    messages.map(shown).forEach(record);
    record((await call("GET", `/api/providers/sessions/${session}/token-usage`)).data);
    await turn(record, "@say resumed");
  },
  async list(record) {
    await create();
    await turn(() => {}, "@say a second session");
    const sessions = await until("both sessions in the list", async () => {
      const { data } = await call("GET", "/api/providers/sessions/recent");
      return data.conversations.length >= 2 && data.conversations;
    });
    for (const { provider, projectDisplayName, sessionTitle } of sessions) record({ provider, projectDisplayName, sessionTitle });
  },
});
