// Lines of two texts, compared.

/** A run of changed lines with some unchanged ones around, as diffs have them. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each begins with a space, `-`, `+`, or `\` for a note. */
  lines: readonly string[];
  heading?: string;
}

/** Beyond so many edits the middle is shown as taken out and put in as a whole. */
const MOST_EDITS = 1000;

/** The hunks between two texts. */
export function diff(before: string, after: string, context = 3): Hunk[] {
  const old = lines(before);
  const now = lines(after);
  return hunks(script(old, now), context);
}

function lines(text: string): string[] {
  if (text === "") return [];
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  return all;
}

/** Lines with their signs. */
function script(old: readonly string[], now: readonly string[]): string[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ];
}

/** Myers' shortest script of edits. */
function middle(old: readonly string[], now: readonly string[]): string[] {
  const whole = (): string[] => [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  if (old.length === 0 || now.length === 0) return whole();
  const most = Math.min(old.length + now.length, MOST_EDITS);
  const reach = new Map<number, number>([[1, 0]]);
  const trace: Array<Map<number, number>> = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(new Map(reach));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < old.length && y < now.length && old[x] === now[y]) {
        x++;
        y++;
      }
      reach.set(k, x);
      if (x >= old.length && y >= now.length) return backtrack(old, now, trace);
    }
  }
  return whole();
}

function backtrack(old: readonly string[], now: readonly string[], trace: ReadonlyArray<Map<number, number>>): string[] {
  const out: string[] = [];
  let x = old.length;
  let y = now.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits]!;
    const k = x - y;
    const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const before = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (reach.get(before) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      out.push(` ${old[--x]}`);
      y--;
    }
    if (edits === 0) break;
    if (down) out.push(`+${now[--y]}`);
    else out.push(`-${old[--x]}`);
  }
  return out.reverse();
}

function hunks(script: readonly string[], context: number): Hunk[] {
  const found: Hunk[] = [];
  let oldLine = 1;
  let newLine = 1;
  let open: { hunk: Hunk & { lines: string[] }; quiet: number } | undefined;
  const close = (): void => {
    if (!open) return;
    // What follows the last change by more than the context does not belong to it.
    const extra = Math.max(0, open.quiet - context);
    open.hunk.lines.length -= extra;
    open.hunk.oldLines -= extra;
    open.hunk.newLines -= extra;
    found.push(open.hunk);
    open = undefined;
  };
  script.forEach((line, at) => {
    const same = line.startsWith(" ");
    if (!same && !open) {
      const before = script.slice(Math.max(0, at - context), at).filter((l) => l.startsWith(" "));
      open = {
        hunk: { oldStart: oldLine - before.length, newStart: newLine - before.length, oldLines: before.length, newLines: before.length, lines: [...before] },
        quiet: 0,
      };
    }
    if (open) {
      open.hunk.lines.push(line);
      if (!line.startsWith("+")) open.hunk.oldLines++;
      if (!line.startsWith("-")) open.hunk.newLines++;
      open.quiet = same ? open.quiet + 1 : 0;
      if (open.quiet > context * 2) close();
    }
    if (!line.startsWith("+")) oldLine++;
    if (!line.startsWith("-")) newLine++;
  });
  close();
  return found;
}

/** How many lines came and went. */
export function counts(all: readonly Hunk[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const hunk of all) {
    for (const line of hunk.lines) {
      if (line.startsWith("+")) added++;
      else if (line.startsWith("-")) removed++;
    }
  }
  return { added, removed };
}
