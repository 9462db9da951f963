// Tokens of programs: one that is configured, and one that a pairing code is exchanged for.

import { NotPaired } from "./access.ts";
import type { Paired } from "./generated/messages.ts";
import { Http, RequestFailed } from "./http.ts";
import type { Credentials } from "./transport.ts";

/** What a subprotocol may consist of, by RFC 9110. */
const SUBPROTOCOL = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** A token that does not change. */
export class Token implements Credentials {
  private readonly http: Http;

  constructor(
    origin: string,
    private readonly value: string,
  ) {
    if (!SUBPROTOCOL.test(value)) throw new TypeError("the token has characters that no WebSocket subprotocol may have");
    this.http = new Http(origin);
  }

  token(): Promise<string> {
    return Promise.resolve(this.value);
  }

  forget(): void {
    // There is no other.
  }

  async check(): Promise<void> {
    try {
      await this.http.get("/ping", this.value);
    } catch (error) {
      throw error instanceof RequestFailed && error.status === 401 ? new NotPaired("revoked") : error;
    }
  }
}

/** Exchanges the code of a pairing link for a token. A code works once. Throws `RequestFailed` where the bridge refuses it. */
export async function pair(url: string, code: string, name: string): Promise<{ token: string; deviceId: string }> {
  const { token, device } = await new Http(originOf(url)).post<Paired>("/pair", { code, name, kind: "token" });
  if (!token) throw new Error("the bridge returned no token");
  return { token, deviceId: device.deviceId };
}

/** The origin of an address. */
export function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") throw new TypeError(`the address of a bridge begins with http:// or https://, not ${protocol}`);
  return `${protocol}//${host}`;
}
