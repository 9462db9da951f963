import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Refused, type Diff as DiffReply, type DiffFile } from "aqueduct-client";
import { address } from "../../store/route.ts";
import { t } from "../../strings.ts";
import { IconButton } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Diff } from "../part/diff.tsx";
import { Icon } from "../part/icon.tsx";
import { Visible } from "../part/visible.tsx";
import { Frame } from "./frame.tsx";

const LINES_SHOWN = 400;

/** What changed in the session's working tree. */
export function DiffPage({ id, path }: { id: string; path?: string }): JSX.Element {
  const app = useApp();
  const [diff, setDiff] = useState<DiffReply>();
  const [problem, setProblem] = useState<string>();
  const [staged, setStaged] = useState(false);
  const load = (): void => {
    setProblem(undefined);
    app.connection.request<"diff">({ type: "get_diff", sessionId: id, staged }).then(setDiff, (error: unknown) => {
      const code = error instanceof Refused ? error.reply.code : undefined;
      setProblem(code === "not_a_repository" ? t.diff.notRepository : error instanceof Error ? error.message : String(error));
    });
  };
  useEffect(load, [id, staged]);
  const added = diff?.files.reduce((sum, file) => sum + file.added, 0) ?? 0;
  const removed = diff?.files.reduce((sum, file) => sum + file.removed, 0) ?? 0;
  return (
    <Frame title={t.diff.title} back={{ page: "session", id }} actions={<IconButton icon="refresh" label={t.diff.refresh} onClick={load} />}>
      <div class="diff-head">
        {diff?.branch && (
          <span class="chip">
            <Icon name="branch" /> <Visible text={diff.branch} />
          </span>
        )}
        {diff && (
          <span>
            {t.tool.files(diff.files.length)} <ins>+{added}</ins> <del>−{removed}</del>
          </span>
        )}
        <label class="check-line">
          <input type="checkbox" checked={staged} onChange={(event) => setStaged(event.currentTarget.checked)} />
          {t.diff.staged}
        </label>
      </div>
      {problem && <p class="page-wait">{problem}</p>}
      {!diff && !problem && <p class="page-wait">{t.loading}</p>}
      {diff?.files.length === 0 && <p class="page-wait">{t.diff.none}</p>}
      {diff?.files.map((file) => <ChangedFile key={file.path} id={id} file={file} sought={file.path === path} open={path === undefined ? diff.files.length < 12 : file.path === path} />)}
      {diff?.cut && <p class="quiet">{t.diff.cut}</p>}
    </Frame>
  );
}

function ChangedFile({ id, file, sought, open }: { id: string; file: DiffFile; sought: boolean; open: boolean }): JSX.Element {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (sought) element.current?.scrollIntoView({ block: "start" });
  }, [sought]);
  return (
    <details ref={element} class="changed-file" open={open}>
      <summary>
        <Icon name="chevron" class="fold" />
        <code>
          {file.oldPath && (
            <>
              <Visible text={file.oldPath} /> →{" "}
            </>
          )}
          <Visible text={file.path} />
        </code>
        <span class={`chip ${file.change}`}>{t.diff.kinds[file.change] ?? file.change}</span>
        <span class="counts">
          <ins>+{file.added}</ins> <del>−{file.removed}</del>
        </span>
      </summary>
      {file.binary ? <p class="quiet">{t.diff.binary}</p> : <Diff hunks={file.hunks} most={LINES_SHOWN} />}
      {file.cut && <p class="quiet">{t.diff.cut}</p>}
      {file.change !== "deleted" && (
        <p class="card-links">
          <a href={address({ page: "file", id, path: file.path })}>{t.tool.openFile}</a>
        </p>
      )}
    </details>
  );
}
