import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DecisionItem, EventItem, NoteItem, TurnItem } from "../../conversation/item.ts";
import { t } from "../../strings.ts";
import { compact, dollars, span } from "../../text/format.ts";
import { Decided, useWho } from "../decision/decided.tsx";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Json } from "../part/json.tsx";
import { Output } from "../part/output.tsx";
import { lazy } from "../shell/lazy.tsx";

const TrustReview = lazy(() => import("../page/trust.tsx").then((module) => module.TrustReview));

/** A quiet line about the session. */
export function Note({ item }: { item: NoteItem }): JSX.Element {
  const { note } = item;
  const who = useWho(note.by);
  if (note.subtype === "agent_exited" && note.expected !== true) {
    return (
      <div class="note failure" role="note">
        <p>
          <Icon name="alert" />
          {[t.notes.agent_exited, note.exitCode !== undefined ? t.notes.exitCode(note.exitCode) : note.signal, note.message].filter(Boolean).join(" · ")}
        </p>
        {note.stderr && (
          <>
            <p class="label">{t.notes.stderr}</p>
            <Output text={note.stderr} kind="stderr" />
          </>
        )}
      </div>
    );
  }
  if (note.subtype === "trust_needed" && note.projectPath) return <TrustNote words={words(item, who)} folder={note.projectPath} />;
  return <p class="note">{words(item, who)}</p>;
}

/** The agent leaves out what the folder provides: the user can look at that, and trust it. */
function TrustNote({ words, folder }: { words: string; folder: string }): JSX.Element {
  const app = useApp();
  const [open, setOpen] = useState(false);
  return (
    <div class="note" role="note">
      <p>
        <Icon name="alert" /> {words}
      </p>
      {app.can("operate") && <Button onClick={() => setOpen(true)}>{t.notes.reviewTrust}</Button>}
      {open && <TrustReview folder={folder} onClose={() => setOpen(false)} />}
    </div>
  );
}

function words({ note }: NoteItem, who: string): string {
  switch (note.subtype) {
    case "agent_exited":
      return [t.notes.agent_stopped, note.message].filter(Boolean).join(" · ");
    case "compact_boundary":
      return [t.notes.compact_boundary, note.preTokens && note.postTokens ? `${compact(note.preTokens)} → ${t.turn.tokens(compact(note.postTokens))}` : ""].filter(Boolean).join(" · ");
    case "permission_mode_changed":
      return `${t.notes.permission_mode_changed}: ${t.modes[note.permissionMode ?? ""]?.[0] ?? note.permissionMode ?? ""} ${who}`;
    case "model_changed":
      return `${t.notes.model_changed}: ${note.model ?? ""} ${who}`;
    case "session_created":
      return [t.notes.session_created, note.agent, note.model].filter(Boolean).join(" · ");
    case "session_resumed":
      return t.notes.session_resumed;
    case "interrupted":
      return `${t.notes.interrupted} ${who}`;
    case "conversation_reset":
      return t.notes.conversation_reset;
    default:
      return note.message ?? note.subtype;
  }
}

/** Any other frame of the agent: a line that unfolds to its JSON. */
export function Event({ item }: { item: EventItem }): JSX.Element {
  const event = item.event as unknown as Readonly<Record<string, unknown>>;
  const name = [event.type, event.subtype].filter((part) => typeof part === "string").join(" · ");
  const said = [event.message, event.content, event.summary, event.hook_name, event.error].find((value) => typeof value === "string" && value !== "");
  return (
    <details class="note folded">
      <summary>{typeof said === "string" ? `${name}: ${said.slice(0, 160)}` : name}</summary>
      <Json value={event} />
    </details>
  );
}

/** A decision that belongs to no call here. */
export function LooseDecision({ item }: { item: DecisionItem }): JSX.Element {
  return (
    <div class="note">
      <Decided decision={item.decision} resend={item.resend} />
    </div>
  );
}

/** The end of a turn. */
export function TurnEnd({ item }: { item: TurnItem }): JSX.Element {
  const { result } = item;
  const tokens = (result.usage?.input_tokens ?? 0) + (result.usage?.output_tokens ?? 0);
  const facts = [
    result.interrupted ? t.turn.interrupted : "",
    result.duration ? span(result.duration) : "",
    result.cost ? dollars(result.cost) : "",
    tokens > 0 ? t.turn.tokens(compact(tokens)) : "",
    result.permissionDenials?.length ? t.turn.denials(result.permissionDenials.length) : "",
  ].filter((fact) => fact !== "");
  const failed = result.isError && !result.interrupted;
  return (
    <div class={`turn-end ${failed ? "failure" : ""}`}>
      {failed && (
        <p class="turn-error">
          <Icon name="alert" /> {item.reported ? t.turn.failed : `${t.turn.failed}: ${result.error ?? result.result ?? result.subtype}`}
        </p>
      )}
      <p class="turn-facts">{facts.join(" · ")}</p>
    </div>
  );
}
