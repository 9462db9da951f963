import { h, type FunctionComponent, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../strings.ts";

/** A page that is loaded on its first visit. */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | undefined;
  return function Lazy(props: P): JSX.Element {
    const [page, setPage] = useState<{ Page?: FunctionComponent<P>; failed?: boolean }>({ Page: loaded });
    useEffect(() => {
      if (page.Page) return;
      let gone = false;
      load().then(
        (found) => {
          loaded = found;
          if (!gone) setPage({ Page: found });
        },
        () => {
          if (!gone) setPage({ failed: true });
        },
      );
      return () => {
        gone = true;
      };
    }, [page]);
    if (page.Page) return h(page.Page, props as P & { key?: never });
    if (!page.failed) return <p class="page-wait">{t.loading}</p>;
    return (
      <p class="page-wait">
        <button type="button" class="button" onClick={() => setPage({})}>{t.retry}</button>
      </p>
    );
  };
}
