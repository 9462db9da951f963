import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refused, type TrustItem, type TrustReport } from "aqueduct-client";
import { t } from "../../strings.ts";
import { trust as words } from "../../strings-trust.ts";
import { relative } from "../../text/format.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Dialog } from "../part/dialog.tsx";
import { Visible } from "../part/visible.tsx";

interface TrustDialogProps {
  report: TrustReport;
  /** Set for an agent that can't leave out what the folder provides: its name. */
  needsTrust?: string;
  /** Starts the session: with what the folder provides, or without it. Absent where no session is about to start. */
  onStart?(): void;
  onClose(): void;
}

/** Asks whether the user trusts what a folder provides, and shows all of it. */
export function TrustDialog({ report: first, needsTrust, onStart, onClose }: TrustDialogProps): JSX.Element {
  const app = useApp();
  const [report, setReport] = useState(first);
  const [busy, setBusy] = useState(false);
  const [moved, setMoved] = useState(false);
  const administers = app.can("admin");
  const changed = report.state === "changed";

  const trust = async (): Promise<void> => {
    setBusy(true);
    const { projectPath, digest } = report;
    try {
      await app.connection.request({ type: "trust_folder", projectPath, digest });
      if (onStart) onStart();
      else app.toasts.show("info", words.fromNowOn);
      onClose();
    } catch (error) {
      // What was shown has changed: it is shown again, and nothing was trusted.
      if (Refused.is(error, "trust_changed")) {
        await app.ask<"trust">({ type: "get_trust", projectPath }).then(
          (again) => {
            setReport(again);
            setMoved(true);
          },
          () => undefined,
        );
      } else app.toasts.fail(error);
      setBusy(false);
    }
  };

  return (
    <Dialog title={!administers ? words.titleReview : changed ? words.titleChanged : words.title} class="trust" onClose={onClose}>
      <p class="trust-folder"><code><Visible text={report.projectPath} /></code></p>
      <p>{changed ? words.introChanged : words.intro}</p>
      {!administers && (
        <div class="trust-elsewhere">
          <p>{words.elsewhere}</p>
          <pre tabIndex={0}><Visible text={`aqueduct trust ${quoted(report.projectPath)}`} /></pre>
        </div>
      )}
      {moved && <p class="warning" role="alert">{words.moved}</p>}
      <Items report={report} />
      {(report.problems?.length ?? 0) > 0 && (
        <section>
          <h3>{words.problems}</h3>
          <ul class="trust-problems">
            {report.problems?.map((problem) => <li key={problem}><Visible text={problem} /></li>)}
          </ul>
        </section>
      )}
      {needsTrust && <p class="warning">{words.needed(needsTrust)}</p>}
      <footer class="dialog-buttons trust-buttons">
        <Button kind="quiet" onClick={onClose}>{onStart || administers ? t.cancel : t.close}</Button>
        {onStart && !needsTrust && (
          <Button
            kind={administers ? undefined : "primary"}
            disabled={busy}
            onClick={() => {
              onStart();
              onClose();
            }}
          >
            {words.without}
          </Button>
        )}
        {administers && <Button kind="primary" disabled={busy} onClick={() => void trust()}>{onStart ? words.trustAndStart : words.trust}</Button>}
      </footer>
    </Dialog>
  );
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** What differs from what was trusted before first; the rest folded. */
function Items({ report }: { report: TrustReport }): JSX.Element {
  const differs = (item: TrustItem): boolean => report.state !== "changed" || item.change === "added" || item.change === "removed";
  const rest = report.items.filter((item) => !differs(item));
  return (
    <>
      <Groups items={report.items.filter(differs)} folder={report.projectPath} marked={report.state === "changed"} />
      {rest.length > 0 && (
        <details class="trust-rest">
          <summary>{words.unchanged(rest.length)}</summary>
          <Groups items={rest} folder={report.projectPath} marked={false} />
        </details>
      )}
    </>
  );
}

function Groups({ items, folder, marked }: { items: readonly TrustItem[]; folder: string; marked: boolean }): JSX.Element {
  const kinds = [...new Set(items.map((item) => item.kind))];
  return (
    <>
      {kinds.map((kind) => {
        const group = items.filter((item) => item.kind === kind);
        return (
          <section key={kind} class="trust-group">
            <h3>{words.kinds[kind] ?? group[0]?.heading ?? kind}</h3>
            <ul>
              {group.map((item, at) => (
                <li key={at} class={marked ? item.change : undefined}>
                  <p class="trust-name">
                    {marked && <span class={`chip ${item.change === "removed" ? "deleted" : "added"}`}>{item.change === "removed" ? words.removed : words.added}</span>}
                    <strong><Visible text={item.name} /></strong>
                  </p>
                  {item.detail !== "" && <pre class="exact" tabIndex={0} aria-label={words.detail}><Visible text={item.detail} /></pre>}
                  {item.source && <p class="trust-source"><Visible text={relative(item.source, folder)} /></p>}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** Shows what a folder provides, to be trusted without starting anything. */
export function TrustReview({ folder, onClose }: { folder: string; onClose(): void }): JSX.Element | null {
  const app = useApp();
  const [report, setReport] = useState<TrustReport>();
  useEffect(() => {
    app.ask<"trust">({ type: "get_trust", projectPath: folder }).then((found) => {
      if (found.state === "untrusted" || found.state === "changed") return setReport(found);
      app.toasts.show("info", words.fromNowOn);
      onClose();
    }, onClose);
  }, [folder]);
  return report ? <TrustDialog report={report} onClose={onClose} /> : null;
}
