import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Route } from "../../store/route.ts";
import { t } from "../../strings.ts";
import { useApp } from "../part/context.ts";
import { HomePage } from "../page/home.tsx";
import { lazy } from "./lazy.tsx";
import { LinkStatus } from "./link.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { Sidebar } from "./sidebar.tsx";
import { ToastList } from "./toasts.tsx";
import { useWide } from "./wide.ts";

const sessionPage = () => import("../page/session.tsx").then((module) => module.SessionPage);
const SessionPage = lazy(sessionPage);
const DiffPage = lazy(() => import("../page/diff.tsx").then((module) => module.DiffPage));
const FilePage = lazy(() => import("../page/file.tsx").then((module) => module.FilePage));
const SearchPage = lazy(() => import("../page/search.tsx").then((module) => module.SearchPage));
const UsagePage = lazy(() => import("../page/usage.tsx").then((module) => module.UsagePage));
const DevicesPage = lazy(() => import("../page/devices.tsx").then((module) => module.DevicesPage));
const NewPage = lazy(() => import("../page/new.tsx").then((module) => module.NewPage));
const PairPage = lazy(() => import("../page/pair.tsx").then((module) => module.PairPage));
const UnpairedPage = lazy(() => import("../page/pair.tsx").then((module) => module.UnpairedPage));
const ConfirmDialog = lazy(() => import("./confirm.tsx").then((module) => module.ConfirmDialog));
const ShortcutSheet = lazy(() => import("./shortcut-sheet.tsx").then((module) => module.ShortcutSheet));
const SettingsPage = lazy(() => import("../page/settings.tsx").then((module) => module.SettingsPage));

/** The whole page. */
export function Shell(): JSX.Element {
  const app = useApp();
  const route = app.router.route.value;
  const [help, setHelp] = useState(false);
  useShortcuts(app, () => setHelp(true));
  const wide = useWide();
  const listed = app.listed.value;
  useEffect(() => {
    // A user who sees the list opens a session next. If this fails, the page itself reports it.
    if (listed) sessionPage().catch(() => undefined);
  }, [listed]);
  if (route.page === "pair") return <PairPage code={route.code} />;
  if (app.connection.link.value === "unauthorized") return <UnpairedPage />;
  const current = "id" in route ? route.id : undefined;
  // On a phone the list is a page of its own.
  const list = route.page === "home" && !wide;
  return (
    <div class="shell" data-page={route.page}>
      {route.page === "session" && (
        <a class="skip" href="#message" onClick={skip}>
          {t.skip}
        </a>
      )}
      <LinkStatus />
      <div class="side" role={list ? "main" : undefined}>
        <Sidebar current={current} alone={list} onHelp={() => setHelp(true)} />
      </div>
      {!list && (
        <main>
          <Page route={route} />
        </main>
      )}
      <ToastList />
      {app.confirming.value && <ConfirmDialog asked={app.confirming.value} />}
      {help && <ShortcutSheet onClose={() => setHelp(false)} />}
    </div>
  );
}

/** The address is the place in the app: it must not change by skipping. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("message")?.focus();
}

function Page({ route }: { route: Route }): JSX.Element {
  switch (route.page) {
    case "home":
    case "pair":
      return <HomePage />;
    case "new":
      return <NewPage folder={route.folder} />;
    case "session":
      return <SessionPage key={route.id} id={route.id} seq={route.seq} />;
    case "diff":
      return <DiffPage key={route.id} id={route.id} path={route.path} />;
    case "file":
      return <FilePage key={`${route.id} ${route.path}`} id={route.id} path={route.path} line={route.line} />;
    case "search":
      return <SearchPage key={route.query} query={route.query} />;
    case "usage":
      return <UsagePage />;
    case "devices":
      return <DevicesPage />;
    case "settings":
      return <SettingsPage />;
  }
}
