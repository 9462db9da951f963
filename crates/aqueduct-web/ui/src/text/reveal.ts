// Characters that hide, reorder or imitate: what a person decides about must look like what it is.

/** A piece of text: as it is, or a character that can't be seen with its name. */
export interface Piece {
  text: string;
  /** Set where the character is named instead of shown. */
  hidden?: boolean;
}

/**
 * Controls other than tab and line feed, soft hyphens and joiners, marks and overrides of direction, invisible
 * operators, fillers, variation selectors and tags, line and paragraph separators, lone surrogates, private use.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ue000-\uf8ff]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** Only what changes the order of the text around it; the rest has its use in prose. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069\u061c]|[\u{e0000}-\u{e007f}]/gu;

/** Spaces that are none of the ordinary ones: a shell does not split words at them. */
const ODD_SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;

const NAMES: Readonly<Record<number, string>> = { 0x1b: "ESC", 0x0d: "CR", 0x08: "BS", 0x00: "NUL", 0x07: "BEL", 0xa0: "NBSP" };

/** The name under which a hidden character is shown. */
export function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Text in pieces, so that nothing in it is hidden: for commands, paths and anything else that is decided about. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(EVERYTHING)) {
    if (match.index > end) found.push({ text: text.slice(end, match.index) });
    found.push({ text: nameOf(match[0]), hidden: true });
    end = match.index + match[0].length;
  }
  if (end < text.length || found.length === 0) found.push({ text: text.slice(end) });
  return found;
}

const EVERYTHING = new RegExp(`${HIDDEN.source}|${ODD_SPACES.source}`, "gu");

/** Whether something can't be seen in a text, or in any text of a value. */
export function hasHidden(value: unknown): boolean {
  // Not `test`: that would leave its place behind in an expression that is used again.
  if (typeof value === "string") return value.search(EVERYTHING) >= 0;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => hasHidden(name) || hasHidden(member));
}

/** Prose in which nothing is reordered in secret: the characters for that are named. */
export function orderly(text: string): string {
  return text.replace(REORDERING, (character) => `⟨${nameOf(character)}⟩`);
}
