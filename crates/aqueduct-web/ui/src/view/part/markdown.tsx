import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../../strings.ts";
import { elements } from "../../text/sanitize.ts";
import { highlight } from "../../text/highlight.ts";
import { parse, type Block, type Parsed } from "../../text/markdown.ts";
import { Code } from "./code.tsx";
import { PlainText } from "./lines.tsx";
import { memo } from "./memo.ts";

/** Blocks that are drawn at first; the rest follows frame by frame, as many each time as took a few milliseconds. */
const FEW = 6;
const MANY = 48;
const QUICK_MS = 4;
const SLOW_MS = 8;

/** Blocks in one section. Sections that are hidden are not laid out. */
const SECTION = 32;

interface MarkdownProps {
  text: string;
  live?: boolean;
  /** Called for links to files of the project. */
  onFile?(path: string): void;
}

/** Markdown, cheap to show while it grows. */
export function Markdown({ text, live = false, onFile }: MarkdownProps): JSX.Element {
  const before = useRef<Parsed>(undefined);
  const parsed = parse(text, live, before.current);
  before.current = parsed;
  const [drawn, setDrawn] = useState(FEW);
  const step = useRef(FEW);
  const began = performance.now();
  const { blocks } = parsed;
  const sections = useRef<ReadonlyArray<readonly Block[]>>([]);
  sections.current = cut(blocks.slice(0, drawn), sections.current);
  useLayoutEffect(() => {
    const took = performance.now() - began;
    if (took < QUICK_MS) step.current = Math.min(MANY, step.current * 2);
    else if (took > SLOW_MS) step.current = Math.max(FEW, step.current >> 1);
  });
  useEffect(() => {
    if (drawn >= blocks.length) return;
    const frame = requestAnimationFrame(() => setDrawn((n) => n + step.current));
    return () => cancelAnimationFrame(frame);
  }, [drawn, blocks.length]);
  return (
    <div
      class={`markdown ${blocks.length > SECTION ? "long" : ""}`}
      onClick={(event) => {
        const link = (event.target as Element).closest<HTMLElement>("a[data-file]");
        if (!link) return;
        event.preventDefault();
        onFile?.(link.dataset.file ?? "");
      }}
    >
      {sections.current.map((section, at) => (
        <Section key={at} blocks={section} />
      ))}
    </div>
  );
}

/** Blocks in sections; one in which nothing changed is the same as before. */
function cut(blocks: readonly Block[], before: ReadonlyArray<readonly Block[]>): ReadonlyArray<readonly Block[]> {
  const sections: Array<readonly Block[]> = [];
  for (let at = 0; at < blocks.length; at += SECTION) {
    const section = blocks.slice(at, at + SECTION);
    const old = before[sections.length];
    sections.push(old?.length === section.length && old.every((block, index) => block === section[index]) ? old : section);
  }
  return sections;
}

const Section = memo(function Section({ blocks }: { blocks: readonly Block[] }): JSX.Element {
  return (
    <div class="section">
      {blocks.map((block, at) => (
        <OneBlock key={`${at}${block.kind}`} {...flat(block)} />
      ))}
    </div>
  );
});

interface FlatBlock {
  kind: Block["kind"];
  body: string;
  language: string;
  open: boolean;
}

function flat(block: Block): FlatBlock {
  switch (block.kind) {
    case "html":
      return { kind: "html", body: block.html, language: "", open: false };
    case "code":
      return { kind: "code", body: block.code, language: block.language, open: block.open };
    case "plain":
      return { kind: "plain", body: block.text, language: "", open: false };
  }
}

const OneBlock = memo(function OneBlock({ kind, body, language, open }: FlatBlock): JSX.Element {
  switch (kind) {
    case "html":
      return <Html html={body} />;
    case "code":
      return <Code code={body} language={language} open={open} />;
    case "plain":
      return <PlainText text={body} />;
  }
});

function Html({ html }: { html: string }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const target = root.current;
    if (!target) return;
    target.replaceChildren(elements(html));
    for (const table of target.querySelectorAll("table")) {
      const frame = document.createElement("div");
      frame.className = "table-frame";
      frame.tabIndex = 0;
      table.replaceWith(frame);
      frame.append(table);
    }
    for (const box of target.querySelectorAll("input")) box.ariaLabel = box.checked ? t.tool.todoDone : t.tool.todoOpen;
    for (const code of target.querySelectorAll("pre > code")) {
      code.parentElement!.tabIndex = 0;
      const language = /language-(\S+)/.exec(code.className)?.[1];
      if (language && code.isConnected) void highlight(code.textContent ?? "", language).then((coloured) => coloured && code.replaceChildren(coloured));
    }
  }, [html]);
  return <div ref={root} />;
}
