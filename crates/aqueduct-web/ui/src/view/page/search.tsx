import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SearchHit } from "aqueduct-client";
import { address } from "../../store/route.ts";
import { t } from "../../strings.ts";
import { ago, baseName } from "../../text/format.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Visible } from "../part/visible.tsx";
import { nameOf } from "../shell/session-row.tsx";
import { Frame } from "./frame.tsx";

const PAGE = 20;
const MARKED = /\ue000([^\ue001]*)\ue001/g;

/** Search results over all sessions. */
export function SearchPage({ query }: { query: string }): JSX.Element {
  const app = useApp();
  const [typed, setTyped] = useState(query);
  const [hits, setHits] = useState<readonly SearchHit[]>();
  const [more, setMore] = useState(false);
  const load = async (offset: number): Promise<void> => {
    const reply = await app.ask<"search_results">({ type: "search", query, limit: PAGE, offset });
    setHits((old) => (offset === 0 ? reply.hits : [...(old ?? []), ...reply.hits]));
    setMore(reply.more);
  };
  useEffect(() => {
    if (query !== "") void load(0).catch(() => setHits([]));
  }, [query]);
  return (
    <Frame title={t.search.title} class="narrow">
      <form
        class="search-form"
        role="search"
        aria-label={t.search.title}
        onSubmit={(event) => {
          event.preventDefault();
          app.router.go({ page: "search", query: typed.trim() });
        }}
      >
        <Icon name="search" />
        <input type="search" aria-label={t.search.title} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </form>
      <p class="quiet">{t.search.hint}</p>
      {hits === undefined && query !== "" && <p class="page-wait">{t.loading}</p>}
      {hits?.length === 0 && <p class="page-wait">{t.search.none}</p>}
      <ul class="hits">
        {hits?.map((hit, at) => (
          <li key={at}>
            <a href={address({ page: "session", id: hit.sessionId, seq: hit.seq })}>
              <span class="hit-head">
                <strong>
                  <Visible text={hit.title || nameOf(app.sessions.value.get(hit.sessionId))} />
                </strong>
                {hit.projectPath && <span>{baseName(hit.projectPath)}</span>}
                {hit.kind && <span class="chip">{t.search.kinds[hit.kind] ?? hit.kind}</span>}
                {hit.time !== undefined && <time>{ago(hit.time, app.now())}</time>}
              </span>
              <span class="hit-text">{excerpt(hit.excerpt)}</span>
            </a>
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" class="button quiet wide" onClick={() => void load(hits?.length ?? 0).catch(() => undefined)}>
          {t.loadMore}
        </button>
      )}
    </Frame>
  );
}

/** The excerpt, with the words that were found marked. */
function excerpt(text: string): JSX.Element[] {
  const out: JSX.Element[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    out.push(<Visible key={`t${end}`} text={text.slice(end, match.index)} />);
    out.push(
      <mark key={`m${match.index}`}>
        <Visible text={match[1] ?? ""} />
      </mark>,
    );
    end = match.index + match[0].length;
  }
  out.push(<Visible key={`t${end}`} text={text.slice(end)} />);
  return out;
}
