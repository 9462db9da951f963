// Short messages about what happened.

import { signal, type ReadonlySignal } from "@preact/signals";

/** A short message. */
export interface Toast {
  id: number;
  kind: "error" | "info";
  text: string;
}

const SHOWN_MS = 6000;
const MOST = 4;

/** The messages that are shown now. */
export class Toasts {
  private readonly list = signal<readonly Toast[]>([]);
  private last = 0;

  /** All that are shown. */
  get shown(): ReadonlySignal<readonly Toast[]> {
    return this.list;
  }

  /** Shows a message for a while. */
  show(kind: Toast["kind"], text: string): void {
    const id = ++this.last;
    this.list.value = [...this.list.value, { id, kind, text }].slice(-MOST);
    setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  /** Shows what went wrong. */
  fail(error: unknown): void {
    this.show("error", error instanceof Error ? error.message : String(error));
  }

  /** Takes a message away. */
  dismiss(id: number): void {
    this.list.value = this.list.value.filter((toast) => toast.id !== id);
  }
}
