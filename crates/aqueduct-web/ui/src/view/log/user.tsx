import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { UserItem } from "../../conversation/item.ts";
import { t } from "../../strings.ts";
import { clock } from "../../text/format.ts";
import { orderly } from "../../text/reveal.ts";
import { CopyButton } from "../part/copy.tsx";
import { Markdown } from "../part/markdown.tsx";
import { Pictures } from "../part/picture.tsx";
import { Clipped } from "../part/clipped.tsx";
import { useApp } from "../part/context.ts";
import { BlockView } from "./block.tsx";

/** Lines that are shown before the text is expanded. */
const MOST = 20;

/** An input to the agent. */
export function UserMessage({ item, unconfirmed = false }: { item: UserItem; unconfirmed?: boolean }): JSX.Element {
  const { hello } = useApp();
  if (item.source === "agent") return <AgentSide item={item} />;
  const mine = item.by?.deviceId === undefined || item.by.deviceId === hello.value?.device.deviceId;
  const who = mine ? t.you : (item.by?.name ?? t.you);
  return (
    <article class="user" aria-label={t.log.said(who)}>
      <div class="bubble">
        <Pictures images={item.images} />
        {item.blocks.map((block, at) => (
          <BlockView key={at} block={block} />
        ))}
        {item.text !== "" && <Words text={item.text} />}
      </div>
      <footer>
        {!mine && <span>{who}</span>}
        {unconfirmed && <span class="reason">{t.log.unconfirmed}</span>}
        <time>{clock(item.time)}</time>
        <CopyButton text={item.text} />
      </footer>
    </article>
  );
}

/** A line that is longer is shown in pieces of this length, so that a huge one is folded like many. */
const LINE = 400;

/** A person's words as they were typed. */
export function Words({ text }: { text: string }): JSX.Element {
  const lines = useMemo(() => orderly(text).split("\n"), [text]);
  const huge = text.length > LINE * MOST;
  if (huge) {
    const pieces = Math.ceil(text.length / LINE);
    return (
      <Clipped lines={pieces} most={MOST / 2}>
        {(shown) => <p class="words">{orderly(text.slice(0, shown * LINE))}</p>}
      </Clipped>
    );
  }
  return (
    <Clipped lines={lines.length} most={MOST}>
      {(shown) => <p class="words">{lines.slice(0, shown).join("\n")}</p>}
    </Clipped>
  );
}

/** Words that the agent's program put in: a summary, a command's output. */
function AgentSide({ item }: { item: UserItem }): JSX.Element {
  return (
    <details class="note folded">
      <summary>{item.text.length > 400 ? t.notes.summary : item.text.split("\n", 1)[0]}</summary>
      <div class="framed">
        <Markdown text={item.text} />
      </div>
    </details>
  );
}
