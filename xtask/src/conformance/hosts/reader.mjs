// A reader of transcripts: the CLI leaves sessions in the home, and the reader prints what it finds in them.

import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";

import { perform } from "./host.mjs";

const [reader, program] = process.argv.slice(2);

const claude = process.env.CLAUDE_CODE_EXECUTABLE;
const id = (digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`;

/** One turn, as a script in a shell starts it. */
function once(prompt, ...flags) {
  execFileSync(claude, ["-p", prompt, "--output-format", "json", ...flags], { stdio: ["ignore", "pipe", "pipe"], timeout: 240_000 });
}

/** A conversation that is open for several turns. */
async function converse(prompts, ...flags) {
  const child = spawn(claude, ["-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json", ...flags], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const say = () => {
    const content = prompts.shift();
    if (content === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (JSON.parse(line).type === "result") say();
  });
  say();
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`the CLI ended with ${code}`))));
  });
}

async function sessions() {
  once("@say A text of one turn.", "--session-id", id("1"));
  once("@think a thought | and its answer", "--session-id", id("2"));
  once("@say resumed", "--resume", id("2"));
  await converse(
    [
      '@saytool First a word.|Bash {"command":"echo from a command","description":"Print a line"}\n@say done',
      '@tools [["Bash",{"command":"echo one"}],["Bash",{"command":"exit 3"}]]\n@say both',
      "@say the last turn",
    ],
    "--session-id",
    id("3"),
    "--allowed-tools",
    "Bash",
  );
}

const run = (args) => execFileSync(program, args, { encoding: "utf8", timeout: 240_000, stdio: ["ignore", "pipe", "pipe"] });

/** The transcripts in the home, in the order of the sessions. */
function transcripts() {
  const projects = join(process.env.HOME, ".claude", "projects");
  const files = readdirSync(projects, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  return files.sort().map((name) => join(projects, name));
}

/** A member that is a list of sessions has no order of its own. */
const sorted = (list, name) => [...list].sort((a, b) => JSON.stringify(a[name]).localeCompare(JSON.stringify(b[name])));

const readers = {
  ccusage(record) {
    for (const report of ["daily", "monthly", "session", "blocks"]) {
      const shown = JSON.parse(run([report, "--json", "--offline"]));
      for (const [part, rows] of Object.entries(shown)) {
        if (Array.isArray(rows)) sorted(rows, "totalTokens").forEach((row) => record({ report, part, row: clean(row) }));
        else record({ report, part, row: clean(rows) });
      }
    }
  },
  "claude-monitor"(record) {
    const { limits, local, local_history } = JSON.parse(run(["--view", "realtime", "--output", "json", "--once", "--timezone", "UTC"]));
    const { tokens, cost_usd, sent_messages, model_distribution } = local;
    record({ used: limits.five_hour.tokens_used, tokens, cost_usd, sent_messages, model_distribution, total: local_history.total_tokens });
  },
  "claude-code-log"(record) {
    const projects = join(process.env.HOME, ".claude", "projects");
    for (const project of readdirSync(projects)) {
      const text = run([join(projects, project), "--format", "md", "--output", "-"]);
      // The name of the folder is in the title.
      for (const line of text.split("\n")) if (line.trim() && !line.startsWith("# Claude Transcripts")) record(line);
    }
  },
  "claude-code-transcripts"(record) {
    for (const session of transcripts()) {
      run(["json", session, "--output", "pages"]);
      written("pages").forEach((page) => recordLines(record, shown(page)));
    }
  },
  "claude-conversation-extractor"(record) {
    run(["--all", "--detailed", "--output", "texts"]);
    written("texts").forEach((text) => recordLines(record, text));
  },
};

/** The files that a reader has written into a folder. Dates in their names must not change their order. */
function written(folder) {
  const names = readdirSync(folder).map((name) => [name.replace(/\d{4}-\d\d-\d\d/, ""), name]);
  return names.sort().map(([, name]) => readFileSync(join(folder, name), "utf8"));
}

const recordLines = (record, text) => text.split("\n").filter((line) => line.trim()).forEach((line) => record(line));

/** What a page shows, without its own program and the times in its anchors. */
const shown = (page) => page.replace(/<(style|script)\b[^]*?<\/\1>/g, "").replace(/msg-[\dTZ-]+/g, "msg");

/** Without what depends on the clock. */
function clean(row) {
  const { burnRate, projection, startTime, endTime, actualEndTime, lastActivity, firstActivity, id, period, ...rest } = row ?? {};
  return rest;
}

await perform({
  async transcripts(record) {
    await sessions();
    await readers[reader](record);
  },
});
