import type { JSX } from "preact";
import { CopyButton } from "./copy.tsx";
import { Lines } from "./lines.tsx";

interface CodeProps {
  code: string;
  language: string;
  /** Whether it still grows. */
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
