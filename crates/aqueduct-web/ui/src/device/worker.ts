// The service worker, as seen from the page.

import { effect } from "@preact/signals";
import { renewPush } from "../bridge/push.ts";
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
  effect(() => {
    // Each greeting may be another bridge's, or one's that has forgotten. What goes wrong shows in the settings.
    if (app.hello.value?.pushKey) renewPush(app).catch(() => undefined);
  });
}
