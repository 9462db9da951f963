import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../strings.ts";
import { IconButton } from "./button.tsx";

const SHOWN_MS = 1500;

/** Copies a text. */
export function CopyButton({ text, label = t.copy }: { text: string | (() => string); label?: string }): JSX.Element {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await writeClipboard(typeof text === "string" ? text : text());
    setDone(true);
    setTimeout(() => setDone(false), SHOWN_MS);
  };
  return <IconButton class="copy" icon={done ? "check" : "copy"} label={done ? t.copied : label} onClick={() => void copy()} />;
}

/** Writes to the clipboard, also on pages without TLS where the modern way is closed. */
export async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "off-screen";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
