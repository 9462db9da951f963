// What the tests of a file share: a browser, a bridge, and a device of one size.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { Bridge } from "./bridge.ts";
import { Device, launch, type Size } from "./browser.ts";

/** A browser, a bridge and a device, from the first test of a file to its last. */
export class World {
  browser!: Browser;
  bridge!: Bridge;
  /** The device that most things are done on. */
  device!: Device;

  constructor(readonly size: Size) {
    beforeAll(async () => {
      [this.browser, this.bridge] = await Promise.all([launch(), Bridge.start({ flags: ["--push-loopback", "--allow-bypass"] })]);
      this.device = await this.open();
    });
    afterAll(async () => {
      const faults = this.device?.faults;
      await this.browser?.close();
      await this.bridge?.stop();
      expect(faults).toEqual([]);
    });
  }

  /** Another device of the same size. */
  open(options: Parameters<typeof Device.open>[3] = {}): Promise<Device> {
    return Device.open(this.browser, this.bridge, this.size, options);
  }

  /** A script line by which the model calls a tool. */
  tool(name: string, input: object): string {
    return `@tool ${name} ${JSON.stringify(input)}`;
  }

  /** A script line by which the model has a command run. */
  command(command: string): string {
    return this.tool("Bash", { command });
  }
}

/** Words that are distinguished: `w0 w1 w2 …`. */
export function words(count: number): string {
  return Array.from({ length: count }, (_, at) => `w${at}`).join(" ");
}
