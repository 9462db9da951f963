import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { Dialog } from "../part/dialog.tsx";

/** What the keys do. */
export function ShortcutSheet({ onClose }: { onClose(): void }): JSX.Element {
  return (
    <Dialog title={t.keys.title} onClose={onClose}>
      <dl class="keys">
        {t.keys.list.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
