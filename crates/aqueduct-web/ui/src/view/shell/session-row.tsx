import type { JSX } from "preact";
import type { SessionInfo } from "aqueduct-client";
import { address } from "../../store/route.ts";
import { t } from "../../strings.ts";
import { ago, baseName } from "../../text/format.ts";
import { useApp } from "../part/context.ts";
import { memo } from "../part/memo.ts";
import { StatusDot } from "../part/status.tsx";
import { Visible } from "../part/visible.tsx";

/** The name of a session: its title, or its first message. */
export function nameOf(session: SessionInfo | undefined): string {
  return session?.title || session?.firstPrompt || t.sessions.untitled;
}

/** A session in the list. */
export const SessionRow = memo(function SessionRow({ session, current }: { session: SessionInfo; current: boolean }): JSX.Element {
  const app = useApp();
  return (
    <li>
      <a class="session-row" href={address({ page: "session", id: session.sessionId })} aria-current={current ? "page" : undefined}>
        <StatusDot status={session.status} />
        <span class="session-words">
          <span class="session-title">
            <Visible text={nameOf(session)} />
          </span>
          <span class="session-facts">
            <span><Visible text={baseName(session.projectPath)} /></span>
            {session.gitBranch && <span><Visible text={session.gitBranch} /></span>}
            {session.source === "terminal" && <span>{t.sessions.terminal}</span>}
            {session.archived && <span>{t.sessions.archived}</span>}
            {session.queued > 0 && <span>{t.sessions.queued(session.queued)}</span>}
          </span>
        </span>
        <span class="session-side">
          <time>{ago(session.updatedAt, app.now())}</time>
          {session.pending > 0 && (
            <span class="badge" title={t.sessions.pending(session.pending)}>
              {session.pending}
              <span class="off-screen"> {t.sessions.pending(session.pending)}</span>
            </span>
          )}
        </span>
      </a>
    </li>
  );
});
