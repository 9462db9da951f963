import type { JSX } from "preact";
import type { Hunk } from "../../text/diff.ts";
import { Clipped } from "./clipped.tsx";
import { Visible } from "./visible.tsx";

/** Changed lines. */
export function Diff({ hunks, most = 24 }: { hunks: readonly Hunk[]; most?: number }): JSX.Element {
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return (
    <Clipped lines={lines} most={most}>
      {(shown) => <Hunks hunks={hunks} shown={shown} />}
    </Clipped>
  );
}

function Hunks({ hunks, shown }: { hunks: readonly Hunk[]; shown: number }): JSX.Element {
  const rows: JSX.Element[] = [];
  for (const [at, hunk] of hunks.entries()) {
    if (rows.length >= shown) break;
    if (at > 0 || hunk.heading) {
      rows.push(
        <tr key={`h${at}`} class="hunk">
          <td colSpan={3}>{hunk.heading ?? "⋯"}</td>
        </tr>,
      );
    }
    let before = hunk.oldStart;
    let after = hunk.newStart;
    for (const [index, line] of hunk.lines.entries()) {
      if (rows.length >= shown) break;
      const sign = line[0] ?? " ";
      const kind = { "+": "added", "-": "removed", "\\": "aside" }[sign] ?? "same";
      rows.push(
        <tr key={`${at}.${index}`} class={kind}>
          <td class="number" data-line={sign === "-" ? before : sign === "\\" ? "" : after} />
          <td class="sign" data-sign={sign} aria-label={kind} />
          <td class="line">
            <Visible text={line.slice(1)} />
          </td>
        </tr>,
      );
      if (sign !== "+" && sign !== "\\") before++;
      if (sign !== "-" && sign !== "\\") after++;
    }
  }
  return (
    <div class="diff" tabIndex={0}>
      <table>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}
