// Notifications: from the switch in the settings to what the device shows, over a push service on this machine.

import { afterAll, beforeAll, expect, it } from "vitest";
import type { Device } from "../browser.ts";
import { PushService } from "../push-service.ts";
import type { World } from "../world.ts";

interface Shown {
  title: string;
  body: string;
  tag: string;
}

/** What the device shows of notifications. */
function shown(device: Device): Promise<Shown[]> {
  return device.page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
  });
}

/** Has the browser deliver a message to the service worker, as its push service would. */
async function deliver(world: World, device: Device, data: string): Promise<void> {
  const session = await device.context.newCDPSession(device.page);
  const found = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations.filter(({ scopeURL, isDeleted }) => scopeURL.startsWith(world.bridge.origin) && !isDeleted);
      if (registration) resolve(registration.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.deliverPushMessage", { origin: world.bridge.origin, registrationId: await found, data });
  await session.detach();
}

export function notifications(world: World): void {
  let service: PushService;
  let device: Device;
  beforeAll(async () => {
    service = await PushService.start();
    device = await world.open({ permissions: ["notifications"] });
    // The browser's own push service is out of reach: the page gets a subscription with ours.
    await device.context.addInitScript((subscription) => {
      let current: unknown = null;
      const made = {
        endpoint: subscription.endpoint,
        options: { applicationServerKey: null },
        toJSON: () => subscription,
        unsubscribe: async () => {
          current = null;
          return true;
        },
      };
      PushManager.prototype.subscribe = async () => (current = made) as unknown as PushSubscription;
      PushManager.prototype.getSubscription = async () => current as PushSubscription | null;
    }, service.subscription);
    await device.page.reload();
    await device.page.goto(`${world.bridge.origin}/#/settings`);
  });
  afterAll(async () => {
    await device?.close();
    service?.stop();
  });

  it("are switched on, and tried", async () => {
    await device.page.getByRole("switch", { name: /Notify this device/ }).check();
    await device.button("Send a test").click();
    const { headers, text } = await service.next();
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", authorization: expect.stringMatching(/^vapid /) });
    expect(JSON.parse(text)).toMatchObject({ kind: "test" });
    await deliver(world, device, text);
    await expect.poll(() => shown(device).then((list) => list.length)).toBe(1);
  });

  it("report that a session waits and no more; the newest replaces all, and leads there", async () => {
    // A session of another client: this device does not show it.
    const { bridge } = world;
    const { sessionId } = (await bridge.ask("POST", "/sessions", { projectPath: bridge.project, text: world.command("touch secret-plan.txt") })) as { sessionId: string };
    const { text } = await service.next();
    expect(JSON.parse(text)).toMatchObject({ kind: "waits", sessionId });
    expect(text).not.toContain("secret");
    await deliver(world, device, text);
    await deliver(world, device, text);
    await expect.poll(() => shown(device).then((list) => list.filter(({ tag }) => tag === sessionId).length)).toBe(1);
    const worker = device.context.serviceWorkers().find((one) => one.url().startsWith(bridge.origin))!;
    await worker.evaluate(async (tag) => {
      const [notification] = await (self as unknown as { registration: ServiceWorkerRegistration }).registration.getNotifications({ tag });
      const Click = (self as unknown as { NotificationEvent: new (type: string, init: object) => Event }).NotificationEvent;
      self.dispatchEvent(new Click("notificationclick", { notification }));
    }, sessionId);
    await device.button("Deny").click();
    await device.idle();
  });

  it("are switched off", async () => {
    await device.page.goto(`${world.bridge.origin}/#/settings`);
    // The page asks the browser for its subscription first: until then the switch is off.
    await device.button("Send a test").waitFor();
    await device.page.getByRole("switch", { name: /Notify this device/ }).uncheck();
    await device.button("Send a test").waitFor({ state: "detached" });
  });
}
