import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../strings.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Mark } from "../shell/sidebar.tsx";

/** Lets this device in with the code of a pairing link. */
export function PairPage({ code }: { code: string }): JSX.Element {
  const app = useApp();
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    let gone = false;
    setFailed(undefined);
    void tryPairing(code, deviceName()).then((problem) => {
      if (gone) return;
      if (problem !== undefined) {
        setFailed(problem);
        return;
      }
      // The code has done its work: neither the history nor a reload should see it again.
      app.router.replace({ page: "home" });
      location.reload();
    });
    return () => {
      gone = true;
    };
  }, [code]);
  return (
    <main class="gate">
      <Mark />
      <h1>{failed === undefined ? t.pair.working : t.pair.failed}</h1>
      {failed !== undefined && (
        <>
          <p class="warning" role="alert">{failed}</p>
          <HowToPair />
        </>
      )}
    </main>
  );
}

/** Says that this device may not come in, and how it could. */
export function UnpairedPage(): JSX.Element {
  useEffect(() => {
    // A pairing in another tab opens this one too.
    const look = (): void => {
      if (document.visibilityState === "visible") void fetch("/api/v1/ping").then((answer) => answer.ok && location.reload(), () => undefined);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return (
    <main class="gate">
      <Mark />
      <h1>{t.pair.missing}</h1>
      <HowToPair />
    </main>
  );
}

function HowToPair(): JSX.Element {
  const app = useApp();
  const [code, setCode] = useState("");
  return (
    <>
      <p>{t.pair.missingHint}</p>
      <pre tabIndex={0}>aqueduct pair</pre>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim() !== "") app.router.go({ page: "pair", code: code.trim().toUpperCase() });
        }}
      >
        <label class="field">
          <span>{t.pair.code}</span>
          <input class="mono" value={code} autocapitalize="characters" autocomplete="one-time-code" spellcheck={false} onInput={(event) => setCode(event.currentTarget.value)} />
        </label>
        <Button kind="primary" type="submit" disabled={code.trim() === ""}>{t.pair.go}</Button>
      </form>
    </>
  );
}

/** Sends the code; gives what went wrong, if something did. */
async function tryPairing(code: string, name: string): Promise<string | undefined> {
  try {
    const answer = await fetch("/api/v1/pair", {
      method: "POST",
      headers: { "content-type": "application/json" },
      credentials: "same-origin",
      body: JSON.stringify({ code, name, cookie: true }),
    });
    if (answer.ok) return undefined;
    const error = (await answer.json().catch(() => ({}))) as { message?: string };
    return error.message ?? `${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A name to begin with: what the browser says it runs on. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const device = /iPhone|iPad|Android|Macintosh|Windows|CrOS|Linux/.exec(agent)?.[0] ?? "Browser";
  const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? "";
  const names: Readonly<Record<string, string>> = { Macintosh: "Mac", CrOS: "Chromebook", Edg: "Edge" };
  return [names[device] ?? device, names[browser] ?? browser].filter((part) => part !== "").join(" · ");
}
