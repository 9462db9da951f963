// A long list of which only what is visible is drawn. It stays at its end while that grows, and else keeps the
// reader's place, whatever changes above.

import type { JSX, RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Layout } from "./layout.ts";

/** What is drawn beyond what is visible, in pixels. */
const MARGIN = 800;
/** How far from the end still counts as the end. */
const END = 40;
/** How long after a touch, a wheel or a key a movement is the reader's. */
const TOUCHED_MS = 600;
/** How far from the beginning more is asked for. */
const BEGINNING = 1200;

/** The commands of a list. */
export interface VirtualHandle {
  toEnd(): void;
  toRow(index: number): void;
}

interface VirtualProps<T extends { key: string }> {
  rows: readonly T[];
  draw(row: T): JSX.Element;
  /** Precedes the rows. */
  head?: JSX.Element | null;
  /** Follows the rows. */
  foot?: JSX.Element | null;
  onEnd(atEnd: boolean): void;
  /** The reader comes near the beginning. */
  onBeginning(): void;
  handle: RefObject<VirtualHandle | null>;
  label: string;
}

interface Anchor {
  key: string;
  /** Where the row was, from the top of what is visible. */
  offset: number;
  /** The part of the row that the reader sees, where the row is larger than that. */
  part?: Element;
  partOffset?: number;
}

/** A long list. */
export function Virtual<T extends { key: string }>({ rows, draw, head, foot, onEnd, onBeginning, handle, label }: VirtualProps<T>): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => new Layout(), []);
  const follow = useRef(true);
  const anchor = useRef<Anchor>(undefined);
  /** What precedes the rows. Measured when the reader moves: while drawing it would cost a layout. */
  const headHeight = useRef(0);
  const last = useRef({ top: 0, height: 0, touched: 0 });
  const [view, setView] = useState({ top: Number.MAX_SAFE_INTEGER, height: 800 });
  const [, redraw] = useState(0);

  layout.rows(useMemo(() => rows.map((row) => row.key), [rows]));
  const top = follow.current ? Math.max(0, layout.total - view.height) : Math.min(view.top - headHeight.current, layout.total);
  const range = layout.between(top - MARGIN, top + view.height + MARGIN);
  const shown = rows.slice(range.from, range.to);

  /** Puts the reader back to where they were. */
  const hold = useCallback((): void => {
    const element = box.current;
    if (!element) return;
    if (follow.current) {
      element.scrollTop = element.scrollHeight;
      last.current = { ...last.current, top: element.scrollTop, height: element.scrollHeight };
      return;
    }
    if (!anchor.current) return;
    const { key, offset, part, partOffset } = anchor.current;
    const row = list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (!row) return;
    const [held, place] = part?.isConnected && partOffset !== undefined ? [part, partOffset] : [row, offset];
    const moved = held.getBoundingClientRect().top - element.getBoundingClientRect().top - place;
    if (Math.abs(moved) >= 1) element.scrollTop += moved;
  }, []);

  const remember = useCallback((): void => {
    const element = box.current;
    if (!element) return;
    const edge = element.getBoundingClientRect().top;
    for (const row of list.current?.children ?? []) {
      const place = row.getBoundingClientRect();
      if (place.bottom > edge) {
        const part = place.top < edge ? partAt(row, edge) : undefined;
        anchor.current = { key: (row as HTMLElement).dataset.key ?? "", offset: place.top - edge, part, partOffset: part && part.getBoundingClientRect().top - edge };
        return;
      }
    }
  }, []);

  const sizes = useMemo(
    () =>
      new ResizeObserver((entries) => {
        let changed = false;
        for (const entry of entries) {
          const { key } = (entry.target as HTMLElement).dataset;
          if (key !== undefined && layout.measure(key, entry.borderBoxSize[0]?.blockSize ?? 0)) changed = true;
        }
        hold();
        if (changed) redraw((n) => n + 1);
      }),
    [],
  );

  useLayoutEffect(() => {
    hold();
  });

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const whole = new ResizeObserver(() => {
      setView((old) => ({ ...old, height: element.clientHeight }));
      hold();
    });
    whole.observe(element);
    const touch = (): void => {
      last.current.touched = performance.now();
    };
    const signs = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    for (const sign of signs) element.addEventListener(sign, touch, { passive: true });
    return () => {
      whole.disconnect();
      sizes.disconnect();
    };
  }, []);

  const onScroll = (): void => {
    const element = box.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= END;
    const { top: before, height, touched } = last.current;
    const byReader = element.scrollTop < before - 2 && (element.scrollHeight === height || performance.now() - touched < TOUCHED_MS);
    last.current = { ...last.current, top: element.scrollTop, height: element.scrollHeight };
    if (follow.current && !atEnd && !byReader) {
      // Something grew or shrank: the end is still where the reader wants to be.
      hold();
      return;
    }
    if (atEnd !== follow.current) {
      follow.current = atEnd;
      onEnd(atEnd);
    }
    headHeight.current = above.current?.offsetTop ?? 0;
    if (!atEnd) remember();
    setView({ top: element.scrollTop, height: element.clientHeight });
    if (element.scrollTop < BEGINNING && !atEnd) onBeginning();
  };

  useEffect(() => {
    const element = box.current;
    // A conversation that does not fill the page has its beginning visible.
    if (element && element.scrollHeight <= element.clientHeight + BEGINNING) onBeginning();
  }, [rows.length]);

  handle.current = {
    toEnd: () => {
      follow.current = true;
      onEnd(true);
      redraw((n) => n + 1);
      hold();
    },
    toRow: (index) => {
      const row = rows[index];
      if (!row || !box.current) return;
      follow.current = false;
      onEnd(false);
      anchor.current = { key: row.key, offset: 80 };
      const place = layout.top(index);
      setView((old) => ({ ...old, top: place }));
    },
  };

  return (
    <div ref={box} class="log" role="log" aria-label={label} aria-live="off" tabIndex={0} onScroll={onScroll}>
      {head}
      <div ref={above} style={{ height: `${layout.top(range.from)}px` }} />
      <div ref={list} class="rows">
        {shown.map((row) => (
          <Measured key={row.key} name={row.key} sizes={sizes}>
            {draw(row)}
          </Measured>
        ))}
      </div>
      <div style={{ height: `${Math.max(0, layout.total - layout.top(range.to))}px` }} />
      {foot}
    </div>
  );
}

/** The block of a long row that is at a height. */
function partAt(row: Element, edge: number): Element | undefined {
  const at = (all: Iterable<Element>): Element | undefined => [...all].find((one) => one.getBoundingClientRect().bottom > edge);
  return at(at(row.querySelectorAll(".section"))?.children ?? []);
}

function Measured({ name, sizes, children }: { name: string; sizes: ResizeObserver; children: JSX.Element }): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    sizes.observe(target);
    return () => sizes.unobserve(target);
  }, [sizes]);
  return (
    <div ref={element} class="row" data-key={name}>
      {children}
    </div>
  );
}
