import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pushState, subscribePush, unsubscribePush, type PushState } from "../../bridge/push.ts";
import { TEXT_SIZES, type Preferences } from "../../store/preferences.ts";
import { t } from "../../strings.ts";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { AccessWords } from "../part/access.tsx";
import { Frame } from "./frame.tsx";

/** What this device's reader prefers. */
export function SettingsPage(): JSX.Element {
  const app = useApp();
  const { preferences } = app;
  const now = preferences.value;
  const set = (change: Partial<Preferences>): void => {
    preferences.value = { ...preferences.value, ...change };
  };
  const hello = app.hello.value;
  return (
    <Frame title={t.settings.title} class="narrow">
      <section class="panel">
        <h2>{t.settings.looks}</h2>
        <fieldset class="segments">
          <legend>{t.settings.theme}</legend>
          {(["system", "light", "dark"] as const).map((theme) => (
            <label key={theme}>
              <input type="radio" name="theme" checked={now.theme === theme} onChange={() => set({ theme })} />
              <span>{t.settings.themes[theme]}</span>
            </label>
          ))}
        </fieldset>
        <fieldset class="segments">
          <legend>{t.settings.size}</legend>
          {TEXT_SIZES.map((textSize) => (
            <label key={textSize}>
              <input type="radio" name="size" checked={now.textSize === textSize} onChange={() => set({ textSize })} />
              <span>{textSize} %</span>
            </label>
          ))}
        </fieldset>
        <Check label={t.settings.motion} on={now.motion === "reduced"} onChange={(on) => set({ motion: on ? "reduced" : "system" })} />
        <Check label={t.settings.thinking} on={now.showThinking} onChange={(showThinking) => set({ showThinking })} />
      </section>
      <section class="panel">
        <h2>{t.settings.writing}</h2>
        <Check label={t.settings.enter} hint={t.settings.enterHint} on={now.enterSends} onChange={(enterSends) => set({ enterSends })} />
      </section>
      <Notifications content={now.pushContent} setContent={(pushContent) => set({ pushContent })} setNotify={(notify) => set({ notify })} />
      <section class="panel">
        <h2>{t.settings.about}</h2>
        <dl class="facts">
          <dt>{t.scope.title}</dt>
          <dd>
            {hello && <AccessWords device={hello.device} now={app.now()} />}
          </dd>
          <dt>{t.settings.version}</dt>
          <dd>{hello?.version}</dd>
          <dt>{t.settings.host}</dt>
          <dd>{hello?.host}</dd>
          <dt>{t.settings.agents}</dt>
          <dd>
            {hello?.agents.map((agent) => (
              <div key={agent.name}>
                {agent.label ?? agent.name} {agent.version ?? ""} {!agent.available && <span class="quiet">{agent.problem}</span>}
              </div>
            ))}
          </dd>
        </dl>
      </section>
    </Frame>
  );
}

interface CheckProps {
  label: string;
  hint?: string;
  on: boolean;
  disabled?: boolean;
  onChange(on: boolean): void;
}

function Check({ label, hint, on, disabled, onChange }: CheckProps): JSX.Element {
  return (
    <label class="setting">
      <span>
        {label}
        {hint && <small class="quiet">{hint}</small>}
      </span>
      <input type="checkbox" role="switch" checked={on} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
    </label>
  );
}

interface NotificationsProps {
  content: boolean;
  setContent(on: boolean): void;
  setNotify(on: boolean): void;
}

function Notifications({ content, setContent, setNotify }: NotificationsProps): JSX.Element {
  const app = useApp();
  const [state, setState] = useState<PushState>("off");
  const pushes = app.hello.value?.pushKey !== undefined;
  useEffect(() => {
    void pushState(app).then(setState);
  }, []);
  const change = async (on: boolean, withContent = content): Promise<void> => {
    try {
      setState(on ? await subscribePush(app, withContent) : await unsubscribePush(app));
      setNotify(on);
    } catch (error) {
      app.toasts.fail(error);
    }
  };
  return (
    <section class="panel">
      <h2>{t.settings.notifications}</h2>
      {state === "none" ? (
        <p class="quiet">{t.settings.pushNone}</p>
      ) : (
        <>
          <Check label={t.settings.push} hint={state === "denied" ? t.settings.pushDenied : pushes ? t.settings.pushHint : t.settings.pushLocal} on={state === "on"} disabled={state === "denied"} onChange={(on) => void change(on)} />
          {pushes && <Check
            label={t.settings.pushContent}
            hint={t.settings.pushContentHint}
            on={content}
            onChange={(on) => {
              setContent(on);
              if (state === "on") void change(true, on);
            }}
          />}
          {pushes && state === "on" && (
            <Button onClick={() => void app.ask({ type: "test_push" }).then(() => app.toasts.show("info", t.settings.pushSent), () => undefined)}>{t.settings.pushTest}</Button>
          )}
        </>
      )}
    </section>
  );
}
