// Sending a decision once, and whether one is in flight.

import { useState } from "preact/hooks";
import { Refused, type ClientMessage } from "aqueduct-client";
import { Declined } from "../../store/app.ts";
import { t } from "../../strings.ts";
import { useApp } from "../part/context.ts";

/** Whether a decision is on its way, and the way to send one. */
export function useDecide(): { busy: boolean; decide(message: ClientMessage): void } {
  const app = useApp();
  const [busy, setBusy] = useState(false);
  const decide = (message: ClientMessage): void => {
    if (busy) return;
    setBusy(true);
    app
      .confirmed(message)
      .catch((error: unknown) => {
        if (error instanceof Declined) return;
        // The card's end shows who was first; a call that changed has to be reviewed again.
        const code = error instanceof Refused ? error.reply.code : undefined;
        if (code === "input_changed") app.toasts.show("error", t.permission.inputChanged);
        else if (code !== "already_resolved") app.toasts.fail(error);
      })
      .finally(() => setBusy(false));
  };
  return { busy, decide };
}
