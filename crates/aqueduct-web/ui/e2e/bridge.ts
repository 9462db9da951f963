// A real bridge with the scripted model, in a folder of its own.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PLAIN_HOST } from "./browser.ts";

const TOKEN = "e2e-token-that-no-other-client-has-0123456789";
/** How long a bridge may take to come up, and to go. Only a machine that is much too busy comes near. */
const UP_WITHIN_MS = 120_000;
/** How often a state is polled that is not reported. */
const LOOK_EVERY_MS = 25;

/** A command that ends when the test releases it: it holds a turn for as long as a test needs. */
export interface Gate {
  command: string;
  /** Lets the command end. */
  open(): Promise<void>;
}

/** What a bridge may be started with. */
export interface Options {
  /** Flags of `aqueduct serve`. */
  flags?: readonly string[];
  /** A script file for the model, which then needs no lines in prompts. */
  script?(project: string): string;
  /** Files of the project, besides the usual ones. */
  files?: Readonly<Record<string, string>>;
}

/** A bridge that runs. */
export class Bridge {
  readonly home: string;
  readonly project: string;
  private child: ChildProcess | undefined;
  private output = "";
  private gates = 0;

  private model: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly options: Options,
  ) {
    this.home = join(folder, "home");
    this.project = join(folder, "proj", "demo");
  }

  /** Starts a bridge with a project to work on. */
  static async start(options: Options = {}): Promise<Bridge> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "aqueduct-e2e-")));
    const bridge = new Bridge(folder, await freePort(), options);
    mkdirSync(bridge.home);
    mkdirSync(bridge.project, { recursive: true });
    writeFileSync(join(bridge.project, "readme.md"), "# Demo\n\nA project to try things with.\n");
    writeFileSync(join(bridge.project, "main.rs"), 'fn main() {\n    println!("hello");\n}\n');
    for (const [name, text] of Object.entries(options.files ?? {})) {
      mkdirSync(dirname(join(bridge.project, name)), { recursive: true });
      writeFileSync(join(bridge.project, name), text);
    }
    const git = (...args: string[]): unknown => execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd: bridge.project, stdio: "ignore" });
    git("init", "--initial-branch", "main");
    git("add", ".");
    git("commit", "--message", "Begin");
    await bridge.up();
    return bridge;
  }

  /** Where the bridge is. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The same by a name that browsers do not take for this machine. */
  get plainOrigin(): string {
    return `http://${PLAIN_HOST}:${this.port}`;
  }

  /** Runs the bridge, until it answers. */
  async up(): Promise<void> {
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: this.home, AQUEDUCT_TOKEN: TOKEN, LANG: "C.UTF-8", ...(await this.scripted()) };
    const flags = ["--listen", `127.0.0.1:${this.port}`, "--data-dir", join(this.folder, "data"), "--root", join(this.folder, "proj"), "--agent", "builtin", "--host", PLAIN_HOST, ...(this.options.flags ?? [])];
    const child = spawn(program(), ["serve", ...flags], { env, cwd: this.project, stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    const keep = (text: Buffer): void => {
      this.output += text.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const deadline = Date.now() + UP_WITHIN_MS;
    while (!(await this.answers())) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the bridge does not come up:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Runs the model of a script file; returns the variables that select it for agents. */
  private async scripted(): Promise<NodeJS.ProcessEnv> {
    const { script } = this.options;
    if (!script) return {};
    const file = join(this.folder, "model.script");
    writeFileSync(file, script(this.project));
    const port = await freePort();
    this.model = spawn(program(), ["scripted-api", "--listen", `127.0.0.1:${port}`, "--script", file], { stdio: "ignore" });
    return { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "none" };
  }

  /** A new gate in the project. Reading a pipe needs no permission, and waits for a writer. */
  gate(): Gate {
    const name = `gate-${++this.gates}`;
    const pipe = join(this.folder, "proj", "demo", name);
    execFileSync("mkfifo", [pipe]);
    return { command: `cat ${name}`, open: () => writeFile(pipe, "open\n") };
  }

  /** Ends the bridge's own process at once, as a crash would. Agents at work continue. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** Ends it, and everything that it left. */
  async stop(): Promise<void> {
    for (const id of await this.sessions().catch(() => [])) await this.ask("POST", `/sessions/${id}/stop`).catch(() => undefined);
    const { child } = this;
    if (child && child.exitCode === null) {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    }
    this.model?.kill();
    await this.remove();
  }

  /** Removes the folder. Agents that were just stopped may still tidy up in it. */
  private async remove(): Promise<void> {
    for (const deadline = Date.now() + UP_WITHIN_MS; ; ) {
      try {
        return await rm(this.folder, { recursive: true, force: true });
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS * 4));
      }
    }
  }

  /** Stops and deletes all sessions. */
  async forget(): Promise<void> {
    for (const id of await this.sessions()) {
      await this.ask("POST", `/sessions/${id}/stop`);
      await this.ask("DELETE", `/sessions/${id}`);
    }
  }

  /** The sessions that the bridge holds. */
  private async sessions(): Promise<string[]> {
    const { sessions } = (await this.ask("GET", "/sessions")) as { sessions: Array<{ sessionId: string }> };
    return sessions.map(({ sessionId }) => sessionId);
  }

  /** A link that gives a device access, confirmed. */
  async pairingLink(scope = "admin"): Promise<string> {
    const asked = (await (await this.request("POST", "/pairings", { scope })).json()) as { confirm: string };
    return ((await this.ask("POST", "/pairings", { scope, confirm: asked.confirm })) as { link: string }).link;
  }

  /** Waits until a session has had so many turns and none runs. */
  async turns(sessionId: string, count: number): Promise<void> {
    for (;;) {
      const { snapshot } = (await this.ask("GET", `/sessions/${sessionId}`)) as { snapshot: { session: { status: string; turns?: number }; queue: unknown[] } };
      const { status, turns = 0 } = snapshot.session;
      if (status === "idle" && snapshot.queue.length === 0 && turns >= count) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS * 4));
    }
  }

  /** One request of the HTTP API. */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.request(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  private request(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
    });
  }

  private async answers(): Promise<boolean> {
    return fetch(`${this.origin}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    );
  }
}

/** The program that is tried. */
export function program(): string {
  const { AQUEDUCT } = process.env;
  if (!AQUEDUCT) throw new Error("AQUEDUCT names no program: run cargo xtask web");
  return AQUEDUCT;
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
