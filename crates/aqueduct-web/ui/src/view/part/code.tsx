import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { highlight, knows } from "../../text/highlight.ts";
import { CopyButton } from "./copy.tsx";

interface CodeProps {
  code: string;
  language: string;
  /** Whether it still grows: colours come when it is done. */
  open?: boolean;
}

/** A block of code. */
export function Code({ code, language, open }: CodeProps): JSX.Element {
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{language}</span>
        <CopyButton text={code} />
      </div>
      <Lines code={code} language={language} open={open} />
    </div>
  );
}

/** Code without a frame, coloured once it is there. */
export function Lines({ code, language, open }: CodeProps): JSX.Element {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    // Text of our own: drawing it by hand lets colours replace it without a fight over who owns the elements.
    target.textContent = code;
    if (open || !knows(language)) return;
    let gone = false;
    void highlight(code, language).then((coloured) => {
      if (!gone && coloured) target.replaceChildren(coloured);
    });
    return () => {
      gone = true;
    };
  }, [code, language, open]);
  return (
    <pre tabIndex={0}>
      <code ref={element} />
    </pre>
  );
}
