// Builds the UI into ../dist, and the table by which the Rust crate embeds it. The same sources give the same bytes.
// With --check nothing is written: it fails if what is committed is not what would be built.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { table } from "./table.mjs";

const ui = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(ui, "..", "dist");
const rust = join(ui, "..", "src", "table.rs");
/** What the first visit may cost, compressed. */
const BUDGET = 100 * 1024;
/** Files that are smaller when compressed. */
const TEXT = /\.(?:js|css|html|svg|webmanifest)$/;

const common = {
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome111", "safari16.4", "firefox115"],
  legalComments: "none",
  write: false,
  metafile: true,
  absWorkingDir: ui,
  outdir: dist,
  logLevel: "warning",
};

const app = await build({
  ...common,
  entryPoints: { app: "src/main.tsx", style: "src/style/main.css" },
  entryNames: "[name]-[hash]",
  chunkNames: "part-[hash]",
  splitting: true,
  jsx: "automatic",
  jsxImportSource: "preact",
});

/** By path from the root of the site. */
const files = new Map(app.outputFiles.map((file) => [file.path.slice(dist.length + 1), Buffer.from(file.contents)]));
const script = [...files.keys()].find((name) => name.startsWith("app-"));
const style = [...files.keys()].find((name) => name.startsWith("style-"));
for (const name of (await readdir(join(ui, "public"))).sort()) {
  const content = await readFile(join(ui, "public", name));
  files.set(name, name === "index.html" ? Buffer.from(content.toString().replace("{{style}}", style).replace("{{script}}", script)) : content);
}

const first = firstLoad(["src/view/page/session.tsx"]);
// The shell works without a connection: all that the first visit loads, and the parts behind it.
const shell = ["/", ...[...files.keys()].filter((name) => name !== "index.html").map((name) => `/${name}`)].sort();
const worker = await build({
  ...common,
  format: "iife",
  entryPoints: { sw: "src/worker/sw.ts" },
  define: { SHELL: JSON.stringify(shell), BUILD: JSON.stringify(hash(Buffer.concat([...files.values()]))) },
});
files.set("sw.js", Buffer.from(worker.outputFiles[0].contents));

const weight = (names) => names.reduce((sum, name) => sum + gzip(files.get(name)).length, 0);
const paint = weight(firstLoad([]));
const load = weight(first);
console.log(`first load: ${(load / 1024).toFixed(1)} KB compressed in ${first.length} files (limit ${BUDGET / 1024} KB), ${(paint / 1024).toFixed(1)} KB of it before anything is seen`);
if (load > BUDGET) throw new Error(`the first load is too large: ${load} bytes`);

for (const [name, content] of [...files]) {
  if (!TEXT.test(name)) continue;
  const packed = gzip(content);
  if (packed.length < content.length * 0.9) files.set(`${name}.gz`, packed);
}

const sources = table([...files].map(([name, content]) => ({ name, etag: hash(content) })));
if (process.argv.includes("--check")) await check();
else await write();

/** The page, and everything that it loads before the user does anything; some parts it gets once the list is there. */
function firstLoad(parts) {
  const wanted = new Set(["index.html", style]);
  const follow = (name) => {
    if (wanted.has(name)) return;
    wanted.add(name);
    const output = Object.entries(app.metafile.outputs).find(([path]) => path.endsWith(`/${name}`))?.[1];
    for (const part of output?.imports ?? []) if (part.kind === "import-statement") follow(part.path.split("/").at(-1));
  };
  follow(script);
  for (const part of parts) {
    const output = Object.entries(app.metafile.outputs).find(([, made]) => made.entryPoint === part);
    if (!output) throw new Error(`${part} is no part of its own`);
    follow(output[0].split("/").at(-1));
  }
  return [...wanted];
}

function gzip(content) {
  const packed = gzipSync(content, { level: 9 });
  // The byte that names the operating system.
  packed[9] = 255;
  return packed;
}

function hash(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

async function write() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  for (const [name, content] of files) await writeFile(join(dist, name), content);
  await mkdir(dirname(rust), { recursive: true });
  await writeFile(rust, sources);
  console.log(`wrote ${files.size} files to dist`);
}

async function check() {
  const wrong = [];
  const present = new Set(await readdir(dist).catch(() => []));
  for (const [name, content] of files) {
    const committed = present.delete(name) ? await readFile(join(dist, name)) : undefined;
    // Compressors of different Node versions differ; what comes out of them does not.
    const same = committed && (name.endsWith(".gz") ? gunzipSync(committed).equals(gunzipSync(content)) : committed.equals(content));
    if (!same) wrong.push(name);
  }
  wrong.push(...present);
  if (wrong.length > 0) throw new Error(`dist is not what the sources give: ${wrong.join(", ")}; run npm run build`);
  console.log(`dist is what the sources give: ${files.size} files`);
}
