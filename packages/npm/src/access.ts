// Signing in. A browser with a key signs a challenge and gets an access token, which is held in this page's memory and
// nowhere else. Each page signs in by itself, and again when its token expires or the bridge was restarted.

import { base64url, type Credential, type Vault } from "./credential.ts";
import type { AccessToken, Challenge, Paired } from "./generated/messages.ts";
import { Http, RequestFailed } from "./http.ts";
import type { Credentials } from "./transport.ts";

/** Why this browser may not use the bridge: it was never paired, was revoked, or has a cookie of an earlier version. */
export type Unpaired = "missing" | "revoked" | "cookie";

/** The bridge refuses this browser, and will until it is paired. */
export class NotPaired extends Error {
  constructor(readonly reason: Unpaired) {
    super(`not paired: ${reason}`);
    this.name = "NotPaired";
  }
}

/** What every signed message begins with. */
const CONTEXT = "aqueduct sign-in v1";
/** A token is renewed while it is still good for this long. */
const RENEW_BEFORE_MS = 60_000;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };

/** This browser's access to the bridge. */
export class Access implements Credentials {
  private held: { token: string; until: number } | undefined;
  private signingIn: Promise<string> | undefined;

  private readonly http: Http;

  constructor(
    private readonly origin: string,
    private readonly vault: Vault,
    private readonly now: () => number = () => Date.now(),
  ) {
    this.http = new Http(origin);
  }

  /** A token that is good now. */
  async token(): Promise<string> {
    if (this.held && this.held.until > this.now()) return this.held.token;
    this.signingIn ??= this.signIn().finally(() => (this.signingIn = undefined));
    return this.signingIn;
  }

  /** The bridge does not know the token any more, such as after a restart: the next one is new. */
  forget(): void {
    this.held = undefined;
  }

  /** Whether the bridge lets this browser in. Throws what `token` throws, and what goes wrong on the way. */
  async check(): Promise<void> {
    try {
      await this.get("/ping");
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 401) throw error;
      this.forget();
      await this.get("/ping").catch((again: unknown) => {
        throw again instanceof RequestFailed && again.status === 401 ? new NotPaired("revoked") : again;
      });
    }
  }

  /** Pairs this browser: with a key where there is WebCrypto, else with a token. */
  async pair(code: string, name: string): Promise<void> {
    // A browser that keeps nothing must not use the code up.
    await this.vault.load();
    // Without WebCrypto the page was loaded without TLS, so an observer on the network can read the token
    // anyway.
    const pair = globalThis.crypto?.subtle ? await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]) : undefined;
    const publicKey = pair && base64url(await crypto.subtle.exportKey("raw", pair.publicKey));
    const paired = await this.http.post<Paired>("/pair", { code, name, ...(publicKey ? { publicKey } : {}) });
    const { deviceId } = paired.device;
    await this.vault.save(pair ? { deviceId, key: pair.privateKey } : { deviceId, token: paired.token });
    this.forget();
  }

  private async signIn(): Promise<string> {
    const credential = await this.vault.load();
    if (!credential) throw new NotPaired((await this.hasOldCookie()) ? "cookie" : "missing");
    if (!credential.key) return credential.token ?? "";
    try {
      return await this.prove(credential, credential.key);
    } catch (error) {
      // A restart between the two requests, or a device that slept.
      if (error instanceof RequestFailed && error.code === "challenge_expired") return this.prove(credential, credential.key);
      throw error;
    }
  }

  private async prove({ deviceId }: Credential, key: CryptoKey): Promise<string> {
    const { challenge } = await this.http.post<Challenge>("/auth/challenge", { deviceId });
    const message = new TextEncoder().encode([CONTEXT, this.origin, deviceId, challenge].join("\n"));
    const signature = base64url(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, message));
    try {
      const { token, expiresInMs } = await this.http.post<AccessToken>("/auth/token", { deviceId, challenge, signature });
      this.held = { token, until: this.now() + expiresInMs - RENEW_BEFORE_MS };
      return token;
    } catch (error) {
      throw error instanceof RequestFailed && error.code === "unauthorized" ? new NotPaired("revoked") : error;
    }
  }

  /** Earlier versions kept the token in a cookie. The bridge removes it with this answer. */
  private async hasOldCookie(): Promise<boolean> {
    const answer = await this.http.fetch("/ping");
    const { code } = (await answer.json().catch(() => ({}))) as { code?: string };
    return code === "cookie_retired";
  }

  private async get(path: string): Promise<unknown> {
    return this.http.get(path, await this.token());
  }
}
