import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DeviceInfo, PairDevice, Pairing, AccessScope } from "aqueduct-client";
import { SCOPES } from "../../store/scope.ts";
import { t } from "../../strings.ts";
import { ago, clock } from "../../text/format.ts";
import { AccessWords } from "../part/access.tsx";
import { Button, IconButton } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { CopyButton } from "../part/copy.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Icon } from "../part/icon.tsx";
import { Limited } from "../part/limited.tsx";
import { Visible } from "../part/visible.tsx";
import { Frame } from "./frame.tsx";

/** The devices and programs that have access. */
export function DevicesPage(): JSX.Element {
  const app = useApp();
  const [devices, setDevices] = useState<readonly DeviceInfo[]>();
  const [pairing, setPairing] = useState<Pairing>();
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<DeviceInfo>();
  const [named, setNamed] = useState<DeviceInfo>();
  const [unsaved, setUnsaved] = useState<string>();
  const administers = app.can("admin");
  const load = (): void => {
    if (!administers) return;
    app.ask<"devices">({ type: "list_devices" }).then((reply) => setDevices(reply.devices), () => undefined);
  };
  useEffect(load, [administers]);
  const revoke = (device: DeviceInfo): void => {
    setLeaving(undefined);
    app.ask<"ok">({ type: "revoke_device", deviceId: device.deviceId }).then((done) => {
      setUnsaved(done.unsaved);
      load();
    }, () => undefined);
  };
  const own = app.hello.value?.device;
  if (!administers) {
    return (
      <Frame title={t.devices.title} class="narrow">
        <Limited needed="admin" what={t.scope.manage} />
        {own && (
          <ul class="devices">
            <li>
              <Icon name="phone" />
              <span class="device-words">
                <strong>
                  <Visible text={own.name} />
                  <span class="chip">{t.devices.current}</span>
                </strong>
                <small><AccessWords device={own} now={app.now()} /></small>
              </span>
            </li>
          </ul>
        )}
      </Frame>
    );
  }
  return (
    <Frame title={t.devices.title} class="narrow">
      <p class="quiet">{t.devices.intro}</p>
      {unsaved && <p class="warning" role="alert">{t.devices.unsaved(/[.!?]$/.test(unsaved) ? unsaved : `${unsaved}.`)}</p>}
      <ul class="devices">
        {devices?.map((device) => (
          <li key={device.deviceId}>
            <Icon name={device.kind === "token" ? "terminal" : "phone"} />
            <span class="device-words">
              <strong>
                <Visible text={device.name} />
                {device.current && <span class="chip">{t.devices.current}</span>}
              </strong>
              <small><AccessWords device={device} now={app.now()} /></small>
              <small class="quiet">
                {[
                  device.connections ? t.devices.connected(device.connections) : device.seenAt ? `${t.devices.seen} ${ago(device.seenAt, app.now())}` : "",
                  device.createdAt ? `${t.devices.paired} ${ago(device.createdAt, app.now())}` : "",
                  device.credential ? (t.devices.credential[device.credential] ?? device.credential) : "",
                ]
                  .filter((part) => part !== "")
                  .join(" · ")}
              </small>
            </span>
            <IconButton icon="edit" label={`${t.devices.rename}: ${device.name}`} onClick={() => setNamed(device)} />
            <Button kind="danger" onClick={() => setLeaving(device)}>{t.devices.revoke}</Button>
          </li>
        ))}
      </ul>
      <p>
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>{t.devices.add}</Button>
      </p>
      {adding && (
        <PairForm
          onClose={() => setAdding(false)}
          onMake={(wish) => {
            setAdding(false);
            app.ask<"pairing">({ type: "pair_device", ...wish }).then(setPairing, () => undefined);
          }}
        />
      )}
      {pairing && (
        <Dialog
          title={t.devices.add}
          onClose={() => {
            setPairing(undefined);
            load();
          }}
        >
          <PairingCode pairing={pairing} />
        </Dialog>
      )}
      {named && (
        <Rename
          device={named}
          onClose={() => setNamed(undefined)}
          onName={(name) => {
            setNamed(undefined);
            app.ask({ type: "rename_device", deviceId: named.deviceId, name }).then(load, () => undefined);
          }}
        />
      )}
      {leaving && (
        <Dialog title={t.devices.revokeTitle} onClose={() => setLeaving(undefined)}>
          <p>{t.devices.revokeSure(leaving.name)}</p>
          <footer class="dialog-buttons">
            <Button kind="quiet" onClick={() => setLeaving(undefined)}>{t.cancel}</Button>
            <Button kind="danger" onClick={() => revoke(leaving)}>{t.devices.revoke}</Button>
          </footer>
        </Dialog>
      )}
    </Frame>
  );
}

/** How long access can last, in milliseconds. */
const LIFETIMES: Readonly<Record<string, number | undefined>> = { never: undefined, hour: 3_600_000, day: 86_400_000, month: 30 * 86_400_000 };

type Wish = Pick<PairDevice, "scope" | "expiresAt" | "root">;

/** What the other device may do, until when and where. */
function PairForm({ onClose, onMake }: { onClose(): void; onMake(wish: Wish): void }): JSX.Element {
  const app = useApp();
  const [scope, setScope] = useState<AccessScope>("operate");
  const [lifetime, setLifetime] = useState("never");
  const [root, setRoot] = useState("");
  const make = (): void => {
    const lasts = LIFETIMES[lifetime];
    onMake({ scope, ...(lasts ? { expiresAt: Math.round(app.now() + lasts) } : {}), ...(root.trim() ? { root: root.trim() } : {}) });
  };
  return (
    <Dialog title={t.devices.makeTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <fieldset class="scopes">
          <legend>{t.devices.scope}</legend>
          {SCOPES.map((name) => (
            <label key={name}>
              <input type="radio" name="scope" checked={scope === name} onChange={() => setScope(name)} />
              <span>
                <strong>{t.scope.names[name]}</strong>
                <small class="quiet">{t.scope.hints[name]}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <label class="field">
          <span>{t.devices.expires}</span>
          <select value={lifetime} onChange={(event) => setLifetime(event.currentTarget.value)}>
            {Object.keys(LIFETIMES).map((name) => (
              <option key={name} value={name}>
                {t.devices.lifetimes[name]}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t.devices.folder}</span>
          <input class="mono" value={root} placeholder={t.devices.folderHint} spellcheck={false} autocapitalize="off" autocomplete="off" onInput={(event) => setRoot(event.currentTarget.value)} />
        </label>
        <footer class="dialog-buttons">
          <Button kind="quiet" onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit">{t.devices.make}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Rename({ device, onClose, onName }: { device: DeviceInfo; onClose(): void; onName(name: string): void }): JSX.Element {
  const [name, setName] = useState(device.name);
  return (
    <Dialog title={t.devices.renameTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") onName(name.trim());
        }}
      >
        <label class="field">
          <span>{t.devices.name}</span>
          <input value={name} maxLength={80} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <footer class="dialog-buttons">
          <Button kind="quiet" onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" disabled={name.trim() === ""}>{t.devices.rename}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

function PairingCode({ pairing }: { pairing: Pairing }): JSX.Element {
  return (
    <div class="pairing">
      <p>{t.devices.addHint}</p>
      {/* As an image the drawing runs nothing, whatever is in it. */}
      {pairing.qr && <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(pairing.qr)}`} alt={pairing.link} />}
      <p class="pairing-link">
        <code>{pairing.link}</code>
        <CopyButton text={pairing.link} />
      </p>
      <p class="quiet">{t.devices.until(clock(pairing.expiresAt))}</p>
    </div>
  );
}
