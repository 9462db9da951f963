// Keys that work everywhere.

import { useEffect } from "preact/hooks";
import type { App } from "../../store/app.ts";
import { grouped, isBusy } from "../../store/sessions.ts";

/** Listens to the keys that work everywhere. */
export function useShortcuts(app: App, help: () => void): void {
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      const route = app.router.route.value;
      if (event.ctrlKey && event.key === ".") {
        const id = "id" in route ? route.id : undefined;
        if (id && app.can("operate") && isBusy(app.sessions.value.get(id)?.status)) {
          event.preventDefault();
          app.do({ type: "interrupt", sessionId: id }, { once: true });
        }
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target) || document.querySelector("dialog[open]")) return;
      const action = actionOf(app, event.key, help);
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, []);
}

function actionOf(app: App, key: string, help: () => void): (() => void) | undefined {
  switch (key) {
    case "?":
      return help;
    case "n":
      return app.can("operate") ? () => app.router.go({ page: "new" }) : undefined;
    case "/":
      return () => {
        const field = document.getElementById("search");
        if (field?.checkVisibility()) field.focus();
        else app.router.go({ page: "home" });
      };
    case "i":
      return () => document.getElementById("message")?.focus();
    case "u":
      return () => app.router.go({ page: "usage" });
    case ",":
      return () => app.router.go({ page: "settings" });
    case "G":
      return () => document.querySelector<HTMLElement>(".to-end")?.click();
    case "j":
      return () => step(app, 1);
    case "k":
      return () => step(app, -1);
    default:
      return undefined;
  }
}

/** Goes to the next session of the list, or the one before. */
function step(app: App, by: number): void {
  const list = [...grouped([...app.sessions.value.values()].filter((session) => !session.archived)).values()].flat();
  if (list.length === 0) return;
  const route = app.router.route.value;
  const at = "id" in route ? list.findIndex((session) => session.sessionId === route.id) : -1;
  const next = list[Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + by))];
  if (next) app.router.go({ page: "session", id: next.sessionId });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
