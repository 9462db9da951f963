import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DeviceInfo, Pairing } from "../../generated/messages.ts";
import { t } from "../../strings.ts";
import { ago, clock } from "../../text/format.ts";
import { Button, IconButton } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { CopyButton } from "../part/copy.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Icon } from "../part/icon.tsx";
import { Visible } from "../part/visible.tsx";
import { Frame } from "./frame.tsx";

/** Who may come in. */
export function DevicesPage(): JSX.Element {
  const app = useApp();
  const [devices, setDevices] = useState<readonly DeviceInfo[]>();
  const [pairing, setPairing] = useState<Pairing>();
  const [leaving, setLeaving] = useState<DeviceInfo>();
  const [named, setNamed] = useState<DeviceInfo>();
  const [unsaved, setUnsaved] = useState<string>();
  const load = (): void => {
    app.ask<"devices">({ type: "list_devices" }).then((reply) => setDevices(reply.devices), () => undefined);
  };
  useEffect(load, []);
  const revoke = (device: DeviceInfo): void => {
    setLeaving(undefined);
    app.ask<"ok">({ type: "revoke_device", deviceId: device.deviceId }).then((done) => {
      setUnsaved(done.unsaved);
      load();
    }, () => undefined);
  };
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
            {device.kind === "device" && (
              <>
                <IconButton icon="edit" label={`${t.devices.rename}: ${device.name}`} onClick={() => setNamed(device)} />
                <Button kind="danger" onClick={() => setLeaving(device)}>{t.devices.revoke}</Button>
              </>
            )}
          </li>
        ))}
      </ul>
      <p>
        <Button kind="primary" icon="plus" onClick={() => void app.ask<"pairing">({ type: "pair_device" }).then(setPairing, () => undefined)}>{t.devices.add}</Button>
      </p>
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
        <Dialog title={t.devices.revoke} onClose={() => setLeaving(undefined)}>
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

function Rename({ device, onClose, onName }: { device: DeviceInfo; onClose(): void; onName(name: string): void }): JSX.Element {
  const [name, setName] = useState(device.name);
  return (
    <Dialog title={t.devices.rename} onClose={onClose}>
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
          <Button kind="primary" type="submit" disabled={name.trim() === ""}>{t.save}</Button>
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
