import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileContent, FileMatch } from "aqueduct-client";
import { address } from "../../store/route.ts";
import { t } from "../../strings.ts";
import { baseName, bytes, relative } from "../../text/format.ts";
import { languageOfFile } from "../../text/highlight.ts";
import { Lines } from "../part/lines.tsx";
import { CopyButton } from "../part/copy.tsx";
import { useApp } from "../part/context.ts";
import { source } from "../part/picture.tsx";
import { Visible } from "../part/visible.tsx";
import { Frame } from "./frame.tsx";

const LINE_HEIGHT_EM = 1.5;
const FIND_AFTER_MS = 100;

/** A file of the session's project; without a path, a way to find one. */
export function FilePage({ id, path, line }: { id: string; path: string; line?: number }): JSX.Element {
  if (path === "") return <Finder id={id} />;
  return <Viewer id={id} path={path} line={line} />;
}

function Viewer({ id, path, line }: { id: string; path: string; line?: number }): JSX.Element {
  const app = useApp();
  const [file, setFile] = useState<FileContent>();
  const [problem, setProblem] = useState<string>();
  const folder = app.sessions.value.get(id)?.projectPath;
  useEffect(() => {
    app.connection.request<"file">({ type: "read_file", sessionId: id, path }).then(setFile, (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  }, [id, path]);
  return (
    <Frame title={baseName(path)} back={{ page: "session", id }} actions={file?.encoding === "text" ? <CopyButton text={file.content} /> : null}>
      <p class="file-path">
        <code>
          <Visible text={relative(file?.path ?? path, folder)} />
        </code>
        {file && <span class="quiet">{bytes(file.size)}</span>}
        <a href={address({ page: "file", id, path: "" })}>{t.file.find}</a>
      </p>
      {problem && <p class="page-wait">{problem}</p>}
      {!file && !problem && <p class="page-wait">{t.loading}</p>}
      {file && <Content file={file} line={line} />}
      {file?.more && <p class="quiet">{t.file.more}</p>}
    </Frame>
  );
}

function Content({ file, line }: { file: FileContent; line?: number }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const first = file.line ?? 1;
  useEffect(() => {
    const body = box.current?.closest<HTMLElement>(".page-body");
    if (!line || !body || !box.current) return;
    const size = parseFloat(getComputedStyle(box.current).fontSize) * LINE_HEIGHT_EM;
    body.scrollTop = Math.max(0, (line - first - 5) * size);
  }, [line]);
  const image = file.encoding === "base64" ? source({ mediaType: file.mediaType, data: file.content }) : undefined;
  if (image) return <img class="large-picture" src={image} alt={baseName(file.path)} />;
  if (file.encoding !== "text") return <p class="page-wait">{t.file.none}</p>;
  const lines = file.content.replace(/\n$/, "").split("\n");
  return (
    <div class="file-lines" ref={box}>
      <pre class="numbers" aria-hidden="true">
        {lines.map((_, at) => (
          <span key={at} class={first + at === line ? "sought" : ""}>{`${first + at}\n`}</span>
        ))}
      </pre>
      <div class="code-lines">
        <Lines code={file.content} language={languageOfFile(file.path)} />
      </div>
    </div>
  );
}

function Finder({ id }: { id: string }): JSX.Element {
  const app = useApp();
  const [query, setQuery] = useState("");
  const [files, setFiles] = useState<readonly FileMatch[]>([]);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      app.ask<"files">({ type: "list_files", sessionId: id, query, limit: 100 }).then((reply) => !gone && setFiles(reply.files.filter((file) => !file.directory)), () => undefined);
    }, FIND_AFTER_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [id, query]);
  return (
    <Frame title={t.file.find} back={{ page: "session", id }}>
      <label class="field">
        <span class="off-screen">{t.file.find}</span>
        <input type="search" value={query} placeholder={t.file.find} autocapitalize="off" autocomplete="off" spellcheck={false} onInput={(event) => setQuery(event.currentTarget.value)} />
      </label>
      <ul class="paths">
        {files.map((file) => (
          <li key={file.path}>
            <a href={address({ page: "file", id, path: file.path })}>
              <Visible text={file.path} />
            </a>
          </li>
        ))}
      </ul>
    </Frame>
  );
}
