// A program on the unofficial TypeScript SDK: the prompt goes to standard input, and messages come as lines of JSON.

import { existsSync } from "node:fs";

import { claude } from "@instantlyeasy/claude-code-sdk-ts";

import { perform, until } from "./host.mjs";

const program = () => claude().inDirectory(process.cwd());

/** A message without what each program brings with it. */
function shown({ type, subtype, content, message, result, is_error, num_turns, usage, ...rest }) {
  if (type === "system") return { type, subtype };
  return { type, subtype, content: content ?? message?.content, result, is_error, num_turns, usage, denials: rest.permission_denials };
}

async function turn(record, query) {
  await query.stream((message) => record(shown(message)));
}

await perform({
  async stream(record) {
    await turn(record, program().query("@say A text of one turn."));
    await turn(record, program().query("@think a thought | and its answer"));
    record({ text: await program().query("@say once more").asText() });
    record({ result: await program().query("@say the result").asResult() });
    record({ usage: await program().query("@say what it took").getUsage() });
  },
  async permission(record) {
    const allowed = program().allowTools("Bash");
    await turn(record, allowed.query('@tool Bash {"command":"echo allowed","description":"Print a line"}\n@say done'));
    const bypassed = program().skipPermissions();
    const executions = await bypassed.query('@tool Bash {"command":"touch made.txt","description":"Make a file"}\n@say made').asToolExecutions();
    executions.forEach(({ tool, input, result, isError }) => record({ tool, input, result, isError }));
    record({ made: existsSync("made.txt") });
  },
  async denial(record) {
    const denied = program().denyTools("Bash");
    const query = denied.query('@tool Bash {"command":"touch denied.txt","description":"Make a file"}\n@say denied');
    await turn(record, query);
    record({ made: existsSync("denied.txt") });
  },
  async interrupt(record) {
    const control = new AbortController();
    const query = program()
      .allowTools("Bash")
      .withSignal(control.signal)
      .query('@tool Bash {"command":"touch running && sleep 600","description":"Wait"}');
    const ended = turn(record, query).catch((error) => record({ thrown: error.name }));
    await until("the command's start", () => existsSync("running"));
    control.abort();
    await ended;
    await turn(record, program().query("@say after the interrupt"));
  },
  async resume(record) {
    const session = await program().query("@say first").getSessionId();
    const resumed = program().withSessionId(session).query("@say resumed");
    await turn(record, resumed);
    record({ "same session": (await resumed.getSessionId()) === session });
  },
});
