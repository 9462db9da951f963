import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RateLimitInfo, UsageRow, UsageSummary } from "../../generated/messages.ts";
import { t } from "../../strings.ts";
import { baseName, compact, dollars, moment } from "../../text/format.ts";
import { useApp } from "../part/context.ts";
import { Frame } from "./frame.tsx";

const PERIODS = [7, 30, 90] as const;
const DAY_MS = 86_400_000;

/** What was used: cost and tokens by day, project and model, and how the limits stand. */
export function UsagePage(): JSX.Element {
  const app = useApp();
  const [days, setDays] = useState<number>(30);
  const [usage, setUsage] = useState<UsageSummary>();
  useEffect(() => {
    const from = isoDay(app.now() - (days - 1) * DAY_MS);
    app.ask<"usage">({ type: "get_usage", from }).then(setUsage, () => undefined);
  }, [days]);
  const limits = [...app.rateLimits.value.values()];
  return (
    <Frame
      title={t.usage.title}
      class="narrow"
      actions={
        <select aria-label={t.usage.range} value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
          {PERIODS.map((period) => (
            <option key={period} value={period}>
              {t.usage.days(period)}
            </option>
          ))}
        </select>
      }
    >
      {!usage && <p class="page-wait">{t.loading}</p>}
      {usage && <Totals usage={usage} />}
      {usage && usage.rows.length === 0 && <p class="page-wait">{t.usage.none}</p>}
      {usage && usage.rows.length > 0 && (
        <>
          <Plot rows={usage.rows} from={usage.from} to={usage.to} />
          <Shares title={t.usage.byProject} rows={usage.rows} by={(row) => row.projectPath} name={baseName} />
          <Shares title={t.usage.byModel} rows={usage.rows} by={(row) => row.model} name={(model) => model} />
        </>
      )}
      <section class="panel">
        <h2>{t.usage.limits}</h2>
        {limits.length === 0 ? <p class="quiet">{t.usage.noLimits}</p> : limits.map((limit) => <Limit key={limit.rateLimitType} limit={limit} />)}
      </section>
    </Frame>
  );
}

function isoDay(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
}

function tokensOf(row: UsageRow): number {
  return row.inputTokens + row.outputTokens + row.cacheReadTokens + row.cacheWriteTokens;
}

function sum(rows: readonly UsageRow[], of: (row: UsageRow) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

function Totals({ usage }: { usage: UsageSummary }): JSX.Element {
  const { rows } = usage;
  const facts: ReadonlyArray<readonly [string, string, string?]> = [
    [t.usage.total, dollars(usage.costUsd)],
    [t.usage.turns, String(sum(rows, (row) => row.turns))],
    [
      t.usage.tokens,
      compact(sum(rows, tokensOf)),
      `${compact(sum(rows, (row) => row.inputTokens))} ${t.usage.input} · ${compact(sum(rows, (row) => row.outputTokens))} ${t.usage.output} · ${compact(sum(rows, (row) => row.cacheReadTokens))} ${t.usage.cacheRead}`,
    ],
  ];
  return (
    <dl class="totals">
      {facts.map(([name, value, hint]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {hint && <dd class="quiet">{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}

const WIDTH = 640;
const HEIGHT = 160;

/** Cost by day, as bars; and the same as a table. */
function Plot({ rows, from, to }: { rows: readonly UsageRow[]; from: string; to: string }): JSX.Element {
  const days = daysBetween(from, to);
  const costs = days.map((day) => sum(rows.filter((row) => row.day === day), (row) => row.costUsd));
  const most = Math.max(...costs, 0.000_001);
  const step = WIDTH / days.length;
  return (
    <section class="panel">
      <h2>{t.usage.perDay}</h2>
      <p class="plot-labels">{dollars(most)}</p>
      <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT + 2}`} role="img" aria-label={`${t.usage.perDay}: ${dollars(sum(rows, (row) => row.costUsd))}`}>
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {costs.map((cost, at) => {
          const height = (cost / most) * (HEIGHT - 16);
          return (
            <rect key={days[at]} x={at * step + step * 0.15} width={step * 0.7} y={HEIGHT - height} height={height} rx="2">
              <title>{`${days[at]}: ${dollars(cost)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="plot-labels">
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </p>
      <details>
        <summary>{t.usage.table}</summary>
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">{t.usage.day}</th>
              <th scope="col">{t.usage.cost}</th>
              <th scope="col">{t.usage.tokens}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day, at) => costs[at]! > 0 && (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{dollars(costs[at]!)}</td>
                <td>{compact(sum(rows.filter((row) => row.day === day), tokensOf))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  // Noon, so that no change of the clock skips a day.
  for (let time = Date.parse(`${from}T12:00:00Z`); time <= Date.parse(`${to}T12:00:00Z`) && days.length < 400; time += DAY_MS) {
    days.push(new Date(time).toISOString().slice(0, 10));
  }
  return days;
}

interface SharesProps {
  title: string;
  rows: readonly UsageRow[];
  by(row: UsageRow): string;
  name(key: string): string;
}

/** Cost by something, the largest first. */
function Shares({ title, rows, by, name }: SharesProps): JSX.Element {
  const groups = [...new Set(rows.map(by))].map((key) => [key, rows.filter((row) => by(row) === key)] as const).map(([key, group]) => ({ key, cost: sum(group, (row) => row.costUsd), tokens: sum(group, tokensOf) })).sort((a, b) => b.cost - a.cost);
  const most = Math.max(...groups.map((group) => group.cost), 0.000_001);
  return (
    <section class="panel">
      <h2>{title}</h2>
      <ul class="shares">
        {groups.map((group) => (
          <li key={group.key}>
            <span class="share-name" title={group.key}>{name(group.key)}</span>
            <span class="share-facts">
              {dollars(group.cost)} · {t.turn.tokens(compact(group.tokens))}
            </span>
            <meter value={group.cost / most} aria-label={name(group.key)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Limit({ limit }: { limit: RateLimitInfo }): JSX.Element {
  const name = limit.rateLimitType ?? "";
  return (
    <div class={`limit ${limit.status ?? ""}`}>
      <span>{t.usage.limitNames[name] ?? name}</span>
      <span>{t.usage.limitStates[limit.status ?? ""] ?? limit.status}</span>
      {typeof limit.utilization === "number" && <meter value={limit.utilization} aria-label={name} />}
      {typeof limit.resetsAt === "number" && <span class="quiet">{t.usage.resets(moment(limit.resetsAt * 1000))}</span>}
    </div>
  );
}
