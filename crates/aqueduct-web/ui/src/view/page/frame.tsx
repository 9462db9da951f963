import type { ComponentChildren, JSX } from "preact";
import { address, type Route } from "../../store/route.ts";
import { t } from "../../strings.ts";
import { Icon } from "../part/icon.tsx";

interface FrameProps {
  title: string;
  /** Where "back" leads; to the sessions if absent. */
  back?: Route;
  actions?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

/** A page with its title. */
export function Frame({ title, back = { page: "home" }, actions, children, class: classes }: FrameProps): JSX.Element {
  return (
    <div class={`page ${classes ?? ""}`}>
      <header class="page-head">
        <a class="icon-button back" href={address(back)} aria-label={t.back} title={t.back}>
          <Icon name="back" />
        </a>
        <h1>{title}</h1>
        {actions}
      </header>
      <div class="page-body">{children}</div>
    </div>
  );
}
