// The system's browser, and pages that record their requests and console output.

import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import type { Bridge } from "./bridge.ts";

/** The sizes that everything is tried at. */
export const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1440, height: 900 } },
} satisfies Record<string, BrowserContextOptions>;

/** The name of a size. */
export type Size = keyof typeof SIZES;

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** How long anything may take. It is there to end a test that hangs, on the busiest of machines: nothing is measured by it. */
export const PATIENCE_MS = 90_000;

/** A name that leads to this machine, which the browser does not know: its pages are not a secure context. */
export const PLAIN_HOST = "plain.example";

/** Starts the browser. */
export async function launch(): Promise<Browser> {
  const program = process.env.CHROMIUM ?? PROGRAMS.find((path) => existsSync(path));
  if (!program) throw new Error("no Chromium was found: install it, or name it with CHROMIUM");
  return chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage", `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`] });
}

/** A device: a profile of its own, paired with the bridge. */
export class Device {
  /** What should never happen: errors, refused content, requests that lead elsewhere. */
  readonly faults: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  /** A new device, paired with the bridge; with `null` for a link it is not paired. */
  static async open(browser: Browser, bridge: Bridge, size: Size, options: BrowserContextOptions & { link?: string | null } = {}): Promise<Device> {
    const { link, ...rest } = options;
    const context = await browser.newContext({ ...SIZES[size], reducedMotion: "reduce", ...rest });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const device = new Device(context, page);
    page.on("pageerror", (error) => device.faults.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) device.faults.push(message.text());
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (![bridge.origin, bridge.plainOrigin].includes(origin) && protocol.startsWith("http")) device.faults.push(`request to ${request.url()}`);
    });
    page.on("dialog", (dialog) => {
      device.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    if (link === null) {
      await page.goto(bridge.origin);
      return device;
    }
    await page.goto(link ?? (await bridge.pairingLink()));
    await device.status("Connected").waitFor();
    return device;
  }

  /** The connection state that the page shows. */
  status(name: "Connected" | "Reconnecting"): Locator {
    return this.page.getByRole("status", { name, exact: true });
  }

  /** The conversation. */
  get log(): Locator {
    return this.page.getByRole("log", { name: "Conversation" });
  }

  /** The field to write in. */
  get message(): Locator {
    return this.page.getByRole("textbox", { name: "Message", exact: true });
  }

  /** The model's text. */
  get answers(): Locator {
    return this.page.locator(".answer");
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  region(name: string): Locator {
    return this.page.getByRole("region", { name, exact: true });
  }

  /** Starts a session, with a first message if one is given. */
  async start(folder: string, text = "", mode = "default"): Promise<string> {
    await this.begin(folder, text, mode);
    await this.message.waitFor();
    return /#\/s\/([^/?]+)/.exec(this.page.url())?.[1] ?? "";
  }

  /** Presses "Start" for a new session: what follows may be a question. */
  async begin(folder: string, text = "", mode = "default"): Promise<void> {
    await this.page.goto(`${new URL(this.page.url()).origin}/#/`);
    await this.button("New session").click();
    await this.page.getByLabel("Project folder").fill(folder);
    await this.page.getByLabel("Permission mode").selectOption(mode);
    if (text !== "") await this.page.getByLabel("What should be done?").fill(text);
    await this.button("Start").click();
  }

  async say(text: string): Promise<void> {
    await this.message.fill(text);
    await this.button("Send").click();
  }

  /** Waits until no turn runs. */
  async idle(): Promise<void> {
    await this.button("Stop").waitFor({ state: "detached" });
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
