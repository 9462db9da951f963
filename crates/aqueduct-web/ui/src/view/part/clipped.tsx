import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../strings.ts";

interface ClippedProps {
  /** How many lines there are. */
  lines: number;
  /** How many are shown at first. */
  most: number;
  children(shown: number): ComponentChildren;
}

/** The first lines of something long, and a button for the rest. */
export function Clipped({ lines, most, children }: ClippedProps): JSX.Element {
  const [all, setAll] = useState(false);
  const long = lines > most + 3;
  return (
    <div class="clipped">
      {children(all || !long ? lines : most)}
      {long && (
        <button type="button" class="clip-button" onClick={() => setAll(!all)}>
          {all ? t.showLess : t.showAll(lines)}
        </button>
      )}
    </div>
  );
}
