import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./browser.ts";

export default defineConfig({
  test: {
    environment: "node",
    include: ["e2e/**/*.test.ts"],
    // Each file has a bridge and a browser of its own, and waits more than it works.
    maxWorkers: 2,
    testTimeout: 3 * PATIENCE_MS,
    hookTimeout: 3 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
