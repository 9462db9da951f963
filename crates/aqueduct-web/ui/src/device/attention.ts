// Calling for attention while the page is hidden: title, badge, icon, notification.

import { effect } from "@preact/signals";
import type { SessionInfo } from "aqueduct-client";
import type { App } from "../store/app.ts";
import { isBusy, needsYou } from "../store/sessions.ts";
import { t } from "../strings.ts";

const ICON = "/icon.svg";
const ICON_WAITING = "/icon-waiting.svg";

/** Calls for attention from here on. */
export function attention(app: App): void {
  effect(() => {
    const waiting = app.waiting.value;
    const route = app.router.route.value;
    const title = "id" in route ? app.sessions.value.get(route.id)?.title : undefined;
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title ? `${title} · ` : ""}${t.app}`;
    document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", waiting > 0 ? ICON_WAITING : ICON);
    const badge = waiting > 0 ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
    // Only installed apps have a badge.
    badge?.catch(() => undefined);
  });
  const seen = (): void => {
    const route = app.router.route.peek();
    if (!document.hidden && "id" in route) void dismiss(route.id);
  };
  app.router.route.subscribe(seen);
  document.addEventListener("visibilitychange", seen);
  const before = new Map<string, SessionInfo>();
  app.listen((message) => {
    if (message.type !== "session_update") return;
    const { session } = message;
    const old = before.get(session.sessionId);
    before.set(session.sessionId, session);
    if (old) notify(app, old, session);
  });
}

/** A user who is viewing a session needs no notification of it. */
async function dismiss(sessionId: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await worker?.getNotifications({ tag: sessionId })) ?? []) notification.close();
}

function notify(app: App, old: SessionInfo, now: SessionInfo): void {
  // With a push subscription the service worker notifies while the page is closed; here the page is open.
  if (!document.hidden || !app.preferences.value.notify || !("Notification" in window) || Notification.permission !== "granted") return;
  const title = now.title || t.sessions.untitled;
  const text = !needsYou(old) && needsYou(now) ? t.notice.needsYou(title) : isBusy(old.status) && now.status === "idle" ? t.notice.done(title) : undefined;
  if (text === undefined) return;
  void navigator.serviceWorker?.getRegistration().then((worker) => worker?.showNotification(text, { tag: now.sessionId, icon: "/icon-192.png", data: { sessionId: now.sessionId } }));
}
