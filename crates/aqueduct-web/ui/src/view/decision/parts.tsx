import type { JSX } from "preact";
import type { PermissionPart } from "aqueduct-client";
import { t } from "../../strings.ts";
import { relative } from "../../text/format.ts";
import { Visible } from "../part/visible.tsx";

/** What a call consists of: each command, what it reads and writes, and the decision of the rules about it. */
export function Parts({ parts, folder }: { parts: readonly PermissionPart[]; folder?: string }): JSX.Element {
  return (
    <details class="parts" open={parts.length > 1}>
      <summary>
        {t.permission.parts} ({parts.length})
      </summary>
      <ol>
        {parts.map((part, at) => (
          <li key={at} class={part.verdict ?? ""}>
            <code>
              <Visible text={part.text} />
            </code>
            <ul class="effects">
              <Effect word={t.permission.reads} paths={part.reads} folder={folder} />
              <Effect word={t.permission.writes} paths={part.writes} folder={folder} />
              <Effect word={t.permission.connects} paths={part.connects} folder={folder} />
            </ul>
            {part.verdict && (
              <span class={`verdict ${part.verdict}`}>
                {t.permission.verdicts[part.verdict] ?? part.verdict}
                {part.reason && `: ${part.reason}`}
              </span>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

function Effect({ word, paths, folder }: { word: string; paths: readonly string[] | null | undefined; folder?: string }): JSX.Element | null {
  if (!paths?.length) return null;
  return (
    <li>
      {word}{" "}
      {paths.map((path) => (
        <code key={path}>
          <Visible text={relative(path, folder)} />
        </code>
      ))}
    </li>
  );
}
