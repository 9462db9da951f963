import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ContextReport, SessionInfo } from "aqueduct-client";
import { t } from "../../strings.ts";
import { compact } from "../../text/format.ts";
import { useApp } from "../part/context.ts";
import { Dialog } from "../part/dialog.tsx";

/** From this share on the context is nearly full. */
const HIGH = 0.8;

/** How much of the model's context is filled; it opens what fills it. */
export function ContextGauge({ session }: { session: SessionInfo }): JSX.Element | null {
  const app = useApp();
  const [report, setReport] = useState<ContextReport>();
  const { contextTokens, contextWindow, sessionId } = session;
  if (!contextTokens || !contextWindow) return null;
  const share = Math.min(1, contextTokens / contextWindow);
  const percent = `${Math.round(share * 100)} %`;
  const open = (): void => {
    app.ask<"context">({ type: "get_context", sessionId }).then(setReport, () => undefined);
  };
  return (
    <>
      <button type="button" class={`gauge ${share > HIGH ? "high" : ""}`} aria-label={`${t.composer.context}: ${percent}`} title={t.composer.contextOf(compact(contextTokens), compact(contextWindow))} onClick={open}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" />
          <circle class="filled" cx="10" cy="10" r="8" pathLength={100} stroke-dasharray={`${share * 100} 100`} />
        </svg>
        <span>{percent}</span>
      </button>
      {report && (
        <Dialog title={t.composer.context} onClose={() => setReport(undefined)}>
          <Shares report={report} />
        </Dialog>
      )}
    </>
  );
}

function Shares({ report }: { report: ContextReport }): JSX.Element {
  const all = report.window ?? report.tokens;
  return (
    <>
      <p>{t.composer.contextOf(compact(report.tokens), compact(all))}</p>
      <ul class="shares">
        {report.shares?.map((part) => (
          <li key={part.name} class={part.free ? "free" : ""}>
            <span class="share-name">{part.name}</span>
            <span class="share-facts">{compact(part.tokens)}</span>
            <meter value={all > 0 ? part.tokens / all : 0} aria-label={part.name} />
          </li>
        ))}
      </ul>
      {report.compactAt !== undefined && <p class="quiet">{t.composer.compactAt(compact(report.compactAt))}</p>}
    </>
  );
}
