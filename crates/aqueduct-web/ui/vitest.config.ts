import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "aqueduct-client": fileURLToPath(new URL("../../../packages/npm/src/index.ts", import.meta.url)) } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: { environment: "happy-dom", include: ["test/**/*.test.{ts,tsx}"], testTimeout: 60_000 },
});
