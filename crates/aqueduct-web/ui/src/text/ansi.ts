// Output of terminals: colours become classes, everything else that terminals do with escapes is dropped or named.
// No text is hidden: concealed text is shown, and a carriage return does not overwrite.

/** A run of text with one look. */
export interface Span {
  text: string;
  /** Names of classes, joined with spaces; empty for plain text. */
  look: string;
}

interface Look {
  fg?: string;
  bg?: string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  inverse?: boolean;
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

// CSI, OSC (ended by BEL or ST), other string sequences, and two-character escapes.
const ESCAPE = /\u001b(?:\[([0-9;:?<>=!]*)[ -/]*([@-~])|\]([^\u0007\u001b]*)(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]*[0-~])/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;

/** Output as runs. */
export function ansi(output: string): Span[] {
  const spans: Span[] = [];
  let look: Look = {};
  let end = 0;
  const push = (text: string): void => {
    if (text === "") return;
    const classes = classesOf(look);
    const last = spans.at(-1);
    if (last?.look === classes) last.text += text;
    else spans.push({ text, look: classes });
  };
  const text = output.replace(/\r+\n/g, "\n").replace(/\r/g, "\n");
  for (const match of text.matchAll(ESCAPE)) {
    push(clean(text.slice(end, match.index)));
    if (match[2] === "m") look = styled(look, match[1] ?? "");
    end = match.index + match[0].length;
  }
  push(clean(text.slice(end)));
  return spans;
}

/** Output without its escapes. */
export function plain(output: string): string {
  return ansi(output)
    .map((span) => span.text)
    .join("");
}

function clean(text: string): string {
  return text.replace(/\u001b/g, "␛").replace(CONTROLS, (c) => String.fromCodePoint(0x2400 + (c === "\u007f" ? 0x21 : c.charCodeAt(0))));
}

function styled(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map((code) => (code === "" ? 0 : Number(code)));
  let next = look;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(at + 1));
      next = code === 38 ? { ...next, fg: colour } : { ...next, bg: colour };
      at += used;
    } else {
      next = one(next, code);
    }
  }
  return next;
}

function one(look: Look, code: number): Look {
  switch (code) {
    case 0:
      return {};
    case 1:
      return { ...look, bold: true };
    case 2:
      return { ...look, dim: true };
    case 3:
      return { ...look, italic: true };
    case 4:
      return { ...look, underline: true };
    case 7:
      return { ...look, inverse: true };
    case 9:
      return { ...look, strike: true };
    case 22:
      return { ...look, bold: false, dim: false };
    case 23:
      return { ...look, italic: false };
    case 24:
      return { ...look, underline: false };
    case 27:
      return { ...look, inverse: false };
    case 29:
      return { ...look, strike: false };
    case 39:
      return { ...look, fg: undefined };
    case 49:
      return { ...look, bg: undefined };
    default:
      if (code >= 30 && code <= 37) return { ...look, fg: COLOURS[code - 30] };
      if (code >= 40 && code <= 47) return { ...look, bg: COLOURS[code - 40] };
      if (code >= 90 && code <= 97) return { ...look, fg: COLOURS[code - 90] };
      if (code >= 100 && code <= 107) return { ...look, bg: COLOURS[code - 100] };
      return look;
  }
}

/** A colour of the large palettes as the nearest of the eight, and how many codes it took. */
function extended(codes: readonly number[]): [string | undefined, number] {
  if (codes[0] === 5) return [palette(codes[1] ?? 0), 2];
  if (codes[0] === 2) return [nearest(codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0), 4];
  return [undefined, 0];
}

function palette(index: number): string | undefined {
  if (index < 16) return COLOURS[index % 8];
  if (index >= 232) return index < 244 ? "black" : "white";
  const cube = index - 16;
  return nearest(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51);
}

function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  if (most < 64) return "black";
  const on = (value: number): number => (value > most * 0.6 ? 1 : 0);
  return COLOURS[on(red) + on(green) * 2 + on(blue) * 4]!;
}

function classesOf(look: Look): string {
  const classes: string[] = [];
  // Text on a ground of its own colour would be hidden.
  const bg = look.bg === look.fg ? undefined : look.bg;
  if (look.fg) classes.push(`fg-${look.fg}`);
  if (bg) classes.push(`bg-${bg}`);
  for (const name of ["bold", "dim", "italic", "underline", "strike", "inverse"] as const) if (look[name]) classes.push(name);
  return classes.join(" ");
}
