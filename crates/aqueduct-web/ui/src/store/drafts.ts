// What was typed and not sent, by session; and what was sent, for the up key.

import type { Keep } from "aqueduct-client";

const DRAFT = "aqueduct.draft.";
const SENT = "aqueduct.sent";
const MOST_SENT = 100;

/** Drafts and the history of prompts. */
export class Drafts {
  constructor(private readonly keep: Keep) {}

  /** The draft of a session; empty if there is none. */
  get(session: string): string {
    return this.keep.getItem(DRAFT + session) ?? "";
  }

  /** Keeps a draft; an empty one is forgotten. */
  set(session: string, text: string): void {
    try {
      if (text === "") this.keep.removeItem(DRAFT + session);
      else this.keep.setItem(DRAFT + session, text);
    } catch {
      // Without storage space the draft is only in the field.
    }
  }

  /** What was sent, newest first. */
  sent(): readonly string[] {
    try {
      const list: unknown = JSON.parse(this.keep.getItem(SENT) ?? "[]");
      return Array.isArray(list) ? list.filter((text): text is string => typeof text === "string") : [];
    } catch {
      return [];
    }
  }

  /** Remembers what was sent. */
  remember(text: string): void {
    if (text.trim() === "") return;
    const list = [text, ...this.sent().filter((old) => old !== text)].slice(0, MOST_SENT);
    try {
      this.keep.setItem(SENT, JSON.stringify(list));
    } catch {
      // The history is a convenience.
    }
  }
}
