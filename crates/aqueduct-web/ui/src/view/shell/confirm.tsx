import type { JSX } from "preact";
import type { Confirming } from "../../store/scope.ts";
import { t } from "../../strings.ts";
import { Button } from "../part/button.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Icon } from "../part/icon.tsx";

/** Asks for confirmation before an action with a consequence. */
export function ConfirmDialog({ asked }: { asked: Confirming }): JSX.Element {
  return (
    <Dialog title={asked.title} onClose={() => asked.answer(false)}>
      <p class="warning">
        <Icon name="alert" /> {asked.consequence}
      </p>
      <footer class="dialog-buttons">
        <Button kind="quiet" onClick={() => asked.answer(false)}>{t.cancel}</Button>
        <Button kind="danger" onClick={() => asked.answer(true)}>{asked.verb}</Button>
      </footer>
    </Dialog>
  );
}
