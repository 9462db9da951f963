import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

/** Something to choose in a menu. */
export interface Choice {
  label: string;
  hint?: string;
  icon?: IconName;
  danger?: boolean;
  checked?: boolean;
  choose(): void;
}

interface MenuProps {
  label: string;
  /** What is chosen now, where the button shows it: it belongs to the button's name. */
  value?: string;
  /** What the button shows. */
  children: ComponentChildren;
  choices: readonly Choice[];
  class?: string;
  /** Where the menu opens. */
  side?: "above" | "below";
  align?: "start" | "end";
  onOpen?(): void;
  disabled?: boolean;
}

/** A button that opens a menu. Arrow keys move in it, Escape closes it. */
export function Menu({ label, value, children, choices, class: classes, side = "below", align = "end", onOpen, disabled }: MenuProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  // Before the menu is painted: the first key after it shows goes to its items, not to the button.
  useLayoutEffect(() => {
    if (!open) return;
    const items = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    (items().find((item) => item.ariaChecked === "true") ?? items()[0])?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const keys = (event: KeyboardEvent): void => {
      const all = items();
      const at = all.indexOf(document.activeElement as HTMLElement);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
      if (to !== undefined) {
        event.preventDefault();
        all.at(to % all.length)?.focus();
      } else if (event.key === "Escape" || event.key === "Tab") {
        setOpen(false);
        root.current?.querySelector("button")?.focus();
        if (event.key === "Escape") event.stopPropagation();
      }
    };
    const element = root.current;
    document.addEventListener("pointerdown", outside);
    element?.addEventListener("keydown", keys);
    return () => {
      document.removeEventListener("pointerdown", outside);
      element?.removeEventListener("keydown", keys);
    };
  }, [open]);
  return (
    <div class={`menu-root ${classes ?? ""}`} ref={root}>
      <button
        type="button"
        class="menu-button"
        aria-label={value === undefined ? label : `${label}: ${value}`}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={disabled}
        onClick={() => {
          if (!open) onOpen?.();
          setOpen(!open);
        }}
      >
        {children}
      </button>
      {open && (
        <div class={`menu ${side} ${align}`} role="menu" aria-label={label}>
          {choices.map((choice) => (
            <button
              key={choice.label}
              type="button"
              role={choice.checked === undefined ? "menuitem" : "menuitemradio"}
              aria-checked={choice.checked}
              class={choice.danger ? "danger" : ""}
              onClick={() => {
                setOpen(false);
                root.current?.querySelector("button")?.focus();
                choice.choose();
              }}
            >
              {choice.icon && <Icon name={choice.icon} />}
              <span class="menu-words">
                {choice.label}
                {choice.hint && <small>{choice.hint}</small>}
              </span>
              {choice.checked && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
