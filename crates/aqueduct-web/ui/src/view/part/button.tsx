import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick(event: MouseEvent): void;
  class?: string;
  disabled?: boolean;
  pressed?: boolean;
  expanded?: boolean;
}

/** A button that is a drawing alone; its name is for tooltips and screen readers. */
export function IconButton({ icon, label, onClick, class: classes, disabled, pressed, expanded }: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`icon-button ${classes ?? ""}`}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface ButtonProps {
  children: ComponentChildren;
  onClick?(event: MouseEvent): void;
  kind?: "primary" | "danger" | "quiet" | "plain";
  type?: "button" | "submit";
  disabled?: boolean;
  class?: string;
  icon?: IconName;
}

/** A button with words. */
export function Button({ children, onClick, kind = "plain", type = "button", disabled, class: classes, icon }: ButtonProps): JSX.Element {
  return (
    <button type={type} class={`button ${kind} ${classes ?? ""}`} disabled={disabled} onClick={onClick}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
