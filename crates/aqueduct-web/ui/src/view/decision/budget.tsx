import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PermissionRequest } from "aqueduct-client";
import { t } from "../../strings.ts";
import { dollars } from "../../text/format.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { useDecide } from "./decide.ts";

/** The budget is spent: continue with more, or leave the session paused. */
export function BudgetCard({ request }: { request: PermissionRequest }): JSX.Element {
  const { busy, decide } = useDecide();
  const { budgetUsd = 0, spentUsd = 0 } = (request.input ?? {}) as { budgetUsd?: number; spentUsd?: number };
  const [next, setNext] = useState(String(Math.max(budgetUsd * 2, Math.ceil(spentUsd))));
  const { id, sessionId, inputHash } = request;
  // A device that may only decide continues with the same amount again.
  const chooses = useApp().can("operate");
  return (
    <section class="decision" role="region" aria-label={t.permission.budget}>
      <div class="decision-body">
        <header>
          <Icon name="chart" />
          <h2>{t.permission.budget}</h2>
        </header>
        <p>{t.budget.text(dollars(spentUsd), dollars(budgetUsd))}</p>
        {chooses && (
          <label class="field row">
            <span>{t.budget.next}</span>
            <input type="number" inputMode="decimal" min="0" step="any" value={next} onInput={(event) => setNext(event.currentTarget.value)} />
          </label>
        )}
        {!chooses && <p class="quiet">{t.budget.again(dollars(budgetUsd))}</p>}
      </div>
      <footer class="decision-buttons">
        <Button kind="quiet" disabled={busy} onClick={() => decide({ type: "reject", id, sessionId, inputHash })}>{t.budget.leave}</Button>
        <Button kind="primary" disabled={busy || (chooses && !(Number(next) > 0))} onClick={() => decide({ type: "approve", id, sessionId, inputHash, ...(chooses ? { budgetUsd: Number(next) } : {}) })}>{t.budget.go}</Button>
      </footer>
    </section>
  );
}
