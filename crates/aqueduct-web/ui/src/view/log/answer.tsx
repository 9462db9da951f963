import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TextItem, ThinkingItem } from "../../conversation/item.ts";
import { address } from "../../store/route.ts";
import { t } from "../../strings.ts";
import { firstLine } from "../../text/format.ts";
import { CopyButton } from "../part/copy.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Markdown } from "../part/markdown.tsx";

/** Text of the model. */
export function AnswerText({ item, sessionId }: { item: TextItem; sessionId: string }): JSX.Element {
  return (
    <article class={`answer ${item.error ? "error" : ""} ${item.live ? "live" : ""}`} aria-label={t.log.agentSaid} aria-busy={item.live}>
      <Markdown
        text={item.text}
        live={item.live}
        onFile={(path) => {
          const [name = path, line] = path.split(/:(\d+)$/);
          location.hash = address({ page: "file", id: sessionId, path: name, line: line ? Number(line) : undefined });
        }}
      />
      {item.aborted && <span class="chip">{t.log.aborted}</span>}
      {!item.live && (
        <footer>
          <CopyButton text={item.text} />
        </footer>
      )}
    </article>
  );
}

/** The model's thinking, folded by default. */
export function Thinking({ item }: { item: ThinkingItem }): JSX.Element {
  const { preferences } = useApp();
  const [chosen, setOpen] = useState<boolean>();
  const open = chosen ?? preferences.value.showThinking;
  return (
    <div class={`thinking ${item.live ? "live" : ""}`}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="spark" />
        <span class="thinking-title">{item.live ? t.log.thinking : t.log.thought}</span>
        {!open && <span class="thinking-first">{firstLine(item.live ? lastLine(item.text) : item.text)}</span>}
        <Icon name="chevron" class="fold" />
      </button>
      {open && (
        <div class="thinking-body">
          <Markdown text={item.text} live={item.live} />
        </div>
      )}
    </div>
  );
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
