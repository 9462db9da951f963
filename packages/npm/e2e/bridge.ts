// A real bridge with the scripted model, in a folder of its own.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { connect, type BridgeMessage, type Client, type ConnectOptions, type Feed } from "../dist/index.js";

/** A token that the bridge is started with. */
export const TOKEN = "client-token-that-no-other-test-has-0123456789";

/** A command that ends when the test releases it: it holds a turn for as long as a test needs. */
export interface Gate {
  command: string;
  open(): Promise<void>;
}

/** A bridge that runs. */
export class Bridge {
  readonly project: string;
  private child: ChildProcess | undefined;
  private gates = 0;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {
    this.project = join(folder, "project");
  }

  static async start(): Promise<Bridge> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "aqueduct-npm-")));
    const bridge = new Bridge(folder, await freePort());
    mkdirSync(bridge.project);
    await bridge.up();
    return bridge;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Runs the bridge, until it reports that it is ready. */
  async up(): Promise<void> {
    const { AQUEDUCT, PATH } = process.env;
    if (!AQUEDUCT) throw new Error("AQUEDUCT names no program: run cargo xtask test --only npm-client");
    const flags = ["--listen", `127.0.0.1:${this.port}`, "--data-dir", join(this.folder, "data"), "--root", this.folder, "--agent", "builtin"];
    const env = { PATH, HOME: this.folder, AQUEDUCT_TOKEN: TOKEN };
    const child = spawn(AQUEDUCT, ["serve", ...flags], { env, cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      let output = "";
      const read = (text: Buffer): void => {
        output += text.toString();
        if (output.includes("ready in")) resolve();
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", () => reject(new Error(`the bridge does not come up:\n${output}`)));
    });
  }

  /** Ends the bridge's own process at once, as a crash would. Agents at work continue. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Ends the bridge and its sessions. */
  async stop(): Promise<void> {
    const client = await connect({ url: this.url, token: TOKEN, WebSocket });
    for (const { sessionId } of await client.sessions()) await client.session(sessionId).delete();
    client.close();
    await this.end("SIGTERM");
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }

  /** A new gate in the project. Reading a pipe needs no permission, and waits for a writer. */
  gate(): Gate {
    const name = `gate-${++this.gates}`;
    execFileSync("mkfifo", [join(this.project, name)]);
    return { command: `cat ${name}`, open: () => writeFile(join(this.project, name), "open\n") };
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}

/** A client whose connection a test can cut. */
export class CuttableClient {
  private constructor(
    readonly client: Client,
    private readonly sockets: WebSocket[],
  ) {}

  static async connect(options: Omit<ConnectOptions, "WebSocket">): Promise<CuttableClient> {
    const sockets: WebSocket[] = [];
    class Tracked extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        sockets.push(this);
      }
    }
    return new CuttableClient(await connect({ ...options, WebSocket: Tracked }), sockets);
  }

  /** Cuts the connection without a close frame. */
  cut(): void {
    this.sockets.at(-1)?.terminate();
  }
}

/** Reads a feed up to a message that fits, and returns all messages on the way. */
export async function until(feed: Feed, fits: (message: BridgeMessage) => boolean): Promise<BridgeMessage[]> {
  const messages: BridgeMessage[] = [];
  for (;;) {
    const { done, value } = await feed.next();
    if (done) throw new Error(`the feed ended after ${messages.map((message) => message.type).join(", ")}`);
    messages.push(value);
    if (fits(value)) return messages;
  }
}

/** The next message of a kind. */
export async function next<T extends BridgeMessage["type"]>(feed: Feed, type: T): Promise<Extract<BridgeMessage, { type: T }>> {
  const messages = await until(feed, (message) => message.type === type);
  return messages.at(-1) as Extract<BridgeMessage, { type: T }>;
}

/** The numbers of the stored messages among these. */
export function seqs(messages: readonly BridgeMessage[]): number[] {
  return messages.flatMap((message) => ("seq" in message && typeof message.seq === "number" && message.type !== "ok" ? [message.seq] : []));
}

/** A port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
