import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RateLimitInfo, UsageRow, UsageSummary } from "aqueduct-client";
import { t } from "../../strings.ts";
import { baseName, compact, dollars, time } from "../../text/format.ts";
import { useApp } from "../part/context.ts";
import { Frame } from "./frame.tsx";

const PERIODS = [7, 30, 90] as const;
const DAY_MS = 86_400_000;

/** Usage: cost and tokens by day, project and model, and the state of the limits. */
export function UsagePage(): JSX.Element {
  const app = useApp();
  const [days, setDays] = useState<number>(30);
  const [usage, setUsage] = useState<UsageSummary>();
  const [chosen, setMeasure] = useState<Measure>();
  useEffect(() => {
    const from = isoDay(app.now() - (days - 1) * DAY_MS);
    app.ask<"usage">({ type: "get_usage", from }).then(setUsage, () => undefined);
  }, [days]);
  // What costs nothing is counted in tokens.
  const measure = chosen ?? (usage && usage.costUsd === 0 ? "tokens" : "cost");
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
          <fieldset class="segments">
            <legend class="off-screen">{t.usage.measure}</legend>
            {(["cost", "tokens"] as const).map((one) => (
              <label key={one}>
                <input type="radio" name="measure" checked={measure === one} onChange={() => setMeasure(one)} />
                <span>{t.usage[one]}</span>
              </label>
            ))}
          </fieldset>
          <Plot rows={usage.rows} from={usage.from} to={usage.to} measure={measure} />
          <Shares title={t.usage.byProject} rows={usage.rows} by={(row) => row.projectPath} name={baseName} measure={measure} />
          <Shares title={t.usage.byModel} rows={usage.rows} by={(row) => row.model} name={(model) => model} measure={measure} />
        </>
      )}
      <section class="panel">
        <h2>{t.usage.limits}</h2>
        {limits.length === 0 ? <p class="quiet">{t.usage.noLimits}</p> : limits.map((limit) => <Limit key={limit.rateLimitType} limit={limit} />)}
      </section>
    </Frame>
  );
}

/** What plots count. */
type Measure = "cost" | "tokens";

/** How much a row counts, and how that is written. */
const MEASURES: Readonly<Record<Measure, { of(row: UsageRow): number; words(amount: number): string }>> = {
  cost: { of: (row) => row.costUsd, words: dollars },
  tokens: { of: tokensOf, words: (amount) => t.turn.tokens(compact(amount)) },
};

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

interface PlotProps {
  rows: readonly UsageRow[];
  from: string;
  to: string;
  measure: Measure;
}

/** Cost or tokens by day, as bars; and both as a table. */
function Plot({ rows, from, to, measure }: PlotProps): JSX.Element {
  const { of, words } = MEASURES[measure];
  const title = t.usage.perDay[measure];
  const days = daysBetween(from, to);
  const ofDay = (day: string): readonly UsageRow[] => rows.filter((row) => row.day === day);
  const amounts = days.map((day) => sum(ofDay(day), of));
  const most = Math.max(...amounts, 0.000_001);
  const step = WIDTH / days.length;
  return (
    <section class="panel">
      <h2>{title}</h2>
      <p class="plot-labels">{words(Math.max(...amounts, 0))}</p>
      <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT + 2}`} role="img" aria-label={`${title}: ${words(sum(rows, of))}`}>
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {amounts.map((amount, at) => {
          const height = (amount / most) * (HEIGHT - 16);
          return (
            <rect key={days[at]} x={at * step + step * 0.15} width={step * 0.7} y={HEIGHT - height} height={height} rx="2">
              <title>{`${days[at]}: ${words(amount)}`}</title>
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
            {days.map((day) => ofDay(day).length > 0 && (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{dollars(sum(ofDay(day), (row) => row.costUsd))}</td>
                <td>{compact(sum(ofDay(day), tokensOf))}</td>
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
  measure: Measure;
}

/** Cost or tokens by something, the largest first. */
function Shares({ title, rows, by, name, measure }: SharesProps): JSX.Element {
  const amounts = (key: string): Readonly<Record<Measure, number>> => {
    const group = rows.filter((row) => by(row) === key);
    return { cost: sum(group, (row) => row.costUsd), tokens: sum(group, tokensOf) };
  };
  const groups = [...new Set(rows.map(by))].map((key) => ({ key, ...amounts(key) })).sort((a, b) => b[measure] - a[measure]);
  const most = Math.max(...groups.map((group) => group[measure]), 0.000_001);
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
            <meter value={group[measure] / most} aria-label={name(group.key)} />
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
      {typeof limit.resetsAt === "number" && <span class="quiet">{t.usage.resets(time(limit.resetsAt * 1000))}</span>}
    </div>
  );
}
