// Calls that are questions in themselves. While they are open they are in the tray; here is their outcome.

import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { firstLine } from "../../text/format.ts";
import { Markdown } from "../part/markdown.tsx";
import { text, type BodyProps, type Input, type Look } from "./look.ts";

/** AskUserQuestion. */
export const question: Look = {
  icon: "question",
  title: t.tool.asked,
  summary: (input) => questions(input).map((one) => text(one, "header") || firstLine(text(one, "question"), 60)).join(" · "),
  open: true,
  Body: Answers,
};

/** ExitPlanMode. */
export const plan: Look = {
  icon: "map",
  title: t.tool.planned,
  summary: (input) => firstLine(text(input, "plan").replace(/^#+\s*/, "")),
  open: true,
  Body: ({ call }: BodyProps) => (
    <div class="framed">
      <Markdown text={text(call.input, "plan")} />
    </div>
  ),
};

function questions(input: Input | undefined): readonly Input[] {
  return Array.isArray(input?.questions) ? (input.questions as Input[]) : [];
}

function Answers({ call }: BodyProps): JSX.Element {
  const answers = (call.decision?.answers ?? answersOf(call.result?.structured)) as Readonly<Record<string, unknown>>;
  return (
    <dl class="answers">
      {questions(call.input).map((one) => {
        const asked = text(one, "question");
        const answer = answers[asked];
        return (
          <div key={asked}>
            <dt>{asked}</dt>
            <dd>{answer === undefined ? "–" : Array.isArray(answer) ? answer.join(", ") : String(answer)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function answersOf(result: unknown): object {
  const answers = typeof result === "object" && result !== null ? (result as { answers?: unknown }).answers : undefined;
  return typeof answers === "object" && answers !== null ? answers : {};
}
