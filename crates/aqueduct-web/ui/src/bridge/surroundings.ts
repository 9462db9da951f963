// What the app needs of the browser: the bridge, the credential of this browser, a clock. Tests bring their own.

import { Access, transport, vault, type Transport, type Unpaired } from "aqueduct-client";

/** The way to the bridge, and the pairing of this browser. */
export interface Surroundings extends Transport {
  /** Why this browser is not paired, once it is known that it is not. */
  unpaired(): Unpaired;
  /** Pairs this browser. What goes wrong is thrown. */
  pair(code: string, name: string): Promise<void>;
}

/** The browser's own. */
export function browser(origin: string): Surroundings {
  const access = new Access(origin, vault);
  let reason: Unpaired = "revoked";
  return {
    ...transport({ origin, credentials: access, refused: (error) => (reason = error.reason) }),
    unpaired: () => reason,
    pair: (code, name) => access.pair(code, name),
  };
}
