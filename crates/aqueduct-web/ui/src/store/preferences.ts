// What this device's reader prefers.

import { effect, signal, type Signal } from "@preact/signals";
import type { Keep } from "aqueduct-client";

/** All preferences. */
export interface Preferences {
  theme: "system" | "light" | "dark";
  /** In percent. */
  textSize: number;
  motion: "system" | "reduced";
  /** Whether Enter sends; else it begins a new line and Ctrl+Enter sends. */
  enterSends: boolean;
  /** Whether notifications may contain text of sessions. */
  pushContent: boolean;
  /** Whether this page notifies while it is open and hidden. */
  notify: boolean;
  /** Whether thinking is shown unfolded. */
  showThinking: boolean;
}

/** Sizes of text to choose from, in percent. */
export const TEXT_SIZES = [85, 100, 115, 130, 150] as const;

const KEY = "aqueduct.preferences";

/** The defaults. On a phone Enter inserts a line break: Shift is hard to reach. */
export function defaults(touch: boolean): Preferences {
  return {
    theme: "system",
    textSize: 100,
    motion: "system",
    enterSends: !touch,
    pushContent: false,
    notify: false,
    showThinking: false,
  };
}

/** Preferences that are kept as they change. */
export function keptPreferences(keep: Keep, touch: boolean): Signal<Preferences> {
  const preferences = signal<Preferences>({ ...defaults(touch), ...read(keep) });
  effect(() => {
    try {
      keep.setItem(KEY, JSON.stringify(preferences.value));
    } catch {
      // Without room they hold as long as the page lives.
    }
  });
  return preferences;
}

function read(keep: Keep): Partial<Preferences> {
  try {
    const kept: unknown = JSON.parse(keep.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** Puts preferences that are about looks onto the page. */
export function applyLooks(preferences: Preferences, root: HTMLElement): void {
  root.dataset.theme = preferences.theme;
  root.dataset.motion = preferences.motion;
  root.dataset.size = String(preferences.textSize);
}
