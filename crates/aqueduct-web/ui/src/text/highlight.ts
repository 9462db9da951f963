// Colours for code. The highlighter and each language are loaded when the first code of that language is shown.

import type { HLJSApi, LanguageFn } from "highlight.js";
import { elements } from "./sanitize.ts";

type Load = () => Promise<{ default: LanguageFn }>;

const LANGUAGES: Readonly<Record<string, Load>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  nix: () => import("highlight.js/lib/languages/nix"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

/** Other names of languages, and endings of files. */
const ALIASES: Readonly<Record<string, string>> = {
  sh: "bash", shell: "bash", zsh: "bash", console: "bash", h: "c", cc: "cpp", cxx: "cpp", hpp: "cpp", cs: "csharp", patch: "diff",
  docker: "dockerfile", golang: "go", toml: "ini", cfg: "ini", js: "javascript", jsx: "javascript", mjs: "javascript",
  cjs: "javascript", jsonc: "json", jsonl: "json", kt: "kotlin", mk: "makefile", md: "markdown", py: "python", rb: "ruby",
  rs: "rust", ts: "typescript", tsx: "typescript", html: "xml", svg: "xml", vue: "xml", yml: "yaml",
};

/** Longer code stays plain: colouring it would hold up the page. */
const LONGEST = 20_000;

let core: Promise<HLJSApi> | undefined;
const loaded = new Map<string, Promise<void>>();

/** Whether there are colours for a language. */
export function knows(language: string): boolean {
  return (ALIASES[language] ?? language) in LANGUAGES;
}

/** The language of a file, by its name; empty if there is none. */
export function languageOfFile(path: string): string {
  const name = (path.split("/").at(-1) ?? "").toLowerCase();
  if (name === "makefile" || name === "dockerfile") return name;
  const ending = name.includes(".") ? name.split(".").at(-1)! : "";
  return knows(ending) ? ending : "";
}

/** Code as coloured elements; undefined if there are no colours for it. */
export async function highlight(code: string, language: string): Promise<DocumentFragment | undefined> {
  const name = ALIASES[language] ?? language;
  const load = LANGUAGES[name];
  if (!load || code.length > LONGEST) return undefined;
  core ??= import("highlight.js/lib/core").then((module) => module.default);
  const hljs = await core;
  let ready = loaded.get(name);
  if (!ready) {
    ready = load().then((module) => hljs.registerLanguage(name, module.default));
    loaded.set(name, ready);
  }
  await ready;
  return elements(hljs.highlight(code, { language: name, ignoreIllegals: true }).value);
}
