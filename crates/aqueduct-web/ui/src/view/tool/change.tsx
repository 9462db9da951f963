// Tools that change files: shown as what they change.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { t } from "../../strings.ts";
import { counts, diff, type Hunk } from "../../text/diff.ts";
import { relative } from "../../text/format.ts";
import { address } from "../../store/route.ts";
import type { CallItem } from "../../conversation/item.ts";
import { Diff } from "../part/diff.tsx";
import { Output } from "../part/output.tsx";
import { structured, text, type BodyProps, type Input, type Look } from "./look.ts";

/** Edit, MultiEdit, Write and NotebookEdit. */
export const change: Look = {
  icon: "edit",
  summary: (input, folder) => relative(path(input), folder),
  open: true,
  outcome: (call) => {
    const { added, removed } = counts(changes(call.input, structured(call)));
    return added + removed === 0 ? undefined : `+${added} −${removed}`;
  },
  Body,
};

/** The file that a call is about. */
export function path(input: Input | undefined): string {
  return text(input, "file_path") || text(input, "notebook_path") || text(input, "path");
}

/** What a call changes: from its result once it ran, else from its input. */
export function changes(input: Input | undefined, result?: Readonly<Record<string, unknown>>): readonly Hunk[] {
  const patch = result?.structuredPatch;
  if (Array.isArray(patch) && patch.length > 0 && patch.every(isHunk)) return patch;
  const edits = input?.edits;
  if (Array.isArray(edits)) {
    return edits.flatMap((edit: Input) => diff(text(edit, "old_string"), text(edit, "new_string")));
  }
  if (typeof input?.content === "string") return diff("", input.content);
  if (typeof input?.new_source === "string") return diff("", input.new_source);
  return diff(text(input, "old_string"), text(input, "new_string"));
}

function isHunk(value: unknown): value is Hunk {
  return typeof value === "object" && value !== null && Array.isArray((value as Hunk).lines) && (value as Hunk).lines.every((line) => typeof line === "string");
}

function Body({ call, sessionId, folder }: BodyProps): JSX.Element {
  return (
    <>
      <Changes call={call} />
      {call.result?.isError && <Output text={call.result.content} kind="error" />}
      <p class="card-links">
        <a href={address({ page: "file", id: sessionId, path: path(call.input) })}>{t.tool.openFile}</a>
        <a href={address({ page: "diff", id: sessionId, path: relative(path(call.input), folder) })}>{t.tool.openDiff}</a>
      </p>
    </>
  );
}

function Changes({ call }: { call: CallItem }): JSX.Element {
  const hunks = useMemo(() => changes(call.input, structured(call)), [call.input, call.result]);
  return <Diff hunks={hunks} />;
}
