// Takes a session through its life with openapi-fetch and the types that openapi-typescript has generated.
//
// session.mjs URL TOKEN PROJECT: prints a JSON object a case, with its verdict. The compiler checks the use of the
// types; this program checks that they are true.

import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[]; exit(code: number): never };

type Schemas = components["schemas"];
type Message = Schemas["BridgeMessage"];
type Kind = Message["type"];
type Of<K extends Kind> = Extract<Message, { type: K }>;

const [url, token, project] = process.argv.slice(2) as [string, string, string];
const WAIT_MS = 60_000;

const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });

function assert(condition: unknown, what: unknown): asserts condition {
  if (!condition) throw new Error(typeof what === "string" ? what : JSON.stringify(what));
}

/** The answer of a request, which must be the one that the document promises. */
function ok<K extends Kind, T extends { type: K }>(kind: K, reply: { data?: T; error?: unknown }): T {
  assert(reply.data?.type === kind, reply.error ?? reply.data);
  return reply.data;
}

/** The error of a request that must fail. */
function refused(reply: { error?: Schemas["ErrorReply"]; response: Response }, status: number, code: string): void {
  assert(reply.response.status === status, `${reply.response.status} in place of ${status}`);
  assert(reply.error?.type === "error" && reply.error.code === code, reply.error);
}

/** Server-sent events. Those that no caller awaits are skipped. */
class Events {
  #arrived: Message[] = [];
  #wake: () => void = () => {};
  #ended = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    void this.#read(stream.getReader()).finally(() => {
      this.#ended = true;
      this.#wake();
    });
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data: ")) this.#arrived.push(JSON.parse(line.slice(6)) as Message);
      }
      this.#wake();
    }
  }

  async until<K extends Kind>(kind: K, fits: (message: Of<K>) => boolean = () => true): Promise<Of<K>> {
    const late = AbortSignal.timeout(WAIT_MS);
    for (;;) {
      const message = this.#arrived.shift();
      if (message === undefined) {
        assert(!this.#ended, `the stream has ended before ${kind}`);
        await new Promise<void>((resolve, reject) => {
          this.#wake = resolve;
          late.onabort = () => reject(new Error(`${kind} has not come`));
        });
      } else if (message.type === kind && fits(message as Of<K>)) {
        return message as Of<K>;
      }
    }
  }
}

const sessionId = crypto.randomUUID() as string;
const path = { sessionId };

async function everyEvent(): Promise<Events> {
  const { data } = await client.GET("/api/v1/events", { parseAs: "stream" });
  assert(data, "there is no stream of events");
  return new Events(data);
}

async function sessionEvents(): Promise<Events> {
  const params = { path, query: { sinceSeq: 0 } };
  const { data } = await client.GET("/api/v1/sessions/{sessionId}/events", { params, parseAs: "stream" });
  assert(data, "there is no stream of the session's events");
  return new Events(data);
}

async function send(text: string, clientMessageId?: string): Promise<Schemas["InputAck"]> {
  const body = { text, clientMessageId: clientMessageId ?? null };
  return ok("input_ack", await client.POST("/api/v1/sessions/{sessionId}/inputs", { params: { path }, body }));
}

async function greet(): Promise<void> {
  const hello = ok("hello", await client.GET("/api/v1/hello"));
  assert(hello.protocol === 1 && hello.device.scope === "admin", hello);
  const agents = ok("agents", await client.GET("/api/v1/agents"));
  assert(agents.agents.some((agent) => agent.name === agents.defaultAgent), agents);
}

async function readDocument(): Promise<void> {
  const stranger = createClient<paths>({ baseUrl: url });
  const { data } = await stranger.GET("/api/v1/openapi.json");
  assert(data?.openapi === "3.1.0", "the document is another one");
  refused(await stranger.GET("/api/v1/hello"), 401, "unauthorized");
}

async function begin(): Promise<void> {
  const body = { projectPath: project, sessionId, title: "From TypeScript", model: "scripted" };
  const done = ok("ok", await client.POST("/api/v1/sessions", { body }));
  assert(done.sessionId === sessionId, done);
  const { sessions } = ok("session_list", await client.GET("/api/v1/sessions"));
  assert(sessions.some((session) => session.sessionId === sessionId), sessions);
}

async function talk(): Promise<void> {
  const ack = await send("@say hello from the model", "first");
  assert(ack.clientMessageId === "first", ack);
  const { message } = await stream.until("assistant");
  const [block] = message.content;
  assert(block?.type === "text" && block.text === "hello from the model", message);
  const result = await stream.until("result");
  assert(!result.isError && result.sessionId === sessionId, result);
}

async function allow(): Promise<void> {
  await send('@tool Bash {"command":"echo allowed > allowed.txt"}\n@say done');
  await stream.until("permission_request");
  const { snapshot } = ok("session", await client.GET("/api/v1/sessions/{sessionId}", { params: { path } }));
  const [pending] = snapshot.pending;
  assert(pending?.kind === "permission" && pending.toolName === "Bash", snapshot);
  const params = { path: { sessionId, id: pending.id } };
  const body = { inputHash: pending.inputHash };
  const approve = () =>
    client.POST("/api/v1/sessions/{sessionId}/permissions/{id}/approve", { params, body });
  ok("ok", await approve());
  assert((await stream.until("permission_resolved")).decision === "allowed", "it was not allowed");
  assert(!(await stream.until("tool_result")).isError, "the tool has failed");
  await stream.until("result");
  const again = await approve();
  assert(again.error?.code === "already_resolved" || again.error?.code === "permission_not_found", again.data);
}

