// How long to wait before the next try.

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/** Twice as long each time up to a limit, with up to a quarter less so that not all clients come at once. */
export function delay(failures: number, random: number): number {
  const full = Math.min(FIRST_MS * 2 ** Math.max(0, failures - 1), LONGEST_MS);
  return Math.round(full * (1 - random / 4));
}
