import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refused, type ModelInfo, type TrustReport } from "aqueduct-client";
import { t } from "../../strings.ts";
import { baseName } from "../../text/format.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Limited } from "../part/limited.tsx";
import { Folders } from "./folders.tsx";
import { lazy } from "../shell/lazy.tsx";
import { Frame } from "./frame.tsx";

const TrustDialog = lazy(() => import("./trust.tsx").then((module) => module.TrustDialog));

const OTHER = "\u0000";
const RECENT = 5;

/** Begins a session. */
export function NewPage({ folder: given }: { folder?: string }): JSX.Element {
  const app = useApp();
  const hello = app.hello.value;
  const recent = [...new Set([...app.sessions.value.values()].sort((a, b) => b.updatedAt - a.updatedAt).map((session) => session.projectPath))].slice(0, RECENT);
  const [typed, setFolder] = useState(given);
  const folder = typed ?? recent[0] ?? hello?.roots[0] ?? "";
  const [agent, setAgent] = useState<string>();
  const chosenAgent = agent ?? hello?.defaultAgent ?? "";
  const [mode, setMode] = useState("default");
  const [model, setModel] = useState("");
  const [ownModel, setOwnModel] = useState("");
  const [models, setModels] = useState<readonly ModelInfo[]>([]);
  const [budget, setBudget] = useState("");
  const [text, setText] = useState(() => app.drafts.get("new"));
  const [busy, setBusy] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [report, setReport] = useState<TrustReport>();

  useEffect(() => {
    if (chosenAgent === "") return;
    // Without a list the default model is there.
    app.connection.request<"models">({ type: "list_models", agent: chosenAgent }).then((reply) => setModels(reply.models), () => setModels([]));
  }, [chosenAgent]);

  /** Starts a session, once the user has decided about what the folder provides. */
  const begin = async (): Promise<void> => {
    setBusy(true);
    const asks = hello?.features.includes("trust") && (await asked().catch(() => true));
    if (asks) setBusy(false);
    else await start();
  };

  /** Whether the user has to decide about the folder; then the dialog is open. */
  const asked = async (): Promise<boolean> => {
    const found = await app.ask<"trust">({ type: "get_trust", projectPath: folder });
    const asks = found.state === "untrusted" || found.state === "changed";
    if (asks) setReport(found);
    return asks;
  };

  const start = async (): Promise<void> => {
    setBusy(true);
    const name = model === OTHER ? ownModel.trim() : model;
    const sessionId = app.uuid();
    try {
      await app.confirmed({
        type: "start",
        sessionId,
        projectPath: folder,
        permissionMode: mode,
        ...(chosenAgent ? { agent: chosenAgent } : {}),
        ...(name ? { model: name } : {}),
        ...(Number(budget) > 0 ? { budgetUsd: Number(budget) } : {}),
      });
    } catch (error) {
      setBusy(false);
      // The folder may have changed since it was looked at.
      const asks = Refused.is(error, "trust_required") && (await asked().catch(() => true));
      if (!asks) app.failed(error);
      return;
    }
    app.drafts.set("new", "");
    if (text.trim() !== "") app.say(sessionId, { text });
    app.router.replace({ page: "session", id: sessionId });
  };

  const choice = hello?.agents.find((one) => one.name === chosenAgent);
  const problem = choice?.available === false ? choice.problem : undefined;
  if (!app.can("operate")) {
    return (
      <Frame title={t.start.title} class="narrow">
        <Limited needed="operate" what={t.scope.start} />
      </Frame>
    );
  }
  return (
    <Frame title={t.start.title} class="narrow">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <label class="field">
          <span>{t.start.first}</span>
          <textarea
            rows={4}
            value={text}
            placeholder={t.start.firstHint}
            onInput={(event) => {
              setText(event.currentTarget.value);
              app.drafts.set("new", event.currentTarget.value);
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !busy && folder !== "") void begin();
            }}
          />
        </label>
        <div class="folder-field">
          <label class="field">
            <span>{t.start.folder}</span>
            <input class="mono" value={folder} required spellcheck={false} autocapitalize="off" autocomplete="off" onInput={(event) => setFolder(event.currentTarget.value)} />
          </label>
          <Button icon="folder" onClick={() => setChoosing(!choosing)}>{t.start.choose}</Button>
        </div>
        {choosing && (
          <Folders
            folder={folder}
            onChoose={(path) => setFolder(path)}
            onDone={() => setChoosing(false)}
          />
        )}
        {recent.length > 1 && !choosing && (
          <div class="chips" aria-label={t.start.recent} role="group">
            {recent.map((path) => (
              <button key={path} type="button" class="chip" title={path} aria-pressed={path === folder} onClick={() => setFolder(path)}>
                {baseName(path)}
              </button>
            ))}
          </div>
        )}
        <div class="columns">
          <label class="field">
            <span>{t.start.mode}</span>
            <select value={mode} onChange={(event) => setMode(event.currentTarget.value)}>
              {(hello?.permissionModes ?? ["default"]).map((name) => (
                <option key={name} value={name}>
                  {t.modes[name]?.[0] ?? name}
                </option>
              ))}
            </select>
            <small class="quiet">{t.modes[mode]?.[1]}</small>
          </label>
          <label class="field">
            <span>{t.start.model}</span>
            <select value={model} onChange={(event) => setModel(event.currentTarget.value)}>
              <option value="">{t.start.modelDefault}</option>
              {models.map((one) => one.value && (
                <option key={one.value} value={one.value}>
                  {one.displayName ?? one.value}
                </option>
              ))}
              <option value={OTHER}>{t.composer.otherModel}</option>
            </select>
            {model === OTHER && <input class="mono" aria-label={t.composer.otherModel} value={ownModel} onInput={(event) => setOwnModel(event.currentTarget.value)} />}
          </label>
          {(hello?.agents.length ?? 0) > 1 && (
            <label class="field">
              <span>{t.start.agent}</span>
              <select value={chosenAgent} onChange={(event) => setAgent(event.currentTarget.value)}>
                {hello?.agents.map((one) => (
                  <option key={one.name} value={one.name} disabled={!one.available}>
                    {one.label ?? one.name}
                    {one.version ? ` ${one.version}` : ""}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label class="field">
            <span>{t.start.budget}</span>
            <input type="number" inputMode="decimal" min="0" step="any" value={budget} placeholder={t.start.budgetHint} onInput={(event) => setBudget(event.currentTarget.value)} />
          </label>
        </div>
        {problem && <p class="warning">{problem}</p>}
        <footer class="form-buttons">
          <Button kind="primary" type="submit" disabled={busy || folder === ""}>{t.start.start}</Button>
        </footer>
      </form>
      {report && (
        <TrustDialog
          report={report}
          onStart={() => void start()}
          onClose={() => setReport(undefined)}
          {...(choice?.needsTrust ? { needsTrust: choice.label ?? choice.name } : {})}
        />
      )}
    </Frame>
  );
}
