import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { PermissionRequest } from "aqueduct-client";
import { t } from "../../strings.ts";
import { relative } from "../../text/format.ts";
import { Diff } from "../part/diff.tsx";
import { Json } from "../part/json.tsx";
import { Visible } from "../part/visible.tsx";
import { changes, path } from "../tool/change.tsx";
import { lookOf } from "../tool/table.ts";
import { text, type Input } from "../tool/look.ts";
import { bash } from "../tool/bash.tsx";
import { change } from "../tool/change.tsx";

/** Exactly what would run: a whole command, a whole change, or the whole input. Nothing is cut or hidden. */
export function Exactly({ request, folder }: { request: PermissionRequest; folder?: string }): JSX.Element {
  const input: Input = typeof request.input === "object" && request.input !== null ? (request.input as Input) : { input: request.input };
  const look = lookOf(request.toolName);
  const hunks = useMemo(() => (look === change ? changes(input) : []), [request.input]);
  if (look === bash) {
    return (
      <>
        {text(input, "description") !== "" && <p class="described"><Visible text={text(input, "description")} /></p>}
        <pre class="exact" tabIndex={0} aria-label={t.permission.exact}>
          <Visible text={text(input, "command")} />
        </pre>
        <Rest input={input} but={["command", "description"]} />
      </>
    );
  }
  if (look === change) {
    return (
      <>
        <p class="exact-path">
          <code>
            <Visible text={relative(path(input), folder)} />
          </code>
        </p>
        <Diff hunks={hunks} most={16} />
        <Rest input={input} but={["file_path", "notebook_path", "path", "content", "old_string", "new_string", "new_source", "edits"]} />
      </>
    );
  }
  return (
    <div class="exact-json">
      <Json value={input} />
    </div>
  );
}

/** The members that are not shown otherwise. */
function Rest({ input, but }: { input: Input; but: readonly string[] }): JSX.Element | null {
  const rest = Object.entries(input).filter(([name]) => !but.includes(name));
  if (rest.length === 0) return null;
  return (
    <div class="exact-json">
      {rest.map(([name, value]) => (
        <Json key={name} name={name} value={value} />
      ))}
    </div>
  );
}
