// Compiles src into dist: ES modules and their types.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const dist = join(import.meta.dirname, "dist");
rmSync(dist, { recursive: true, force: true });
const tsc = join(import.meta.dirname, "node_modules", "typescript", "bin", "tsc");
execFileSync(process.execPath, [tsc, "--project", join(import.meta.dirname, "tsconfig.build.json")], { stdio: "inherit" });

// The compiler rewrites the endings of imports in modules, and leaves those in types as they are.
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith(".d.ts")) continue;
  const path = join(dist, name);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
}
