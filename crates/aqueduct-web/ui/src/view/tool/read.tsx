import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { relative } from "../../text/format.ts";
import { languageOfFile } from "../../text/highlight.ts";
import { address } from "../../store/route.ts";
import { Lines } from "../part/lines.tsx";
import { Clipped } from "../part/clipped.tsx";
import { Output } from "../part/output.tsx";
import { Pictures } from "../part/picture.tsx";
import { path } from "./change.tsx";
import { structured, type BodyProps, type Look } from "./look.ts";

/** Reading a file. */
export const read: Look = {
  icon: "file",
  summary: (input, folder) => {
    const from = typeof input.offset === "number" ? `:${input.offset}` : "";
    return relative(path(input), folder) + from;
  },
  outcome: (call) => {
    const file = fileOf(call.result?.structured);
    return file && typeof file.numLines === "number" ? t.tool.lines(file.numLines) : undefined;
  },
  Body,
};

function fileOf(result: unknown): Readonly<Record<string, unknown>> | undefined {
  const file = typeof result === "object" && result !== null ? (result as { file?: unknown }).file : undefined;
  return typeof file === "object" && file !== null ? (file as Record<string, unknown>) : undefined;
}

function Body({ call, sessionId }: BodyProps): JSX.Element {
  const file = fileOf(structured(call));
  const content = typeof file?.content === "string" ? file.content : undefined;
  const line = typeof file?.startLine === "number" && file.startLine > 1 ? file.startLine : undefined;
  return (
    <>
      {call.result?.images && <Pictures images={call.result.images} />}
      {content !== undefined ? <Part code={content} language={languageOfFile(path(call.input))} /> : call.result && <Output text={call.result.content} kind={call.result.isError ? "error" : ""} />}
      <p class="card-links">
        <a href={address({ page: "file", id: sessionId, path: path(call.input), line })}>{t.tool.openFile}</a>
      </p>
    </>
  );
}

function Part({ code, language }: { code: string; language: string }): JSX.Element {
  const lines = code.split("\n");
  return (
    <Clipped lines={lines.length} most={20}>
      {(shown) => (
        <div class="code-lines">
          <Lines code={lines.slice(0, shown).join("\n")} language={language} />
        </div>
      )}
    </Clipped>
  );
}
