import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { QueuedInput } from "aqueduct-client";
import { t } from "../../strings.ts";
import { firstLine } from "../../text/format.ts";
import { Button, IconButton } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Menu } from "../part/menu.tsx";

/** The inputs that wait for the turn's end. */
export function QueueList({ sessionId, queue }: { sessionId: string; queue: readonly QueuedInput[] }): JSX.Element | null {
  if (queue.length === 0) return null;
  return (
    <ul class="queue" aria-label={t.composer.queued}>
      {queue.map((input, at) => (
        <QueuedRow key={input.id} sessionId={sessionId} input={input} at={at} />
      ))}
    </ul>
  );
}

function QueuedRow({ sessionId, input, at }: { sessionId: string; input: QueuedInput; at: number }): JSX.Element {
  const app = useApp();
  const [edited, setEdited] = useState<string>();
  const { id: inputId } = input;
  if (edited !== undefined) {
    return (
      <li class="queued editing">
        <textarea aria-label={t.composer.edit} rows={3} value={edited} onInput={(event) => setEdited(event.currentTarget.value)} ref={(element) => { if (element && document.activeElement !== element && edited === input.text) element.focus(); }} />
        <div class="queued-buttons">
          <Button kind="quiet" onClick={() => setEdited(undefined)}>{t.cancel}</Button>
          <Button
            kind="primary"
            onClick={() => {
              app.do({ type: "update_queued_input", sessionId, inputId, text: edited });
              setEdited(undefined);
            }}
          >
            {t.composer.saveEdit}
          </Button>
        </div>
      </li>
    );
  }
  return (
    <li class="queued">
      <span class="chip">{t.composer.queued}</span>
      <span class="queued-text" title={input.text}>{firstLine(input.text)}</span>
      {app.can("operate") && <QueuedControls sessionId={sessionId} inputId={inputId} at={at} onEdit={() => setEdited(input.text)} />}
    </li>
  );
}

function QueuedControls({ sessionId, inputId, at, onEdit }: { sessionId: string; inputId: string; at: number; onEdit(): void }): JSX.Element {
  const app = useApp();
  return (
    <>
      <IconButton icon="edit" label={t.composer.edit} onClick={onEdit} />
      <IconButton icon="trash" label={t.composer.remove} onClick={() => app.do({ type: "cancel_queued_input", sessionId, inputId })} />
      <Menu
        label={t.more}
        side="above"
        choices={[
          { label: t.composer.sendNow, icon: "send", choose: () => app.do({ type: "send_queued_input", sessionId, inputId }, { once: true }) },
          { label: t.composer.steer, icon: "bolt", choose: () => app.do({ type: "send_queued_input", sessionId, inputId, priority: "steer" }, { once: true }) },
          ...(at > 0 ? [{ label: t.composer.up, icon: "up" as const, choose: () => app.do({ type: "move_queued_input", sessionId, inputId, position: at - 1 }) }] : []),
        ]}
      >
        <Icon name="more" />
      </Menu>
    </>
  );
}
