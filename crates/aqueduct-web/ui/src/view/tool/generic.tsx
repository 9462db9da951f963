import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { firstLine } from "../../text/format.ts";
import { Json } from "../part/json.tsx";
import { Output } from "../part/output.tsx";
import { Pictures } from "../part/picture.tsx";
import type { BodyProps, Look } from "./look.ts";

/** Tools without a look of their own, those of MCP servers among them. */
export const generic: Look = {
  icon: "plug",
  summary: (input) => {
    const first = Object.values(input).find((value) => typeof value === "string" && value !== "");
    return typeof first === "string" ? firstLine(first) : "";
  },
  Body,
};

function Body({ call }: BodyProps): JSX.Element {
  const result = call.result;
  const tree = result ? json(result.content) : undefined;
  return (
    <>
      {Object.keys(call.input ?? {}).length > 0 && (
        <section>
          <p class="label">{t.tool.input}</p>
          <Json value={call.input} />
        </section>
      )}
      {result && (
        <section>
          <p class="label">{t.tool.output}</p>
          {result.images && <Pictures images={result.images} />}
          {tree !== undefined ? <Json value={tree} /> : <Output text={result.content} kind={result.isError ? "error" : ""} />}
        </section>
      )}
    </>
  );
}

/** The value, where a result is JSON. */
function json(content: string): unknown {
  if (!/^\s*[[{]/.test(content)) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
