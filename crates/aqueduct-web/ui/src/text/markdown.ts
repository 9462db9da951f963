// Markdown to blocks, for text that grows: blocks that are finished stay as they are, only the last is read again.
// Raw HTML is shown as text, nothing is loaded from anywhere, and links lead only where people expect.

import { Marked, type Token, type Tokens, type TokensList } from "marked";
import { orderly } from "./reveal.ts";

/** A block of a text. */
export type Block =
  | { kind: "html"; html: string }
  | { kind: "code"; code: string; language: string; open: boolean }
  | { kind: "plain"; text: string };

/** A text in blocks. */
export interface Parsed {
  text: string;
  blocks: readonly Block[];
  /** How many of the blocks are finished, and where the rest begins. */
  settled: number;
  rest: number;
  links: TokensList["links"];
}

/** Beyond this the last block of a growing text is shown as plain text until it is complete. */
const LIVE_LIMIT = 6_000;
/** Beyond this a text is shown as plain text. */
export const MARKDOWN_LIMIT = 400_000;
/** Up to this a complete text is read as a whole once more, for the rare block that became another one later. */
const REREAD_LIMIT = 20_000;
/** How many of the last blocks may still become something else. */
const UNSETTLED = 2;
/** Items of a list in one block. */
const LIST_CHUNK = 50;

const marked = new Marked({ gfm: true, breaks: false });
marked.use({
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => link(href, escape(text || href)),
    link({ href, tokens }) {
      return link(href, this.parser.parseInline(tokens));
    },
    code: ({ text, lang }) => `<pre><code class="${escape(languageClass(lang))}">${escape(text)}\n</code></pre>`,
  },
});

/**
 * The blocks of a text. `before` is what an earlier, shorter state of the same text gave: while the text grows,
 * what was finished then is not read again. A complete text is read as a whole, unless it is very long.
 */
export function parse(raw: string, live: boolean, before?: Parsed): Parsed {
  const text = orderly(raw);
  if (text.length > MARKDOWN_LIMIT) {
    return { text, blocks: [{ kind: "plain", text }], settled: 0, rest: 0, links: {} };
  }
  const continues = (live || text.length > REREAD_LIMIT) && before !== undefined && before.rest > 0 && text.startsWith(before.text.slice(0, before.rest));
  const kept = continues ? before.blocks.slice(0, before.settled) : [];
  const start = continues ? before.rest : 0;
  const tail = text.slice(start);
  const fence = live ? openFence(tail) : undefined;
  if (fence) return { text, blocks: [...kept, fence], settled: kept.length, rest: start, links: continues ? before.links : {} };
  const tokens = lex(tail, continues ? before.links : {});
  const fresh: Block[] = [];
  let settled = kept.length;
  let rest = start;
  const open = firstOpen(tokens);
  tokens.forEach((token, at) => {
    const last = at === tokens.length - 1;
    const list = live && last && token.type === "list" ? longList(token as Tokens.List) : undefined;
    if (list && at === open) {
      // The first items of a list that grows are finished: what follows is read as a list of its own.
      fresh.push({ kind: "html", html: html([{ ...list.first }], tokens.links) });
      settled += 1;
      rest += list.length;
      fresh.push(...rendered(list.rest, tokens.links, true));
      return;
    }
    const blocks = live && last && token.raw.length > LIVE_LIMIT ? [{ kind: "plain" as const, text: token.raw }] : rendered(token, tokens.links, live && last);
    fresh.push(...blocks);
    if (at < open) {
      settled += blocks.length;
      rest += token.raw.length;
    }
  });
  return { text, blocks: [...kept, ...fresh], settled, rest, links: tokens.links };
}

/** The first of the tokens that what follows may still change: for example, a list continues after an empty line. */
function firstOpen(tokens: readonly Token[]): number {
  let at = tokens.length;
  for (let left = UNSETTLED; left > 0 && at > 0; ) {
    const token = tokens[--at]!;
    if (token.type !== "space") left--;
    // What precedes a long list can't change its meaning.
    if (token.type === "list" && longList(token as Tokens.List)) break;
  }
  return at;
}

/** A list cut in two where it is long: the items that make a piece, and those after. */
function longList(list: Tokens.List): { first: Tokens.List; rest: Tokens.List; length: number } | undefined {
  if (list.items.length < LIST_CHUNK + UNSETTLED) return undefined;
  const items = list.items.slice(0, LIST_CHUNK);
  const start: number | "" = list.ordered ? Number(list.start || 1) + LIST_CHUNK : "";
  return {
    first: { ...list, items },
    rest: { ...list, items: list.items.slice(LIST_CHUNK), start },
    length: items.reduce((sum, item) => sum + item.raw.length, 0),
  };
}

function lex(text: string, links: TokensList["links"]): TokensList {
  const lexer = new marked.Lexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}

/** A fence that is not closed yet is taken as it is, without scanning it again for every letter. */
function openFence(tail: string): Block | undefined {
  const match = /^ {0,3}(`{3,}|~{3,})([^\n`]*)\n/.exec(tail);
  if (!match) return undefined;
  const body = tail.slice(match[0].length);
  const close = new RegExp(`(^|\\n) {0,3}${match[1]![0] === "`" ? "`" : "~"}{${match[1]!.length},}[ \\t]*(\\n|$)`);
  if (close.test(body)) return undefined;
  return { kind: "code", code: body, language: languageOf(match[2]), open: true };
}

function rendered(token: Token, links: TokensList["links"], open: boolean): Block[] {
  if (token.type === "space" || token.type === "def") return [];
  if (token.type === "code") {
    const { text, lang } = token as Tokens.Code;
    return [{ kind: "code", code: text, language: languageOf(lang), open }];
  }
  if (token.type === "list" && (token as Tokens.List).items.length > LIST_CHUNK) return chunked(token as Tokens.List, links);
  return [{ kind: "html", html: html([token], links) }];
}

/** A long list in pieces, so that no piece takes long. */
function chunked(list: Tokens.List, links: TokensList["links"]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < list.items.length; at += LIST_CHUNK) {
    const start: number | "" = list.ordered ? Number(list.start || 1) + at : "";
    blocks.push({ kind: "html", html: html([{ ...list, items: list.items.slice(at, at + LIST_CHUNK), start }], links) });
  }
  return blocks;
}

function html(tokens: Token[], links: TokensList["links"]): string {
  return marked.parser(Object.assign([...tokens], { links }) as Token[]);
}

function link(href: string, inner: string): string {
  const target = address(href);
  if (target === undefined) return `${inner} <code>${escape(href)}</code>`;
  if (target.file) return `<a href="#" data-file="${escape(target.href)}">${inner}</a>`;
  return `<a href="${escape(target.href)}" target="_blank" rel="noopener noreferrer" title="${escape(target.href)}">${inner}</a>`;
}

/** Where a link may lead: the web, mail, or a file of the project. */
export function address(href: string): { href: string; file?: boolean } | undefined {
  if (/^(https?|mailto):/i.test(href)) {
    try {
      return { href: new URL(href).href };
    } catch {
      return undefined;
    }
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//") || href.startsWith("#") || href === "") return undefined;
  return { href: href.replace(/^\.\//, "").replace(/[?#].*$/, ""), file: true };
}

function languageOf(lang: string | undefined): string {
  return (lang ?? "").trim().split(/[\s,{:]/, 1)[0]!.toLowerCase();
}

function languageClass(lang: string | undefined): string {
  const language = languageOf(lang);
  return language === "" ? "" : `language-${language}`;
}

/** Text as HTML that shows it. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
