// A real bridge with the scripted model, in a folder of its own.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TOKEN = "e2e-token-that-nobody-else-knows-0123456789";

/** A bridge that runs. */
export class Bridge {
  readonly home: string;
  readonly project: string;
  private child: ChildProcess | undefined;
  private output = "";

  private constructor(
    readonly folder: string,
    readonly port: number,
  ) {
    this.home = join(folder, "home");
    this.project = join(folder, "proj", "demo");
  }

  /** Starts a bridge with a project to work on. */
  static async start(): Promise<Bridge> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "aqueduct-e2e-")));
    const bridge = new Bridge(folder, await freePort());
    mkdirSync(bridge.home);
    mkdirSync(bridge.project, { recursive: true });
    writeFileSync(join(bridge.project, "readme.md"), "# Demo\n\nA project to try things with.\n");
    writeFileSync(join(bridge.project, "main.rs"), 'fn main() {\n    println!("hello");\n}\n');
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

  /** Runs the bridge, until it answers. */
  async up(): Promise<void> {
    const program = process.env.AQUEDUCT;
    if (!program) throw new Error("AQUEDUCT names no program: run cargo xtask web");
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: this.home, AQUEDUCT_TOKEN: TOKEN, LANG: "C.UTF-8" };
    const child = spawn(program, ["serve", "--listen", `127.0.0.1:${this.port}`, "--data-dir", join(this.folder, "data"), "--root", join(this.folder, "proj"), "--agent", "builtin"], { env, cwd: this.project, stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    const keep = (text: Buffer): void => {
      this.output += text.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const deadline = Date.now() + 30_000;
    while (!(await this.answers())) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the bridge does not come up:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Ends the bridge's own process at once, as a crash would. Agents at work go on. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** Ends it, and everything that it left. */
  async stop(): Promise<void> {
    const sessions = await this.ask("GET", "/sessions").catch(() => undefined);
    for (const { sessionId } of (sessions as { sessions?: Array<{ sessionId: string }> })?.sessions ?? []) await this.ask("POST", `/sessions/${sessionId}/stop`).catch(() => undefined);
    const { child } = this;
    if (child && child.exitCode === null) {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** A link that lets a device in. */
  async pairingLink(): Promise<string> {
    return ((await this.ask("POST", "/pairings")) as { link: string }).link;
  }

  /** Waits until a session's turn is over. */
  async idle(sessionId: string): Promise<void> {
    for (let turns = 0; turns === 0; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { snapshot } = (await this.ask("GET", `/sessions/${sessionId}`)) as { snapshot: { session: { status: string; turns?: number }; queue: unknown[] } };
      if (snapshot.session.status === "idle" && snapshot.queue.length === 0) turns = snapshot.session.turns ?? 1;
    }
  }

  /** One request of the HTTP API. */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  private async answers(): Promise<boolean> {
    return fetch(`${this.origin}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    );
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
