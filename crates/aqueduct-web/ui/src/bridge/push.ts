// Notifications by Web Push: this device's subscription, and the bridge's knowledge of it.

import type { App } from "../store/app.ts";

/** How notifications stand: the browser has none, its reader forbids them, or they are off or on. */
export type PushState = "none" | "denied" | "off" | "on";

function able(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** How notifications stand on this device. A bridge without a key sends none; then the open page tells. */
export async function pushState(app: App): Promise<PushState> {
  if (!able()) return "none";
  if (Notification.permission === "denied") return "denied";
  if (!app.hello.value?.pushKey) return app.preferences.value.notify && Notification.permission === "granted" ? "on" : "off";
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ? "on" : "off";
}

/** Has the bridge notify this device. */
export async function subscribePush(app: App, content: boolean): Promise<PushState> {
  if (!able()) return "none";
  if ((await Notification.requestPermission()) !== "granted") return pushState(app);
  const key = app.hello.value?.pushKey;
  if (!key) return "on";
  const worker = await navigator.serviceWorker.ready;
  const subscription = (await worker.pushManager.getSubscription()) ?? (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) return pushState(app);
  await app.connection.request({ type: "subscribe_push", endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, content });
  return "on";
}

/** Has the bridge leave this device alone. */
export async function unsubscribePush(app: App): Promise<PushState> {
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription();
  if (subscription) {
    await app.connection.request({ type: "unsubscribe_push", endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  return "off";
}
