// The page begins here: everything of the browser is handed to the app, which knows none of it.

import { effect } from "@preact/signals";
import { uuid } from "aqueduct-client";
import { render } from "preact";
import { browser } from "./bridge/surroundings.ts";
import { App } from "./store/app.ts";
import { applyLooks, keptPreferences } from "./store/preferences.ts";
import { Router } from "./store/route.ts";
import { attention } from "./device/attention.ts";
import { registerWorker } from "./device/worker.ts";
import { AppContext } from "./view/part/context.ts";
import { Shell } from "./view/shell/shell.tsx";

/** A page hidden gets no frames; it still keeps up. */
const HIDDEN_FRAME_MS = 100;

const preferences = keptPreferences(localStorage, matchMedia("(pointer: coarse)").matches);
effect(() => applyLooks(preferences.value, document.documentElement));

const app = new App({
  around: browser(location.origin),
  keep: localStorage,
  router: new Router(window),
  preferences,
  frame: (call) => {
    if (document.hidden) setTimeout(call, HIDDEN_FRAME_MS);
    else requestAnimationFrame(call);
  },
  uuid,
});

const root = document.getElementById("app");
if (!root) throw new Error("the page has no element for the app");
render(
  <AppContext.Provider value={app}>
    <Shell />
  </AppContext.Provider>,
  root,
);

// A device that is about to be paired has nothing to connect with yet.
if (app.router.route.peek().page !== "pair") app.connection.start();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) app.connection.wake();
});
addEventListener("pageshow", () => app.connection.wake());
addEventListener("online", () => app.connection.wake());
addEventListener("offline", () => app.connection.lose());
attention(app);
registerWorker(app);
