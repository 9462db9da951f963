// A page and a server on another port of the same host. To a browser they are the same site: cookies would reach the
// server, and SameSite would not stop the page. Neither may see or use this browser's credential.

import { createServer, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World("desktop");

/** What looks like one of our credentials, in whatever form. */
const CREDENTIAL = /aq_|aqt_|bearer|aqueduct=/i;

/** A server that notes everything that a browser sends to it. */
class Neighbour {
  readonly received: string[] = [];
  private server!: Server;

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      void this.note(request).then(() => {
        response.setHeader("content-type", "text/html");
        response.end("<!doctype html><title>Neighbour</title>");
      });
    });
    this.server.on("upgrade", (request: IncomingMessage, socket: { end(text: string): void }) => {
      void this.note(request, false);
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
  }

  private async note(request: IncomingMessage, body = true): Promise<void> {
    let text = `${request.method} ${request.url}\n${request.rawHeaders.join("\n")}\n`;
    if (body) for await (const chunk of request) text += String(chunk);
    this.received.push(text);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const neighbour = new Neighbour();
/** The neighbour's page, in the browser that is paired. */
let page: Page;

beforeAll(async () => {
  await neighbour.start();
  page = await world.device.context.newPage();
  await page.goto(neighbour.origin);
});

afterAll(() => neighbour.stop());

it("the pairing leaves no cookie", async () => {
  expect(await world.device.context.cookies()).toEqual([]);
  expect(await world.device.page.evaluate(() => document.cookie)).toBe("");
  const kept = await world.device.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toMatch(CREDENTIAL);
});

it("the page itself can't read its key", async () => {
  const found = await world.device.page.evaluate(
    () =>
      new Promise<{ extractable: boolean; exported: string; members: string[] }>((resolve, reject) => {
        const opening = indexedDB.open("aqueduct");
        opening.onerror = () => reject(new Error("no database"));
        opening.onsuccess = () => {
          const request = opening.result.transaction("credentials").objectStore("credentials").get("current");
          request.onsuccess = () => {
            const { key } = request.result as { key: CryptoKey };
            const members = Object.keys(request.result as object);
            crypto.subtle.exportKey("pkcs8", key).then(
              () => resolve({ extractable: key.extractable, exported: "yes", members }),
              (error: Error) => resolve({ extractable: key.extractable, exported: error.name, members }),
            );
          };
        };
      }),
  );
  expect(found).toEqual({ extractable: false, exported: "InvalidAccessError", members: ["deviceId", "key"] });
});

it("the server receives nothing, whatever the bridge's page or its own sends", async () => {
  // The page's policy stops requests to another origin; its navigations and those of the neighbour's page go through.
  const own = await world.device.context.newPage();
  await own.goto(world.bridge.origin);
  await own.getByRole("status", { name: "Connected" }).waitFor();
  await own.goto(`${neighbour.origin}/navigated`);
  await page.evaluate(async (origin) => {
    await fetch(`${origin}/fetch`, { credentials: "include" });
    await new Promise((resolve) => {
      const image = new Image();
      image.onload = image.onerror = resolve;
      image.src = `${origin}/image`;
    });
    await new Promise((resolve) => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/socket`);
      socket.onclose = resolve;
    });
  }, neighbour.origin);
  await own.setContent(`<form method="post" action="${neighbour.origin}/form"><input name="a" value="b"></form>`);
  await Promise.all([own.waitForURL("**/form"), own.evaluate(() => document.forms[0]!.submit())]);
  await own.close();
  const all = neighbour.received.join("\n");
  for (const path of ["GET /navigated", "GET /fetch", "GET /image", "GET /socket", "POST /form"]) expect(all).toContain(path);
  expect(all).not.toMatch(CREDENTIAL);
  expect(all).not.toMatch(/^(cookie|authorization)$/im);
});

it("the page reaches nothing of the API", async () => {
  const { origin } = world.bridge;
  const tried = await page.evaluate(async (bridge) => {
    const results: Record<string, string> = {};
    const attempt = async (name: string, act: () => Promise<unknown>): Promise<void> => {
      results[name] = await act().then(
        (value) => `ok ${JSON.stringify(value)}`,
        (error: Error) => error.name,
      );
    };
    const json = { "content-type": "application/json" };
    await attempt("read", async () => (await fetch(`${bridge}/api/v1/sessions`, { credentials: "include" })).status);
    await attempt("header", async () => (await fetch(`${bridge}/api/v1/sessions`, { headers: { authorization: "Bearer guessed-token" } })).status);
    await attempt("challenge", async () => (await fetch(`${bridge}/api/v1/auth/challenge`, { method: "POST", headers: json, body: '{"deviceId":"x"}' })).status);
    await attempt("index", async () => (await fetch(`${bridge}/`)).status);
    await attempt("blind", async () => {
      const answer = await fetch(`${bridge}/api/v1/sessions`, { mode: "no-cors", credentials: "include" });
      return answer.type;
    });
    await attempt("socket", () =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${bridge.replace("http", "ws")}/ws`, "aqueduct");
        socket.onopen = resolve;
        socket.onerror = () => reject(new Error("refused"));
      }),
    );
    await attempt("events", () =>
      new Promise((resolve, reject) => {
        const source = new EventSource(`${bridge}/api/v1/events`, { withCredentials: true });
        source.onopen = resolve;
        source.onerror = () => reject(new Error("refused"));
      }),
    );
    await attempt("worker", async () => (await navigator.serviceWorker.register(`${bridge}/sw.js`)).scope);
    await attempt("shared worker", async () => new SharedWorker(`${bridge}/sw.js`).port);
    return results;
  }, origin);
  for (const [name, result] of Object.entries(tried)) expect([name, result]).toEqual([name, expect.not.stringMatching(/^ok/)]);
});

