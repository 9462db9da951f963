// What every driver in JavaScript shares: duties are performed one after the other, and each prints one line of JSON,
// {"duty", "events"} with an "error" where it failed. The suite compares the events of both programs.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How long one duty may take. */
const LIMIT = 60_000;

/** Performs duties in their order: a map from a name to a function that receives the function to record events with. */
export async function perform(duties, limit = LIMIT) {
  for (const [duty, run] of Object.entries(duties)) {
    const events = [];
    const line = { duty, events };
    try {
      await within(limit, `the duty ${duty}`, run((event) => events.push(event)));
    } catch (error) {
      line.error = describe(error);
    }
    console.log(JSON.stringify(line));
  }
  process.exit(0);
}

/** The result of a promise, or an error if it takes too long. */
export async function within(milliseconds, what, promise) {
  let timer;
  const expired = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Repeats a function until it returns something true. */
export async function until(what, condition, milliseconds = 30_000) {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${milliseconds / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
