import type { JSX } from "preact";
import { Visible } from "./visible.tsx";

const MOST_ENTRIES = 200;
const LONG_TEXT = 4000;

/** Any JSON value as a tree that folds. */
export function Json({ value, name, open = true }: { value: unknown; name?: string; open?: boolean }): JSX.Element {
  const label = name === undefined ? null : <span class="json-name"><Visible text={name} />: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <div class="json-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return <div class="json-leaf">{label}{Array.isArray(value) ? "[]" : "{}"}</div>;
  return (
    <details class="json" open={open}>
      <summary>
        {label}
        <span class="json-count">{Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}</span>
      </summary>
      <div class="json-body">
        {entries.slice(0, MOST_ENTRIES).map(([key, inner]) => (
          <Json key={key} name={key} value={inner} open={entries.length < 12} />
        ))}
        {entries.length > MOST_ENTRIES && <div class="json-leaf">… {entries.length - MOST_ENTRIES} more</div>}
      </div>
    </details>
  );
}

function Leaf({ value }: { value: unknown }): JSX.Element {
  if (typeof value === "string") {
    const text = value.length > LONG_TEXT ? `${value.slice(0, LONG_TEXT)}…` : value;
    return <span class={`json-text ${text.includes("\n") ? "several" : ""}`}><Visible text={text} /></span>;
  }
  return <span class="json-value">{String(value)}</span>;
}
