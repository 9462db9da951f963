import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { relative } from "../../text/format.ts";
import { address } from "../../store/route.ts";
import { Clipped } from "../part/clipped.tsx";
import { Output } from "../part/output.tsx";
import { Visible } from "../part/visible.tsx";
import { structured, text, type BodyProps, type Look } from "./look.ts";

/** Glob, Grep and LS: what was found, with ways to it. */
export const find: Look = {
  icon: "search",
  summary: (input, folder) => {
    const where = text(input, "path");
    const what = text(input, "pattern") || text(input, "query");
    const glob = text(input, "glob");
    return [what, glob, where && relative(where, folder)].filter((part) => part !== "").join(" · ");
  },
  outcome: (call) => {
    const result = structured(call);
    if (typeof result?.numFiles === "number" && result.mode !== "content") return t.tool.files(result.numFiles);
    if (typeof result?.numLines === "number") return t.tool.lines(result.numLines);
    return undefined;
  },
  Body,
};

function Body({ call, sessionId, folder }: BodyProps): JSX.Element {
  const result = structured(call);
  const names = Array.isArray(result?.filenames) ? result.filenames.filter((name): name is string => typeof name === "string") : [];
  if (names.length === 0 || result?.mode === "content") {
    return <Output text={typeof result?.content === "string" && result.content !== "" ? result.content : (call.result?.content ?? "")} kind={call.result?.isError ? "error" : ""} />;
  }
  return (
    <Clipped lines={names.length} most={12}>
      {(shown) => (
        <ul class="paths">
          {names.slice(0, shown).map((name) => (
            <li key={name}>
              <a href={address({ page: "file", id: sessionId, path: name })}>
                <Visible text={relative(name, folder)} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </Clipped>
  );
}
