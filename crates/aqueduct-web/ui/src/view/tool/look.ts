// How a tool's calls are shown.

import type { FunctionComponent } from "preact";
import type { CallItem } from "../../conversation/item.ts";
import type { IconName } from "../part/icon.tsx";

/** What the body of a call's card gets. */
export interface BodyProps {
  call: CallItem;
  sessionId: string;
  /** The session's folder: paths are shown as seen from there. */
  folder?: string;
}

/** How a tool's calls are shown. */
export interface Look {
  icon: IconName;
  /** What to call it; the tool's own name if absent. */
  title?: string;
  /** One line that describes the call. */
  summary(input: Input, folder?: string): string;
  /** Whether the card is open initially. */
  open?: boolean;
  /** A few words about the result. */
  outcome?(call: CallItem): string | undefined;
  Body: FunctionComponent<BodyProps>;
}

/** A call's input. */
export type Input = Readonly<Record<string, unknown>>;

/** A member that is text; else empty. */
export function text(input: Input | undefined, name: string): string {
  const value = input?.[name];
  return typeof value === "string" ? value : "";
}

/** The structured result, if it is an object. */
export function structured(call: CallItem): Readonly<Record<string, unknown>> | undefined {
  const value = call.result?.structured;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}
