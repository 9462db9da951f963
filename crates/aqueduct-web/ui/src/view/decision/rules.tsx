import type { JSX } from "preact";
import type { Destination, SuggestedRule } from "aqueduct-client";
import { t } from "../../strings.ts";
import { IconButton } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";

/** The rules that "Always allow" would add, as they are in the editor. */
export interface EditedRules {
  rules: readonly string[];
  destination: Destination;
  /** What the bridge offers. */
  offered: readonly SuggestedRule[];
  /** Whether the user chose the destination. */
  touched: boolean;
}

const DESTINATIONS: readonly Destination[] = ["session", "localSettings", "projectSettings", "userSettings"];

interface RuleEditorProps {
  edited: EditedRules;
  onChange(edited: EditedRules): void;
  /** What would be added if there is no rule to edit. */
  fixed: readonly string[];
}

/** The rules that "Always allow" would add, and where; both can be changed. */
export function RuleEditor({ edited, onChange, fixed }: RuleEditorProps): JSX.Element | null {
  const app = useApp();
  const destinations = DESTINATIONS.filter((destination) => destination !== "userSettings" || app.can("admin"));
  if (edited.rules.length === 0 && edited.offered.length === 0 && fixed.length === 0) return null;
  const others = edited.offered.filter((offer) => !edited.rules.includes(offer.rule));
  const first = edited.rules[0] ?? fixed[0] ?? "";
  return (
    <details class="rules">
      <summary>
        <Icon name="bolt" />
        <span>
          {t.permission.adds} <code>{first}</code>
          {edited.rules.length > 1 && ` +${edited.rules.length - 1}`} · {t.permission.destinations[edited.destination] ?? edited.destination}
        </span>
        <Icon name="chevron" class="fold" />
      </summary>
      {edited.rules.map((rule, at) => (
        <div key={at} class="rule-row">
          <label class="field">
            <span class="off-screen">{t.permission.rule}</span>
            <input
              class="mono"
              value={rule}
              spellcheck={false}
              autocapitalize="off"
              autocomplete="off"
              onInput={(event) => onChange({ ...edited, rules: edited.rules.with(at, event.currentTarget.value) })}
            />
          </label>
          {edited.rules.length > 1 && <IconButton icon="close" label={t.permission.removeRule} onClick={() => onChange({ ...edited, rules: edited.rules.toSpliced(at, 1) })} />}
        </div>
      ))}
      {edited.offered.find((offer) => offer.rule === edited.rules[0])?.description && (
        <p class="quiet">{edited.offered.find((offer) => offer.rule === edited.rules[0])?.description}</p>
      )}
      {others.length > 0 && (
        <div class="rule-offers">
          {others.map((offer) => (
            <button key={offer.rule} type="button" class="chip" title={offer.description} onClick={() => onChange({ ...edited, rules: [offer.rule], destination: edited.touched || !destinations.includes(offer.destination) ? edited.destination : offer.destination })}>
              <code>{offer.rule}</code>
            </button>
          ))}
        </div>
      )}
      <label class="field row">
        <span>{t.permission.where}</span>
        <select value={edited.destination} onChange={(event) => onChange({ ...edited, destination: event.currentTarget.value, touched: true })}>
          {destinations.map((destination) => (
            <option key={destination} value={destination}>
              {t.permission.destinations[destination]}
            </option>
          ))}
        </select>
      </label>
    </details>
  );
}
