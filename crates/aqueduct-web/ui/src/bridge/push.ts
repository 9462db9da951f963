// Notifications by Web Push: this device's subscription, and the bridge's knowledge of it.

import type { App } from "../store/app.ts";

/** The state of notifications: the browser has none, the user forbids them, or they are off or on. */
export type PushState = "none" | "denied" | "off" | "on";

function able(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** The state of notifications on this device. A bridge without a key sends none; then the open page notifies. */
export async function pushState(app: App): Promise<PushState> {
  if (!able()) return "none";
  if (Notification.permission === "denied") return "denied";
  if (!app.hello.value?.pushKey) return app.preferences.value.notify && Notification.permission === "granted" ? "on" : "off";
  return (await current(app)) ? "on" : "off";
}

/** Has the bridge notify this device. */
export async function subscribePush(app: App, content: boolean): Promise<PushState> {
  if (!able()) return "none";
  if ((await Notification.requestPermission()) !== "granted") return pushState(app);
  const key = app.hello.value?.pushKey;
  if (!key) return "on";
  const worker = await navigator.serviceWorker.ready;
  let subscription = await current(app);
  if (!subscription) {
    // One that another bridge asked for would be in the way.
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }
  await tell(app, subscription, content);
  return "on";
}

/** Has the bridge leave this device alone. */
export async function unsubscribePush(app: App): Promise<PushState> {
  const subscription = able() ? await current(app) : undefined;
  if (subscription) {
    await app.connection.request({ type: "unsubscribe_push", endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  return "off";
}

/** Sends the bridge a subscription that it may have forgotten, or that the browser has renewed. */
export async function renewPush(app: App): Promise<void> {
  if (!able() || Notification.permission !== "granted" || !app.hello.value?.pushKey) return;
  const subscription = await current(app);
  if (subscription) await tell(app, subscription, app.preferences.value.pushContent);
}

/** This device's subscription, if it is one for this bridge. */
async function current(app: App): Promise<PushSubscription | undefined> {
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription();
  const key = subscription?.options.applicationServerKey;
  return subscription && (!key || base64url(new Uint8Array(key)) === app.hello.value?.pushKey) ? subscription : undefined;
}

async function tell(app: App, subscription: PushSubscription, content: boolean): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error("the browser's subscription has no keys");
  await app.connection.request({ type: "subscribe_push", endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, content });
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
