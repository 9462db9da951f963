// Runs a TypeScript file of this package.

import { build } from "esbuild";
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ui = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(ui, process.argv[2]);
// Beside the source, so that paths relative to it and packages are found.
const made = join(dirname(source), ".made", basename(source).replace(/\.ts$/, ".mjs"));
mkdirSync(dirname(made), { recursive: true });
await build({
  entryPoints: [source],
  outfile: made,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  define: { "import.meta.dirname": JSON.stringify(dirname(source)) },
});
await import(pathToFileURL(made).href);
