// Where the reader is, kept behind the address's `#`: so any page can be linked to and the bridge sees none of it.

import { signal, type ReadonlySignal } from "@preact/signals";

/** A place in the UI. */
export type Route =
  | { page: "home" }
  | { page: "new"; folder?: string }
  | { page: "session"; id: string; seq?: number }
  | { page: "diff"; id: string; path?: string }
  | { page: "file"; id: string; path: string; line?: number }
  | { page: "search"; query: string }
  | { page: "usage" }
  | { page: "devices" }
  | { page: "settings" }
  | { page: "pair"; code: string };

/** The place that an address means; home if none. */
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, "");
  if (text.startsWith("pair=")) return { page: "pair", code: decode(text.slice(5)) };
  const [path = "", query = ""] = text.split("?", 2);
  const parts = path.split("/").filter((part) => part !== "").map(decode);
  const given = new URLSearchParams(query);
  const [first, id, third] = parts;
  switch (first) {
    case "new":
      return { page: "new", folder: given.get("folder") ?? undefined };
    case "s":
      if (id === undefined) return { page: "home" };
      if (third === "diff") return { page: "diff", id, path: given.get("path") ?? undefined };
      if (third === "file") return { page: "file", id, path: given.get("path") ?? "", line: number(given.get("line")) };
      return { page: "session", id, seq: number(given.get("seq")) };
    case "search":
      return { page: "search", query: given.get("q") ?? "" };
    case "usage":
    case "devices":
    case "settings":
      return { page: first };
    default:
      return { page: "home" };
  }
}

/** The address of a place. */
export function address(route: Route): string {
  switch (route.page) {
    case "home":
      return "#/";
    case "pair":
      return `#pair=${encodeURIComponent(route.code)}`;
    case "new":
      return `#/new${given({ folder: route.folder })}`;
    case "session":
      return `#/s/${encodeURIComponent(route.id)}${given({ seq: route.seq })}`;
    case "diff":
      return `#/s/${encodeURIComponent(route.id)}/diff${given({ path: route.path })}`;
    case "file":
      return `#/s/${encodeURIComponent(route.id)}/file${given({ path: route.path, line: route.line })}`;
    case "search":
      return `#/search${given({ q: route.query })}`;
    default:
      return `#/${route.page}`;
  }
}

function given(members: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined && value !== "") query.set(name, String(value));
  return query.size === 0 ? "" : `?${query}`;
}

function number(text: string | null): number | undefined {
  const value = Number(text);
  return text !== null && Number.isInteger(value) && value > 0 ? value : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The place in the window's address, kept in step with it. */
export class Router {
  private readonly current = signal<Route>({ page: "home" });

  constructor(private readonly view: Pick<Window, "location" | "history" | "addEventListener">) {
    this.current.value = parseRoute(view.location.hash);
    view.addEventListener("hashchange", () => {
      this.current.value = parseRoute(view.location.hash);
    });
  }

  /** Where the reader is. */
  get route(): ReadonlySignal<Route> {
    return this.current;
  }

  /** Goes to a place. */
  go(route: Route): void {
    this.view.location.hash = address(route);
  }

  /** Goes to a place without a way back to this one. */
  replace(route: Route): void {
    this.view.history.replaceState(null, "", address(route));
    this.current.value = route;
  }
}
