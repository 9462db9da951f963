import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Directory } from "aqueduct-client";
import { t } from "../../strings.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Visible } from "../part/visible.tsx";

interface FoldersProps {
  folder: string;
  onChoose(path: string): void;
  onDone(): void;
}

/** The folders under the bridge's roots, to choose one. */
export function Folders({ folder, onChoose, onDone }: FoldersProps): JSX.Element {
  const app = useApp();
  const [shown, setShown] = useState<Directory>();
  const [hidden, setHidden] = useState(false);
  const open = async (path: string | undefined): Promise<void> => {
    const reply = await app.ask<"directory">({ type: "list_directory", ...(path ? { path } : {}), hidden });
    setShown(reply);
    if (reply.path !== "") onChoose(reply.path);
  };
  useEffect(() => {
    // A folder that was typed and is not there leads to the roots.
    app.connection.request<"directory">({ type: "list_directory", path: folder, hidden }).then(setShown, () => open(undefined).catch(() => undefined));
  }, [hidden]);
  const folders = shown?.entries.filter((entry) => entry.kind === "directory") ?? [];
  return (
    <div class="folders">
      <header>
        <code class="folders-path">
          <Visible text={shown?.path || t.start.roots} />
        </code>
        <Button kind="quiet" onClick={onDone}>{t.start.useFolder}</Button>
      </header>
      <ul>
        {shown && shown.path !== "" && (
          <li>
            <button type="button" onClick={() => void open(shown.parent).catch(() => undefined)}>
              <Icon name="up" />
              {shown.parent ? t.start.up : t.start.roots}
            </button>
          </li>
        )}
        {folders.map((entry) => (
          <li key={entry.path}>
            <button type="button" onClick={() => void open(entry.path).catch(() => undefined)}>
              <Icon name={entry.git ? "branch" : "folder"} />
              <Visible text={entry.name} />
              {entry.git && <span class="chip">{t.start.git}</span>}
              {entry.sessions !== undefined && entry.sessions > 0 && <span class="quiet">{t.start.sessionsHere(entry.sessions)}</span>}
            </button>
          </li>
        ))}
        {shown && folders.length === 0 && <li class="quiet">{t.start.empty}</li>}
      </ul>
      <label class="check-line">
        <input type="checkbox" checked={hidden} onChange={(event) => setHidden(event.currentTarget.checked)} />
        {t.start.hidden}
      </label>
    </div>
  );
}
