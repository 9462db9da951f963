// A push service on this machine: it takes what the bridge sends, and reads it as a browser would (RFC 8291).

import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What was delivered. */
export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What the service worker would get. */
  text: string;
}

/** A push service with one subscription. */
export class PushService {
  private readonly keys: ECDH = createECDH("prime256v1");
  private readonly secret = randomBytes(16);
  private readonly delivered: Delivery[] = [];
  private readonly waiting: Array<(delivery: Delivery) => void> = [];

  private constructor(private readonly server: Server) {
    this.keys.generateKeys();
  }

  static async start(): Promise<PushService> {
    const server = createServer();
    const service = new PushService(server);
    server.on("request", (request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        service.take({ headers: request.headers, text: service.read(Buffer.concat(parts)) });
        response.writeHead(201).end();
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return service;
  }

  /** The subscription, as a page hands it to the bridge. */
  get subscription(): { endpoint: string; keys: { p256dh: string; auth: string } } {
    const { port } = this.server.address() as AddressInfo;
    return { endpoint: `http://127.0.0.1:${port}/send/1`, keys: { p256dh: this.keys.getPublicKey("base64url"), auth: this.secret.toString("base64url") } };
  }

  /** The next delivery, in order. */
  next(): Promise<Delivery> {
    const delivery = this.delivered.shift();
    if (delivery) return Promise.resolve(delivery);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(delivery: Delivery): void {
    const waiting = this.waiting.shift();
    if (waiting) waiting(delivery);
    else this.delivered.push(delivery);
  }

  private read(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const length = body[20]!;
    const theirs = body.subarray(21, 21 + length);
    const shared = this.keys.computeSecret(theirs);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.keys.getPublicKey(), theirs]);
    const first = Buffer.from(hkdfSync("sha256", shared, this.secret, info, 32));
    const key = Buffer.from(hkdfSync("sha256", first, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16));
    const nonce = Buffer.from(hkdfSync("sha256", first, salt, Buffer.from("Content-Encoding: nonce\0"), 12));
    const sealed = body.subarray(21 + length);
    const open = createDecipheriv("aes-128-gcm", key, nonce);
    open.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
    // A mark and zeros fill the record up.
    return plain.subarray(0, plain.lastIndexOf(2)).toString();
  }
}
