import type { JSX } from "preact";
import { pieces } from "../../text/reveal.ts";

/** Text in which nothing hides: invisible characters are shown by name. */
export function Visible({ text }: { text: string }): JSX.Element {
  return (
    <bdi class="visible">
      {pieces(text).map((piece, at) => (piece.hidden ? <b key={at} class="hidden-character" title={piece.text}>{piece.text}</b> : piece.text))}
    </bdi>
  );
}
