// What is being typed that can be completed: a command at the beginning, a file after an `@`.

import type { FileMatch, SlashCommand } from "aqueduct-client";

/** Something that can be completed. */
export interface Wanted {
  kind: "command" | "file";
  /** What is typed of it so far. */
  query: string;
  /** The part of the text that a choice replaces. */
  from: number;
  to: number;
}

/** A way to complete it. */
export interface Offer {
  label: string;
  hint?: string;
  /** The text afterwards. */
  insert: string;
}

/** What can be completed where the caret is. */
export function wanted(text: string, caret: number): Wanted | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command) return { kind: "command", query: command[1]!, from: 0, to: caret };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (file) return { kind: "file", query: file[1]!, from: caret - file[1]!.length - 1, to: caret };
  return undefined;
}

/** The text with a choice in place, and where the caret goes. */
export function completed(text: string, want: Wanted, offer: Offer): { text: string; caret: number } {
  const tail = text.slice(want.to);
  const gap = offer.insert.endsWith("/") || tail.startsWith(" ") ? "" : " ";
  return { text: `${text.slice(0, want.from)}${offer.insert}${gap}${tail}`, caret: want.from + offer.insert.length + gap.length };
}

const MOST = 20;

/** Commands that fit: those that begin with what is typed first, then those that hold it. */
export function commandOffers(commands: readonly SlashCommand[], query: string): Offer[] {
  const sought = query.toLowerCase();
  const named = commands.flatMap((command) => (command.name ? [{ ...command, name: command.name }] : []));
  const begins = named.filter((command) => command.name.toLowerCase().startsWith(sought));
  const holds = named.filter((command) => !begins.includes(command) && command.name.toLowerCase().includes(sought));
  return [...begins, ...holds].slice(0, MOST).map((command) => ({
    label: `/${command.name}${command.argumentHint ? ` ${command.argumentHint}` : ""}`,
    hint: command.description ?? undefined,
    insert: `/${command.name}`,
  }));
}

/** Files that fit, as the bridge has ranked them. */
export function fileOffers(files: readonly FileMatch[]): Offer[] {
  return files.slice(0, MOST).map((file) => {
    const path = file.directory && !file.path.endsWith("/") ? `${file.path}/` : file.path;
    return { label: path, insert: /\s/.test(path) ? `@"${path}"` : `@${path}` };
  });
}
