import type { JSX } from "preact";
import { t } from "../../strings.ts";
import { IconButton } from "../part/button.tsx";
import { useApp } from "../part/context.ts";

/** Short messages about what happened. */
export function ToastList(): JSX.Element {
  const { toasts } = useApp();
  return (
    <div class="toasts" aria-live="assertive">
      {toasts.shown.value.map((toast) => (
        <div key={toast.id} class={`toast ${toast.kind}`}>
          <span>{toast.text}</span>
          <IconButton icon="close" label={t.dismiss} onClick={() => toasts.dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}
