// Access of devices.

import { expect, it } from "vitest";
import { PLAIN_HOST } from "../browser.ts";
import type { World } from "../world.ts";

export function devices(world: World): void {
  it("without a token are shown how to get one", async () => {
    const stranger = await world.open({ link: null });
    await stranger.page.getByRole("heading", { name: "This device is not paired" }).waitFor();
    await stranger.close();
  });

  it("are paired by a link that works once", async () => {
    const link = await world.bridge.pairingLink();
    const first = await world.open({ link });
    expect(first.page.url()).not.toContain("pair=");
    const second = await world.open({ link: null });
    await second.page.goto(link);
    await second.page.getByRole("alert").waitFor();
    await first.close();
    await second.close();
  });

  it("are paired by a code that is typed", async () => {
    const code = new URL(await world.bridge.pairingLink()).hash.replace("#pair=", "");
    const stranger = await world.open({ link: null });
    await stranger.page.getByLabel("Pairing code").fill(code.toLowerCase());
    await stranger.button("Pair").click();
    await stranger.status("Connected").waitFor();
    await stranger.close();
  });

  it("are called what people call them", async () => {
    const { device, size } = world;
    await device.page.goto(`${world.bridge.origin}/#/`);
    await device.page.goto(`${world.bridge.origin}/#/devices`);
    const own = device.page.locator(".devices li", { hasText: "this device" });
    await own.getByRole("button", { name: /^Rename/ }).click();
    await device.page.getByLabel("Device name").fill(`Ada’s ${size}`);
    await device.page.getByRole("dialog", { name: "Rename device" }).getByRole("button", { name: "Rename", exact: true }).click();
    await own.getByText(`Ada’s ${size}`).waitFor();
  });

  it("are listed, and lose access when revoked", async () => {
    const { device } = world;
    const other = await world.open();
    await device.page.goto(`${world.bridge.origin}/#/`);
    await device.page.goto(`${world.bridge.origin}/#/devices`);
    const rows = device.page.locator(".devices li").filter({ hasNotText: "this device" }).filter({ has: device.button("Revoke") });
    await rows.first().waitFor();
    for (let left = await rows.count(); left > 0; left--) {
      await rows.first().getByRole("button", { name: "Revoke" }).click();
      await device.page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await expect.poll(() => rows.count()).toBe(left - 1);
    }
    await other.page.getByRole("heading", { name: "Pair this browser again" }).waitFor();
    await other.page.reload();
    await other.page.getByText("was revoked").waitFor();
    await other.page.getByLabel("Pairing code").fill(new URL(await world.bridge.pairingLink()).hash.replace("#pair=", ""));
    await other.button("Pair").click();
    await other.status("Connected").waitFor();
    await other.close();
  });

  it("that an earlier version gave a cookie are paired again", async () => {
    const { bridge } = world;
    const code = new URL(await bridge.pairingLink()).hash.replace("#pair=", "");
    const { token } = (await bridge.ask("POST", "/pair", { code, name: "From earlier" })) as { token: string };
    const old = await world.open({ link: null, storageState: { cookies: [{ name: "aqueduct", value: token, domain: "127.0.0.1", path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" }], origins: [] } });
    await old.page.getByRole("heading", { name: "Pair this browser again" }).waitFor();
    await old.page.getByText("no longer sign in with a cookie").waitFor();
    expect(await old.context.cookies()).toEqual([]);
    const listed = (await bridge.ask("GET", "/devices")) as { devices: Array<{ name: string }> };
    expect(listed.devices.map(({ name }) => name)).not.toContain("From earlier");
    await old.close();
  });

  it("without WebCrypto get a token, in a storage of the same origin", async () => {
    const { bridge, device } = world;
    const plain = await world.open({ link: (await bridge.pairingLink()).replace("127.0.0.1", PLAIN_HOST) });
    expect(await plain.page.evaluate(() => [isSecureContext, document.cookie, localStorage.getItem("token")])).toEqual([false, "", null]);
    await plain.page.reload();
    await plain.status("Connected").waitFor();
    await device.page.goto(`${bridge.origin}/#/`);
    await device.page.goto(`${bridge.origin}/#/devices`);
    await device.page.locator(".devices li").getByText("signs in with a token").first().waitFor();
    await device.page.locator(".devices li", { hasText: "this device" }).getByText("signs in with a key").waitFor();
    await plain.close();
  });
}
