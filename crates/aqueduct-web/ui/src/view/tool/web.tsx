import type { JSX } from "preact";
import { address } from "../../text/markdown.ts";
import { Markdown } from "../part/markdown.tsx";
import { Output } from "../part/output.tsx";
import { Visible } from "../part/visible.tsx";
import { text, type BodyProps, type Look } from "./look.ts";

/** WebFetch and WebSearch. */
export const web: Look = {
  icon: "globe",
  summary: (input) => text(input, "url") || text(input, "query"),
  Body,
};

function Body({ call }: BodyProps): JSX.Element {
  const url = text(call.input, "url");
  const target = address(url);
  const content = call.result?.content ?? "";
  return (
    <>
      {url !== "" && (
        <p class="web-address">
          {target && !target.file ? (
            <a href={target.href} target="_blank" rel="noopener noreferrer">
              <Visible text={url} />
            </a>
          ) : (
            <Visible text={url} />
          )}
        </p>
      )}
      {text(call.input, "prompt") !== "" && <p class="quiet">{text(call.input, "prompt")}</p>}
      {call.result && (call.result.isError ? <Output text={content} kind="error" /> : <div class="framed"><Markdown text={content} /></div>)}
    </>
  );
}
