import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { ansi } from "../../text/ansi.ts";
import { Clipped } from "./clipped.tsx";
import { CopyButton } from "./copy.tsx";

/** More than this of an output is never drawn at once. */
const MOST_CHARACTERS = 300_000;

/** How agents mark errors for the model; people see that it is one. */
const MARKED_ERROR = /^<tool_use_error>([^]*)<\/tool_use_error>$/;

/** What a program printed, with its colours. */
export function Output({ text: said, most = 12, kind = "" }: { text: string; most?: number; kind?: string }): JSX.Element {
  const text = kind === "error" ? said.replace(MARKED_ERROR, "$1") : said;
  const body = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n…` : text;
  const lines = useMemo(() => body.replace(/\n+$/, "").split("\n"), [body]);
  return (
    <div class={`output ${kind}`}>
      <CopyButton text={text} />
      <Clipped lines={lines.length} most={most}>
        {(shown) => <Coloured text={shown < lines.length ? lines.slice(0, shown).join("\n") : lines.join("\n")} />}
      </Clipped>
    </div>
  );
}

function Coloured({ text }: { text: string }): JSX.Element {
  const spans = useMemo(() => ansi(text), [text]);
  return <pre tabIndex={0}>{spans.map((span, at) => (span.look === "" ? span.text : <span key={at} class={span.look}>{span.text}</span>))}</pre>;
}
