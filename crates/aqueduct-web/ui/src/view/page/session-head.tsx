import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ExportFormat, SessionInfo } from "aqueduct-client";
import { address } from "../../store/route.ts";
import { isActive } from "../../store/sessions.ts";
import { t } from "../../strings.ts";
import { baseName, dollars } from "../../text/format.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Dialog } from "../part/dialog.tsx";
import { Icon } from "../part/icon.tsx";
import { Menu, type Choice } from "../part/menu.tsx";
import { StatusDot } from "../part/status.tsx";
import { Visible } from "../part/visible.tsx";
import { lazy } from "../shell/lazy.tsx";
import { save } from "./save.ts";

const McpDialog = lazy(() => import("./mcp.tsx").then((module) => module.McpDialog));

/** A session's title, how it fares, and what can be done with it. */
export function SessionHead({ id, session }: { id: string; session?: SessionInfo }): JSX.Element {
  const app = useApp();
  const [asking, setAsking] = useState<"rename" | "delete" | "budget" | "mcp">();
  const title = session?.title || t.sessions.untitled;
  return (
    <header class="page-head session-head">
      <a class="icon-button back" href={address({ page: "home" })} aria-label={t.back} title={t.back}>
        <Icon name="back" />
      </a>
      <div class="head-words">
        <h1>
          <Visible text={title} />
        </h1>
        {session && (
          <p>
            <StatusDot status={session.status} />
            <span>{t.status[session.status] ?? session.status}</span>
            <span class="head-path" title={session.projectPath}><Visible text={baseName(session.projectPath)} /></span>
            {session.costUsd !== undefined && session.costUsd > 0 && <span class="head-cost">{dollars(session.costUsd)}</span>}
            {session.gitBranch && <span class="head-branch"><Visible text={session.gitBranch} /></span>}
          </p>
        )}
      </div>
      <a class="icon-button" href={address({ page: "diff", id })} aria-label={t.session.diff} title={t.session.diff}>
        <Icon name="diff" />
      </a>
      <Menu label={t.session.actions} class="icon-menu" choices={session ? choices(session) : []}>
        <Icon name="more" />
      </Menu>
      {asking === "rename" && session && <Rename session={session} onClose={() => setAsking(undefined)} />}
      {asking === "budget" && session && <BudgetDialog session={session} onClose={() => setAsking(undefined)} />}
      {asking === "mcp" && session && <McpDialog session={session} onClose={() => setAsking(undefined)} />}
      {asking === "delete" && session && <Remove session={session} onClose={() => setAsking(undefined)} />}
    </header>
  );

  function choices(of: SessionInfo): Choice[] {
    const { sessionId } = of;
    const exported = (format: ExportFormat, label: string): Choice => ({
      label: `${t.session.export}: ${label}`,
      icon: "file",
      choose: () => void app.ask<"export">({ type: "export_session", sessionId, format }).then((reply) => save(reply.name, reply.content, format), () => undefined),
    });
    const looks: Choice[] = [
      { label: t.session.files, icon: "folder", choose: () => app.router.go({ page: "file", id: sessionId, path: "" }) },
      exported("markdown", t.session.markdown),
      exported("html", t.session.html),
      exported("jsonl", t.session.jsonl),
    ];
    // Only a running agent knows its servers.
    if (isActive(of.status)) looks.push({ label: t.session.mcp, icon: "plug", choose: () => setAsking("mcp") });
    if (!app.can("operate")) return looks;
    return [
      { label: t.session.rename, icon: "edit", choose: () => setAsking("rename") },
      ...looks,
      { label: t.session.budget, icon: "chart", choose: () => setAsking("budget") },
      ...(isActive(of.status) ? [{ label: t.session.stop, icon: "stop" as const, choose: () => app.do({ type: "stop_session", sessionId }) }] : []),
      of.archived
        ? { label: t.session.unarchive, icon: "archive", choose: () => app.do({ type: "archive_session", sessionId, archived: false }) }
        : { label: t.session.archive, icon: "archive", choose: () => app.do({ type: "archive_session", sessionId, archived: true }) },
      { label: t.session.remove, icon: "trash", danger: true, choose: () => setAsking("delete") },
    ];
  }
}

function Rename({ session, onClose }: { session: SessionInfo; onClose(): void }): JSX.Element {
  const app = useApp();
  const [title, setTitle] = useState(session.title);
  return (
    <Dialog title={t.session.rename} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          app.do({ type: "rename_session", sessionId: session.sessionId, title: title.trim() });
          onClose();
        }}
      >
        <label class="field">
          <span>{t.session.newTitle}</span>
          <input value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
        </label>
        <footer class="dialog-buttons">
          <Button kind="quiet" onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit">{t.save}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

function BudgetDialog({ session, onClose }: { session: SessionInfo; onClose(): void }): JSX.Element {
  const app = useApp();
  const [budget, setBudget] = useState(session.budgetUsd === undefined ? "" : String(session.budgetUsd));
  return (
    <Dialog title={t.session.budget} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          app.do({ type: "set_budget", sessionId: session.sessionId, ...(Number(budget) > 0 ? { budgetUsd: Number(budget) } : {}) });
          onClose();
        }}
      >
        <label class="field">
          <span>{t.start.budget}</span>
          <input type="number" inputMode="decimal" min="0" step="any" value={budget} placeholder={t.start.budgetHint} onInput={(event) => setBudget(event.currentTarget.value)} />
        </label>
        <footer class="dialog-buttons">
          <Button kind="quiet" onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit">{t.save}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Remove({ session, onClose }: { session: SessionInfo; onClose(): void }): JSX.Element {
  const app = useApp();
  const remove = (): void => {
    void app.ask({ type: "delete_session", sessionId: session.sessionId }).then(() => app.router.replace({ page: "home" }), () => undefined);
    onClose();
  };
  return (
    <Dialog title={t.session.remove} onClose={onClose}>
      <p>{t.session.removeSure}</p>
      <footer class="dialog-buttons">
        <Button kind="quiet" onClick={onClose}>{t.cancel}</Button>
        <Button kind="danger" onClick={remove}>{t.session.remove}</Button>
      </footer>
    </Dialog>
  );
}
