import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { ansi } from "../../text/ansi.ts";
import { Clipped } from "./clipped.tsx";
import { CopyButton } from "./copy.tsx";

/** More than this of an output is never drawn at once. */
const MOST_CHARACTERS = 300_000;

/** What a program printed, with its colours. */
export function Output({ text, most = 12, kind = "" }: { text: string; most?: number; kind?: string }): JSX.Element {
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
