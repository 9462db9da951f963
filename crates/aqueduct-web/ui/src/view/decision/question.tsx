import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PermissionRequest } from "aqueduct-client";
import { t } from "../../strings.ts";
import { Button } from "../part/button.tsx";
import { Icon } from "../part/icon.tsx";
import { Markdown } from "../part/markdown.tsx";
import { useDecide } from "./decide.ts";

/** A question of the model, as far as it can be read. */
interface Question {
  question: string;
  header?: string;
  multiSelect?: boolean;
  options: ReadonlyArray<{ label: string; description?: string; preview?: string }>;
}

/** What was chosen for a question. */
interface Choice {
  labels: readonly string[];
  /** The reader's own words; undefined where "other" is not chosen. */
  other?: string;
}

const NOTHING: Choice = { labels: [] };

/** The model's questions. */
export function QuestionCard({ request }: { request: PermissionRequest }): JSX.Element {
  const questions = questionsOf(request.input);
  const { busy, decide } = useDecide();
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  const answers = Object.fromEntries(questions.map((one) => [one.question, answerOf(choices[one.question] ?? NOTHING)]));
  const complete = questions.every((one) => answers[one.question] !== "");
  const submit = (): void => decide({ type: "answer", toolUseId: request.id, sessionId: request.sessionId, inputHash: request.inputHash, answers, ...annotated(questions, choices) });
  return (
    <section class="decision" role="region" aria-label={t.permission.question}>
      <form
        class="decision-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (complete) submit();
        }}
      >
        <div class="decision-body">
          {questions.map((one, at) => (
            <QuestionField key={one.question} name={`${request.id}.${at}`} question={one} choice={choices[one.question] ?? NOTHING} onChange={(choice) => setChoices({ ...choices, [one.question]: choice })} />
          ))}
        </div>
        <footer class="decision-buttons">
          <Button kind="quiet" disabled={busy} onClick={() => decide({ type: "reject", id: request.id, sessionId: request.sessionId, inputHash: request.inputHash })}>{t.ask.skip}</Button>
          <Button kind="primary" type="submit" disabled={busy || !complete}>{t.ask.submit}</Button>
        </footer>
      </form>
    </section>
  );
}

interface FieldProps {
  name: string;
  question: Question;
  choice: Choice;
  onChange(choice: Choice): void;
}

function QuestionField({ name, question, choice, onChange }: FieldProps): JSX.Element {
  const several = question.multiSelect === true;
  const preview = several ? undefined : question.options.find((option) => option.label === choice.labels[0])?.preview;
  const toggle = (label: string): void => {
    if (!several) onChange({ labels: [label] });
    else onChange({ ...choice, labels: choice.labels.includes(label) ? choice.labels.filter((old) => old !== label) : [...choice.labels, label] });
  };
  return (
    <fieldset class="question">
      <legend>
        {question.header && <span class="chip">{question.header}</span>}
        <span>{question.question}</span>
      </legend>
      {several && <p class="quiet">{t.ask.several}</p>}
      <div class={preview ? "with-preview" : ""}>
        <div class="options">
          {question.options.map((option) => (
            <label key={option.label} class="option">
              <input type={several ? "checkbox" : "radio"} name={name} aria-label={option.label} checked={choice.labels.includes(option.label)} onChange={() => toggle(option.label)} />
              <span class="option-words">
                {option.label}
                {option.description && <small>{option.description}</small>}
              </span>
              <Icon name="check" />
            </label>
          ))}
          <label class="option">
            <input
              type={several ? "checkbox" : "radio"}
              name={name}
              aria-label={t.ask.other}
              checked={choice.other !== undefined}
              onChange={() => onChange(several ? { ...choice, other: choice.other === undefined ? "" : undefined } : { labels: [], other: "" })}
            />
            <span class="option-words">{t.ask.other}</span>
            <Icon name="check" />
          </label>
          {choice.other !== undefined && (
            <textarea
              rows={2}
              aria-label={t.ask.otherHint}
              placeholder={t.ask.otherHint}
              value={choice.other}
              onInput={(event) => onChange({ ...choice, other: event.currentTarget.value })}
            />
          )}
        </div>
        {preview && (
          <div class="preview">
            <Markdown text={preview} />
          </div>
        )}
      </div>
    </fieldset>
  );
}

/** The questions in a request's input. */
export function questionsOf(input: unknown): readonly Question[] {
  const list = typeof input === "object" && input !== null ? (input as { questions?: unknown }).questions : undefined;
  if (!Array.isArray(list)) return [];
  return list
    .filter((one): one is Question => typeof one === "object" && one !== null && typeof (one as Question).question === "string")
    .map((one) => ({ ...one, options: Array.isArray(one.options) ? one.options.filter((option) => typeof option?.label === "string") : [] }));
}

/** An answer as the agent takes it: labels joined with commas, or own words. */
export function answerOf(choice: Choice): string {
  const own = choice.other?.trim() ?? "";
  return [...choice.labels, ...(own === "" ? [] : [own])].join(", ");
}

/** The preview that was seen with a choice goes along. */
function annotated(questions: readonly Question[], choices: Readonly<Record<string, Choice>>): { annotations?: Record<string, { preview: string }> } {
  const annotations: Record<string, { preview: string }> = {};
  for (const one of questions) {
    const label = choices[one.question]?.labels[0];
    const preview = one.options.find((option) => option.label === label)?.preview;
    if (preview) annotations[one.question] = { preview };
  }
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}
