// The positions of the rows of a long list: measured heights where rows were drawn, guesses elsewhere.

/** A part of the rows. */
export interface Range {
  from: number;
  to: number;
}

/** Heights of rows by key, and their places. */
export class Layout {
  private keys: readonly string[] = [];
  private readonly heights = new Map<string, number>();
  /** The top of each row; one more for the end. */
  private tops = new Float64Array(1);
  private stale = 0;
  private guess = 96;
  private measured = 0;

  /** Takes the rows as they are now. */
  rows(keys: readonly string[]): void {
    let same = 0;
    const most = Math.min(keys.length, this.keys.length);
    while (same < most && keys[same] === this.keys[same]) same++;
    this.stale = Math.min(this.stale, same);
    this.keys = keys;
  }

  /** Takes a row's height; returns whether it differs from the guess. */
  measure(key: string, height: number): boolean {
    if (height <= 0) return false;
    const before = this.heights.get(key);
    if (before === height) return false;
    this.heights.set(key, height);
    if (before === undefined) {
      // Guesses learn slowly, so that what was not seen does not jump about.
      this.measured++;
      if (this.measured <= 30) this.guess += (height - this.guess) / this.measured;
    }
    const at = this.keys.indexOf(key);
    if (at >= 0) this.stale = Math.min(this.stale, at);
    return true;
  }

  /** The height of all rows. */
  get total(): number {
    this.settle();
    return this.tops[this.keys.length]!;
  }

  /** Where a row begins. */
  top(index: number): number {
    this.settle();
    return this.tops[Math.max(0, Math.min(index, this.keys.length))]!;
  }

  /** The rows between two positions. */
  between(start: number, end: number): Range {
    this.settle();
    const from = this.at(start);
    let to = this.at(end) + 1;
    if (to > this.keys.length) to = this.keys.length;
    return { from: Math.min(from, to), to };
  }

  /** The row at a place. */
  at(place: number): number {
    this.settle();
    let low = 0;
    let high = this.keys.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  private settle(): void {
    const count = this.keys.length;
    if (this.tops.length < count + 1) {
      const larger = new Float64Array(Math.max(count + 1, this.tops.length * 2));
      larger.set(this.tops);
      this.tops = larger;
    }
    for (let at = this.stale; at < count; at++) {
      this.tops[at + 1] = this.tops[at]! + (this.heights.get(this.keys[at]!) ?? this.guess);
    }
    this.stale = count;
  }
}
