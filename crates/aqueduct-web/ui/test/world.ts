// A browser's surroundings that a test controls.

import type { Unpaired } from "aqueduct-client";
import type { Surroundings } from "../src/bridge/surroundings.ts";
import { World as Bridge } from "../../../../packages/npm/test/world.ts";

export { FakeSocket, hello, Memory } from "../../../../packages/npm/test/world.ts";

export class World extends Bridge implements Surroundings {
  reason: Unpaired = "missing";
  paired: string[] = [];

  unpaired(): Unpaired {
    return this.reason;
  }

  pair(code: string): Promise<void> {
    this.paired.push(code);
    return Promise.resolve();
  }
}
