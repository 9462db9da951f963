// The service worker, as seen from the page.

import type { App } from "../store/app.ts";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The page's policy lets no text become a script; this one address it does. */
function scriptUrl(url: "/sw.js"): string {
  const types = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
  return types ? types.createPolicy("aqueduct", { createScriptURL: () => url }).createScriptURL(url) : url;
}

/** Installs the service worker, and goes where its notifications lead. */
export function registerWorker(app: App): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(scriptUrl("/sw.js")).catch(() => {
    // Without one the page works; it just can't be opened without a connection.
  });
  navigator.serviceWorker.addEventListener("message", (event: MessageEvent<{ sessionId?: string }>) => {
    if (event.data?.sessionId) app.router.go({ page: "session", id: event.data.sessionId });
  });
}
