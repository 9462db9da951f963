// The service worker: the shell without a connection, and notifications. It keeps nothing of any session.

declare const self: ServiceWorkerGlobalScope;
/** The files of this build, put in by the build. */
declare const SHELL: readonly string[];
/** Changes with any of them. */
declare const BUILD: string;

const CACHE = `aqueduct-${BUILD}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || url.pathname.startsWith("/api/") || url.pathname === "/ws") return;
  // The page itself comes fresh where it can: it names the files that belong together.
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept("/")));
  else event.respondWith(kept(request).then((found) => (found.ok ? found : fetch(request))));
});

async function kept(request: Request | string): Promise<Response> {
  return (await caches.match(request, { cacheName: CACHE })) ?? Response.error();
}

/** What the bridge sends with a notification. */
interface Notice {
  title?: string;
  body?: string;
  sessionId?: string;
  kind?: string;
}

self.addEventListener("push", (event) => {
  let notice: Notice = {};
  try {
    notice = (event.data?.json() as Notice | undefined) ?? {};
  } catch {
    notice = { body: event.data?.text() };
  }
  event.waitUntil(
    self.registration.showNotification(notice.title ?? "Aqueduct", {
      body: notice.body,
      tag: notice.sessionId,
      icon: "/icon-192.png",
      badge: "/icon-192.png",
      data: { sessionId: notice.sessionId },
      // The newest of a session replaces all others, and alerts unless it reports that nothing is left to do.
      renotify: notice.sessionId !== undefined && notice.kind !== "settled",
      silent: notice.kind === "settled",
    } as NotificationOptions & { renotify: boolean }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const sessionId = (event.notification.data as { sessionId?: string } | null)?.sessionId;
  event.waitUntil(show(sessionId));
});

/** Brings an open page to the front, or opens one. */
async function show(sessionId: string | undefined): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages[0];
  if (page) {
    page.postMessage({ sessionId });
    // A browser that does not let it come to the front still has it at the right place.
    await page.focus().catch(() => undefined);
    return;
  }
  await self.clients.openWindow(sessionId ? `/#/s/${encodeURIComponent(sessionId)}` : "/");
}

export {};
