import { webcrypto } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Access, NotPaired, type Credential, type Vault } from "../src/index.ts";

const ORIGIN = "http://localhost:8765";

/** A bridge that knows one device and checks what it signs. */
class Bridge {
  readonly asked: string[] = [];
  publicKey: CryptoKey | undefined;
  known = true;
  /** Answers that come before all others. */
  readonly first: Array<{ path: string; status: number; body: object }> = [];
  private issued = 0;

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const path = url.replace(`${ORIGIN}/api/v1`, "");
    this.asked.push(path);
    const at = this.first.findIndex((answer) => answer.path === path);
    if (at >= 0) return this.reply(this.first[at]!.status, this.first.splice(at, 1)[0]!.body);
    const body = JSON.parse(String(init.body ?? "{}")) as Record<string, string>;
    if (path === "/pair") {
      if (!body.publicKey) return this.reply(200, { device: { deviceId: "d-1" }, token: "aq_bearer" });
      this.publicKey = await webcrypto.subtle.importKey("raw", Buffer.from(body.publicKey, "base64url"), { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
      return this.reply(200, { device: { deviceId: "d-1" } });
    }
    if (path === "/auth/challenge") return this.reply(200, { challenge: `c-${++this.issued}`, expiresInMs: 60_000 });
    if (path === "/auth/token") {
      const message = new TextEncoder().encode(`aqueduct sign-in v1\n${ORIGIN}\nd-1\nc-${this.issued}`);
      const signature = Buffer.from(body.signature!, "base64url");
      const good = this.known && (await webcrypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, this.publicKey!, signature, message));
      return good ? this.reply(200, { token: `aq_${this.issued}`, expiresInMs: 900_000 }) : this.reply(401, { code: "unauthorized", message: "No." });
    }
    const { authorization } = (init.headers ?? {}) as { authorization?: string };
    return authorization ? this.reply(200, {}) : this.reply(401, { code: "unauthorized" });
  }

  private reply(status: number, body: object): Response {
    return new Response(JSON.stringify(body), { status });
  }
}

let bridge: Bridge;
let kept: Credential | undefined;
let time: number;
const vault: Vault = { load: () => Promise.resolve(kept), save: (credential) => Promise.resolve(void (kept = credential)) };

beforeEach(() => {
  bridge = new Bridge();
  kept = undefined;
  time = 1_000;
  vi.stubGlobal("crypto", webcrypto);
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => bridge.fetch(url, init));
});
afterEach(() => vi.unstubAllGlobals());

const open = (): Access => new Access(ORIGIN, vault, () => time);
const reason = (access: Access): Promise<unknown> => access.token().catch((error: unknown) => (error instanceof NotPaired ? error.reason : error));

describe("a browser with a key", () => {
  it("signs in with a key that can't be exported", async () => {
    const access = open();
    await access.pair("code", "laptop");
    expect(Object.keys(kept!)).toEqual(["deviceId", "key"]);
    expect(kept!.key!.extractable).toBe(false);
    expect(await access.token()).toBe("aq_1");
  });

  it("signs in once for all who ask at once, and again shortly before the token expires", async () => {
    const access = open();
    await access.pair("code", "laptop");
    expect(await Promise.all([access.token(), access.token()])).toEqual(["aq_1", "aq_1"]);
    time += 839_000;
    expect(await access.token()).toBe("aq_1");
    time += 2_000;
    expect(await access.token()).toBe("aq_2");
  });

  it("signs in again after a restart of the bridge", async () => {
    const access = open();
    await access.pair("code", "laptop");
    await access.token();
    bridge.first.push({ path: "/ping", status: 401, body: { code: "unauthorized" } });
    await access.check();
    expect(await access.token()).toBe("aq_2");
  });

  it("requests another challenge when one has expired", async () => {
    const access = open();
    await access.pair("code", "laptop");
    bridge.first.push({ path: "/auth/token", status: 401, body: { code: "challenge_expired" } });
    expect(await access.token()).toBe("aq_2");
  });

  it("that was revoked is shown as revoked, and one that can't be reached is not", async () => {
    const access = open();
    await access.pair("code", "laptop");
    bridge.known = false;
    expect(await reason(access)).toBe("revoked");
    bridge.first.push({ path: "/auth/challenge", status: 503, body: {} });
    expect(await reason(access)).not.toBe("revoked");
    expect(kept, "another try may work").toBeDefined();
  });
});

describe("a browser without a key", () => {
  it("that was never paired is reported", async () => {
    expect(await reason(open())).toBe("missing");
    expect(bridge.asked).toEqual(["/ping"]);
  });

  it("that has a cookie of an earlier version is reported", async () => {
    bridge.first.push({ path: "/ping", status: 401, body: { code: "cookie_retired" } });
    expect(await reason(open())).toBe("cookie");
  });

  it("keeps a token where there is no WebCrypto", async () => {
    vi.stubGlobal("crypto", {});
    const access = open();
    await access.pair("code", "laptop");
    expect(kept).toEqual({ deviceId: "d-1", token: "aq_bearer" });
    expect(await access.token()).toBe("aq_bearer");
    bridge.first.push({ path: "/ping", status: 401, body: {} }, { path: "/ping", status: 401, body: {} });
    await expect(access.check()).rejects.toMatchObject({ reason: "revoked" });
  });

  it("that keeps nothing does not use the code up", async () => {
    const access = new Access(ORIGIN, { load: () => Promise.reject(new Error("no storage")), save: () => Promise.reject(new Error("no storage")) }, () => time);
    await expect(access.pair("code", "laptop")).rejects.toThrow("no storage");
    expect(bridge.asked).toEqual([]);
  });
});