it("a ticket that the page has got hold of shows nothing", async () => {
  const { bridge, device } = world;
  const id = await device.start(bridge.project, "@say hello");
  await device.idle();
  const path = `/api/v1/sessions/${id}/export/html`;
  const ticket = async (): Promise<string> => ((await bridge.ask("POST", "/tickets", { path })) as { url: string }).url;
  const stolen = `${bridge.origin}${await ticket()}`;
  const shown = await page.evaluate(async (url) => {
    const loaded = (element: HTMLElement & { src: string }): Promise<string> =>
      new Promise((resolve) => {
        element.onload = () => resolve("loaded");
        element.onerror = () => resolve("failed");
        element.src = url;
        document.body.append(element);
      });
    return [await loaded(new Image()), await fetch(url).then((answer) => `${answer.status}`, () => "failed"), await loaded(document.createElement("script"))];
  }, stolen);
  expect(shown).toEqual(["failed", "failed", "failed"]);
  // The bridge's own page uses it, once.
  const read = (url: string): Promise<number> => device.page.evaluate(async (path) => (await fetch(path)).status, url);
  const good = await ticket();
  expect([await read(good), await read(good)]).toEqual([200, 401]);
});

it("the page can neither frame the bridge nor reach a window of it", async () => {
  const { origin } = world.bridge;
  const framed = await page.evaluate(
    (bridge) =>
      new Promise<string>((resolve) => {
        const frame = document.createElement("iframe");
        frame.onload = () => {
          try {
            resolve(frame.contentDocument ? "readable" : "opaque");
          } catch {
            resolve("opaque");
          }
        };
        frame.src = bridge;
        document.body.append(frame);
      }),
    origin,
  );
  expect(framed).toBe("opaque");
  // What is in the frame is the browser's error page, and not ours.
  for (const frame of page.frames().slice(1)) expect(await frame.locator("#app").count()).toBe(0);
  // The bridge's window is put into a browsing context group of its own: to the page that opened it, it is closed.
  await page.evaluate((bridge) => void ((window as { opened?: Window | null }).opened = window.open(bridge)), origin);
  await expect.poll(() => page.evaluate(() => (window as unknown as { opened: Window }).opened.closed)).toBe(true);
  for (const other of world.device.context.pages()) if (other !== page && other !== world.device.page) await other.close();
});

it("the page has another storage, and other channels", async () => {
  const stored = await page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return { databases, caches: await caches.keys(), storage: localStorage.length, workers: (await navigator.serviceWorker.getRegistrations()).length };
  });
  expect(stored).toEqual({ databases: [], caches: [], storage: 0, workers: 0 });
  await page.evaluate(() => {
    (window as { reported?: unknown[] }).reported = [];
    for (const name of ["aqueduct", "credentials"]) new BroadcastChannel(name).onmessage = ({ data }) => (window as unknown as { reported: unknown[] }).reported.push(data);
  });
  await world.device.page.evaluate(() => ["aqueduct", "credentials"].forEach((name) => new BroadcastChannel(name).postMessage("secret")));
  await world.device.page.reload();
  await world.device.status("Connected").waitFor();
  expect(await page.evaluate(() => (window as unknown as { reported: unknown[] }).reported)).toEqual([]);
});

it("a form of the page changes nothing", async () => {
  const { bridge } = world;
  const before = JSON.stringify(await bridge.ask("GET", "/devices"));
  for (const [path, type] of [["/api/v1/pairings", "text/plain"], ["/api/v1/sessions", "application/x-www-form-urlencoded"], ["/api/v1/pair", "multipart/form-data"]]) {
    const other = await world.device.context.newPage();
    await other.goto(neighbour.origin);
    await other.setContent(`<form method="post" enctype="${type}" action="${bridge.origin}${path}"><input name='{"name":"' value='"}'></form>`);
    const [answer] = await Promise.all([other.waitForNavigation(), other.evaluate(() => document.forms[0]!.submit())]);
    expect([path, answer?.status()]).toEqual([path, 403]);
    await other.close();
  }
  const devices = (text: string): number => (JSON.parse(text) as { devices: unknown[] }).devices.length;
  expect(devices(JSON.stringify(await bridge.ask("GET", "/devices")))).toBe(devices(before));
});
