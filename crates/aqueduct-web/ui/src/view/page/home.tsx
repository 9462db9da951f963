import type { JSX } from "preact";
import { address } from "../../store/route.ts";
import { t } from "../../strings.ts";
import { useApp } from "../part/context.ts";
import { Limited } from "../part/limited.tsx";
import { Mark } from "../shell/sidebar.tsx";

/** What is shown beside the list while no session is open. */
export function HomePage(): JSX.Element {
  const app = useApp();
  const { hello } = app;
  return (
    <div class="home">
      <Mark />
      <h1>{t.app}</h1>
      {app.can("operate") ? (
        <>
          <p>{t.sessions.noneHint}</p>
          <p>
            <a class="button primary" href={address({ page: "new" })}>
              {t.nav.newSession}
            </a>
          </p>
        </>
      ) : (
        <Limited needed="operate" what={t.scope.start} />
      )}
      {hello.value?.host && <p class="quiet">{hello.value.host}</p>}
    </div>
  );
}
