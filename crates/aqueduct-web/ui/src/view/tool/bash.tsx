import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { firstLine } from "../../text/format.ts";
import { CopyButton } from "../part/copy.tsx";
import { Output } from "../part/output.tsx";
import { Visible } from "../part/visible.tsx";
import { structured, text, type BodyProps, type Look } from "./look.ts";

/** Commands of a shell. */
export const bash: Look = {
  icon: "terminal",
  summary: (input) => text(input, "description") || firstLine(text(input, "command")),
  open: true,
  outcome: (call) => {
    const code = exitCode(call.result?.content, call.result?.isError);
    if (code) return t.tool.exit(code);
    const result = structured(call);
    if (result?.interrupted === true) return t.tool.interrupted;
    if (result?.backgroundTaskId) return t.tool.background;
    return undefined;
  },
  Body,
};

/** The code that a failed command ended with: it is at the beginning of its result. */
function exitCode(content: string | undefined, failed: boolean | undefined): string | undefined {
  return failed ? /^Exit code (-?\d+)/.exec(content ?? "")?.[1] : undefined;
}

function Body({ call }: BodyProps): JSX.Element {
  const command = text(call.input, "command");
  const result = structured(call);
  const stdout = typeof result?.stdout === "string" ? result.stdout : undefined;
  const stderr = typeof result?.stderr === "string" ? result.stderr : "";
  const output = stdout !== undefined && !call.result?.isError ? stdout : (call.result?.content ?? "");
  return (
    <>
      <div class="command">
        <pre tabIndex={0}>
          <Visible text={command} />
        </pre>
        <CopyButton text={command} />
      </div>
      {call.result && (output.trim() === "" && stderr === "" ? <p class="quiet">{t.tool.noOutput}</p> : <Output text={output} kind={call.result.isError ? "error" : ""} />)}
      {stdout !== undefined && stderr.trim() !== "" && !call.result?.isError && <Output text={stderr} kind="stderr" />}
    </>
  );
}
