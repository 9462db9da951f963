// What every driver in JavaScript shares: duties are performed one after the other, and each prints a line of JSON when
// it begins, {"begin"}, and one when it ends, {"duty", "events"} with an "error" where it failed. The suite compares the
// events of both programs.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** How long one duty may take, and one event in it: long enough for a busy machine, so that only a hang exceeds it. */
const LIMIT = 300_000;
const PATIENCE = 240_000;

/**
 * Performs duties in their order: a map from a name to a function that receives the function to record events with.
 * A duty that hangs is the last one, because it may still be running.
 */
export async function perform(duties, limit = LIMIT) {
  for (const [duty, run] of Object.entries(duties)) {
    const events = [];
    const line = { duty, events };
    print({ begin: duty });
    try {
      await within(limit, `the duty ${duty}`, run((event) => events.push(event)));
    } catch (error) {
      line.error = describe(error);
      line.expired = error instanceof Expired;
    }
    print(line);
    if (line.expired) break;
  }
  process.exit(0);
}

function print(line) {
  console.log(JSON.stringify(line));
}

class Expired extends Error {}

/** The result of a promise, or an error if it takes too long. */
export async function within(milliseconds, what, promise) {
  let timer;
  const expired = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Expired(`${what} took longer than ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Repeats a function until it returns something true. */
export async function until(what, condition, milliseconds = PATIENCE) {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > deadline) throw new Expired(`${what} did not happen within ${milliseconds / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until no CLI runs any more: what it writes when it ends is in its transcripts then. */
export async function cliEnded() {
  const program = process.env.CLAUDE_CODE_EXECUTABLE;
  const processes = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const runs = (id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0")[0] === program;
    } catch {
      return false;
    }
  };
  await until("the end of the CLI", () => !processes().some(runs));
}

/** A program that reads and writes lines of JSON. */
export function lines(command, args, onMessage) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.trim().startsWith("{")) onMessage(JSON.parse(line));
  });
  const ended = new Promise((_, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${command} ended with ${code}: ${errors.slice(-2000)}`)));
  });
  ended.catch(() => {});
  return { child, ended, send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`) };
}

/** A JSON-RPC peer over standard input and output: ACP and MCP. */
export function peer(command, args, { onNotification = () => {}, onRequest = () => ({}) } = {}) {
  let next = 0;
  const waiting = new Map();
  const connection = lines(command, args, async (message) => {
    if (message.method && message.id !== undefined) {
      connection.send({ jsonrpc: "2.0", id: message.id, result: await onRequest(message.method, message.params) });
    } else if (message.method) {
      onNotification(message.method, message.params);
    } else {
      const { resolve, reject } = waiting.get(message.id) ?? {};
      waiting.delete(message.id);
      if (message.error) reject?.(new Error(JSON.stringify(message.error)));
      else resolve?.(message.result);
    }
  });
  return {
    ...connection,
    notify: (method, params) => connection.send({ jsonrpc: "2.0", method, params }),
    request: (method, params) => {
      const id = ++next;
      const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      connection.send({ jsonrpc: "2.0", id, method, params });
      return Promise.race([answered, connection.ended]);
    },
  };
}

function describe(error) {
  return String(error?.message ?? error).slice(0, 4000);
}
