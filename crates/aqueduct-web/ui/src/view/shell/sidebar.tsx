import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { SessionInfo } from "aqueduct-client";
import { address } from "../../store/route.ts";
import { grouped, type Group } from "../../store/sessions.ts";
import { t } from "../../strings.ts";
import { baseName } from "../../text/format.ts";
import { Button } from "../part/button.tsx";
import { useTicks } from "../part/clock.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Menu } from "../part/menu.tsx";
import { SessionRow } from "./session-row.tsx";

const GROUPS: readonly Group[] = ["waiting", "running", "idle", "recent"];

interface SidebarProps {
  current?: string;
  /** Whether it is all there is to see: then the page's heading is here. */
  alone: boolean;
  onHelp(): void;
}

/** The sessions, and the ways to everything else. */
export function Sidebar({ current, alone, onHelp }: SidebarProps): JSX.Element {
  const app = useApp();
  const [query, setQuery] = useState("");
  const [project, setProject] = useState("");
  const [archived, setArchived] = useState(false);
  useTicks(30_000);
  const all = [...app.sessions.value.values()];
  const projects = useMemo(() => [...new Set(all.map((session) => session.projectPath))].sort(), [app.sessions.value]);
  const shown = all.filter((session) => (archived || !session.archived) && (project === "" || session.projectPath === project) && fits(session, query));
  const groups = grouped(shown);
  const go = app.router.go.bind(app.router);
  const brand = (
    <a class="brand" href={address({ page: "home" })}>
      <Mark />
      {t.app}
    </a>
  );
  return (
    <nav class="sidebar" aria-label={t.nav.sessions}>
      <header class="side-head">
        {alone ? <h1>{brand}</h1> : brand}
        <Menu
          label={t.nav.menu}
          class="icon-menu"
          choices={[
            { label: t.nav.usage, icon: "chart", choose: () => go({ page: "usage" }) },
            { label: t.nav.devices, icon: "phone", choose: () => go({ page: "devices" }) },
            { label: t.nav.settings, icon: "gear", choose: () => go({ page: "settings" }) },
            { label: t.nav.shortcuts, icon: "keyboard", choose: onHelp },
          ]}
        >
          <Icon name="more" />
        </Menu>
      </header>
      {app.can("operate") && <Button kind="primary" class="new" icon="plus" onClick={() => go({ page: "new" })}>{t.nav.newSession}</Button>}
      <form
        class="side-search"
        role="search"
        aria-label={t.sessions.search}
        onSubmit={(event) => {
          event.preventDefault();
          if (query.trim() !== "") go({ page: "search", query: query.trim() });
        }}
      >
        <Icon name="search" />
        <input id="search" type="search" aria-label={t.sessions.search} placeholder={t.sessions.searchHint} value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
      </form>
      {projects.length > 1 && (
        <div class="side-filter">
          <select aria-label={t.sessions.project} value={project} onChange={(event) => setProject(event.currentTarget.value)}>
            <option value="">{t.sessions.allProjects}</option>
            {projects.map((path) => (
              <option key={path} value={path}>
                {baseName(path)}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="side-list">
        {GROUPS.map((group) => (
          <SessionGroup key={group} group={group} sessions={groups.get(group) ?? []} current={current} />
        ))}
        {query.trim() !== "" && (
          <button type="button" class="button quiet wide" onClick={() => go({ page: "search", query: query.trim() })}>
            <Icon name="search" />
            {t.sessions.searchHint}: “{query.trim()}”
          </button>
        )}
        {app.listed.value && all.length === 0 && (
          <div class="side-empty">
            <p>{t.sessions.none}</p>
            {alone && app.can("operate") && <p>{t.sessions.noneHint}</p>}
          </div>
        )}
        {all.length > 0 && shown.length === 0 && <p class="side-empty">{t.sessions.noneHere}</p>}
        {app.moreSessions.value && query === "" && (
          <button type="button" class="button quiet wide" onClick={() => void app.moreRecent(all.length).catch(() => undefined)}>
            {t.loadMore}
          </button>
        )}
        {all.some((session) => session.archived) && (
          <label class="side-archived">
            <input type="checkbox" checked={archived} onChange={(event) => setArchived(event.currentTarget.checked)} />
            {t.sessions.showArchived}
          </label>
        )}
      </div>
    </nav>
  );
}

function fits(session: SessionInfo, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const text = `${session.title} ${session.projectPath} ${session.firstPrompt ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function SessionGroup({ group, sessions, current }: { group: Group; sessions: readonly SessionInfo[]; current?: string }): JSX.Element | null {
  if (sessions.length === 0) return null;
  const name = `group-${group}`;
  return (
    <section class={`side-group ${group}`} aria-labelledby={name}>
      <h2 id={name}>
        {t.sessions[group]}
        {group === "waiting" && <span class="badge">{sessions.length}</span>}
      </h2>
      <ul>
        {sessions.map((session) => (
          <SessionRow key={session.sessionId} session={session} current={session.sessionId === current} />
        ))}
      </ul>
    </section>
  );
}

/** The app's mark: an aqueduct's arches with water above. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path class="water" d="M3 9c3-3 5 3 8.5 0s5 3 8.5 0 5 3 9 0" />
      <path d="M3 14h26M5 27v-6a4 4 0 0 1 8 0v6M13 27v-6a4 4 0 0 1 8 0v6M21 27v-6a3.5 3.5 0 0 1 7 0v6" />
    </svg>
  );
}
