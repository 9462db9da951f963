// What this device may do, and what has to be confirmed before it is done.

import type { ClientMessage, ErrorReply, AccessScope } from "aqueduct-client";
import { t } from "../strings.ts";

/** The scopes, the least first. Each includes those before it. */
export const SCOPES: readonly AccessScope[] = ["watch", "decide", "operate", "admin"];

/** Whether a scope includes another. One that this UI does not know includes nothing. */
export function includes(scope: AccessScope | undefined, needed: AccessScope): boolean {
  // A bridge without scopes lets every device do everything.
  return scope === undefined || SCOPES.indexOf(scope) >= SCOPES.indexOf(needed);
}

/** A request that the user has to confirm. */
export interface Confirming {
  title: string;
  /** What happens then, in the bridge's words. */
  consequence: string;
  verb: string;
  answer(confirmed: boolean): void;
}

/** What is asked before a request is repeated with a confirmation. */
export function question(message: ClientMessage, reply: ErrorReply): Omit<Confirming, "answer"> {
  const [title, verb] =
    message.type === "pair_device" ? t.confirm.pair : message.type === "approve_always" ? t.confirm.userSettings : t.confirm.bypass;
  // The last sentence is for programs.
  return { title, verb, consequence: reply.message.replace(/ Repeat the request with `confirm` to do it\.$/, "").replaceAll("`", "") };
}