async function deny(): Promise<void> {
  await send('@tool Bash {"command":"echo denied > denied.txt"}\n@say done');
  const asked = await stream.until("permission_request");
  const params = { path: { sessionId, id: asked.id } };
  const body = { message: "Not now." };
  ok("ok", await client.POST("/api/v1/sessions/{sessionId}/permissions/{id}/reject", { params, body }));
  assert((await stream.until("permission_resolved")).decision === "denied", "it was not denied");
  await stream.until("result");
}

async function answerQuestion(): Promise<void> {
  const options = ["red", "blue"].map((label) => ({ label, description: label }));
  const question = { question: "Which colour?", header: "Colour", multiSelect: false, options };
  await send(`@tool AskUserQuestion ${JSON.stringify({ questions: [question] })}\n@say thanks`);
  const asked = await stream.until("permission_request");
  assert(asked.kind === "question", asked);
  const params = { path: { sessionId, toolUseId: asked.id } };
  const body = { answers: { "Which colour?": "blue" } };
  ok("ok", await client.POST("/api/v1/sessions/{sessionId}/questions/{toolUseId}/answer", { params, body }));
  const resolved = await stream.until("permission_resolved");
  assert(resolved.decision === "answered" && resolved.answers?.["Which colour?"] === "blue", resolved);
  await stream.until("result");
}

async function stopTurn(): Promise<void> {
  await send("@slow 2000 0.05");
  await stream.until("stream_delta");
  const queued = await send("@say never", "queued");
  assert(queued.state === "queued", queued);
  const params = { path: { sessionId, inputId: queued.inputId } };
  ok("ok", await client.DELETE("/api/v1/sessions/{sessionId}/queue/{inputId}", { params }));
  ok("ok", await client.POST("/api/v1/sessions/{sessionId}/interrupt", { params: { path } }));
  assert((await stream.until("result")).interrupted, "the turn was not interrupted");
}

async function readHistory(): Promise<void> {
  const params = { path, query: { limit: 200 } };
  const page = ok("history", await client.GET("/api/v1/sessions/{sessionId}/messages", { params }));
  assert(page.lastSeq === page.toSeq && !page.more, page);
  const kinds = new Set(page.messages.map((message) => message.type));
  const wanted: Kind[] = [
    "system", "user_input", "assistant", "permission_request", "permission_resolved", "tool_result", "result",
  ];
  for (const kind of wanted) assert(kinds.has(kind), `${kind} is not in the history`);
  const query = { query: "hello from the model" };
  const found = ok("search_results", await client.GET("/api/v1/search", { params: { query } }));
  assert(found.query === query.query, found);
  const { data: document } = await client.GET("/api/v1/sessions/{sessionId}/export/{format}", {
    params: { path: { sessionId, format: "markdown" } },
    parseAs: "text",
  });
  assert(document?.includes("hello from the model"), document);
  ok("context", await client.GET("/api/v1/sessions/{sessionId}/context", { params: { path } }));
  ok("usage", await client.GET("/api/v1/usage", { params: { query: { from: "2026-01-01" } } }));
}

async function lookAround(): Promise<void> {
  const { files } = ok(
    "files",
    await client.GET("/api/v1/files", { params: { query: { sessionId, query: "allowed" } } }),
  );
  assert(files.length === 1 && files[0]?.path === "allowed.txt", files);
  const file = ok(
    "file",
    await client.GET("/api/v1/file", { params: { query: { sessionId, path: "allowed.txt" } } }),
  );
  assert(file.content === "allowed\n" && file.encoding === "text", file);
  ok("devices", await client.GET("/api/v1/devices"));
}

async function rename(): Promise<void> {
  const title = "Renamed from TypeScript";
  ok("ok", await client.PUT("/api/v1/sessions/{sessionId}/title", { params: { path }, body: { title } }));
  const note = await stream.until("system", (note) => note.subtype === "title_changed");
  assert(note.title === title, note);
  const { sessions } = ok(
    "recent_sessions",
    await client.GET("/api/v1/sessions/recent", { params: { query: { query: title } } }),
  );
  assert(sessions.length === 1 && sessions[0]?.sessionId === sessionId, sessions);
}

async function end(): Promise<void> {
  const params = { path };
  ok("ok", await client.POST("/api/v1/sessions/{sessionId}/stop", { params }));
  await stream.until("status", (change) => change.status === "stopped");
  refused(await client.GET("/api/v1/sessions/{sessionId}/context", { params }), 409, "agent_not_running");
  ok("ok", await client.DELETE("/api/v1/sessions/{sessionId}", { params }));
  assert((await everything.until("session_deleted")).sessionId === sessionId, "another session was deleted");
  refused(await client.GET("/api/v1/sessions/{sessionId}", { params }), 404, "session_not_found");
}

const everything = await everyEvent();
let stream: Events;

const cases: [string, () => Promise<void>][] = [
  ["hello and agents", greet],
  ["the document without a token", readDocument],
  ["start and list", begin],
  ["input and events", talk],
  ["allow", allow],
  ["deny", deny],
  ["answer a question", answerQuestion],
  ["queue, cancel, interrupt", stopTurn],
  ["history, search, export", readHistory],
  ["files", lookAround],
  ["rename", rename],
  ["stop and delete", end],
];

for (const [name, play] of cases) {
  let [verdict, note] = ["passed", ""];
  try {
    await play();
    if (play === begin) stream = await sessionEvents();
  } catch (error) {
    [verdict, note] = ["failed", error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
  console.log(JSON.stringify({ case: name, verdict, note }));
}
// The streams do not end by themselves.
process.exit(0);
