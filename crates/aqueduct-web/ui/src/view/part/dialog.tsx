import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../strings.ts";
import { IconButton } from "./button.tsx";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  class?: string;
}

/** A sheet over the page: from below on a phone, in the middle on a desktop. */
export function Dialog({ title, onClose, children, class: classes }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${classes ?? ""}`}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        // A click beside the sheet falls on the dialog itself.
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <IconButton icon="close" label={t.close} onClick={() => dialog.current?.close()} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
