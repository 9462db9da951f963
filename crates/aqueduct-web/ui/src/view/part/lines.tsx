import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { highlight, knows } from "../../text/highlight.ts";
import { memo } from "./memo.ts";

/** Lines in one piece: what grows at the end of long code lays out the last piece alone. */
const PIECE = 50;

interface LinesProps {
  code: string;
  language: string;
  /** Whether it still grows: colours come when it is done. */
  open?: boolean;
}

/** Code without a frame: coloured when it is complete and visible. */
export function Lines({ code, language, open }: LinesProps): JSX.Element {
  const frame = useRef<HTMLPreElement>(null);
  const pieces = useMemo(() => cut(code), [code]);
  const [coloured, setColoured] = useState<{ of: string; content: DocumentFragment }>();
  useEffect(() => {
    const target = frame.current;
    if (!target || open || !knows(language)) return;
    let gone = false;
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        seen.disconnect();
        void highlight(code, language).then((content) => {
          if (!gone && content) setColoured({ of: code, content });
        });
      },
      { rootMargin: "300px" },
    );
    seen.observe(target);
    return () => {
      gone = true;
      seen.disconnect();
    };
  }, [code, language, open]);
  return (
    <pre tabIndex={0} ref={frame}>
      {coloured?.of === code ? (
        <Coloured key="coloured" content={coloured.content} />
      ) : (
        <code key="plain">
          {pieces.map((piece, at) => (
            <Piece key={at} text={piece} />
          ))}
        </code>
      )}
    </pre>
  );
}

/** Elements that were made elsewhere: nothing is drawn into theirs. */
function Coloured({ content }: { content: DocumentFragment }): JSX.Element {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => element.current?.replaceChildren(content.cloneNode(true)), [content]);
  return <code ref={element} />;
}

const Piece = memo(function Piece({ text }: { text: string }): JSX.Element {
  return <span class="piece">{text}</span>;
});

/** Text in pieces of some lines each. */
export function cut(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (++lines % PIECE === 0) {
      pieces.push(text.slice(from, at + 1));
      from = at + 1;
    }
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}

/** Plain text, in pieces. */
export function PlainText({ text }: { text: string }): JSX.Element {
  const pieces = useMemo(() => cut(text), [text]);
  return (
    <div class="plain-text">
      {pieces.map((piece, at) => (
        <Piece key={at} text={piece} />
      ))}
    </div>
  );
}
