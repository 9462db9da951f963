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
    app.pair(code, deviceName()).then(
      () => {
        if (gone) return;
        // The code has done its work: neither the history nor a reload should see it again.
        app.router.replace({ page: "home" });
        location.reload();
      },
      (error: unknown) => gone || setFailed(error instanceof Error ? error.message : String(error)),
    );
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

/** Shows that this browser is not paired, why, and how to pair it. */
export function UnpairedPage(): JSX.Element {
  const app = useApp();
  useEffect(() => {
    // A pairing in another tab opens this one too.
    const look = (): void => {
      if (document.visibilityState === "visible") void app.canSignIn().then((can) => can && location.reload());
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  const reason = app.unpaired();
  return (
    <main class="gate">
      <Mark />
      <h1>{reason === "missing" ? t.pair.missing : t.pair.again}</h1>
      {reason !== "missing" && <p role="status">{t.pair.reasons[reason]}</p>}
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

/** An initial name: the platform that the browser reports. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const device = /iPhone|iPad|Android|Macintosh|Windows|CrOS|Linux/.exec(agent)?.[0] ?? "Browser";
  const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? "";
  const names: Readonly<Record<string, string>> = { Macintosh: "Mac", CrOS: "Chromebook", Edg: "Edge" };
  return [names[device] ?? device, names[browser] ?? browser].filter((part) => part !== "").join(" · ");
}
