// Components that are drawn again only when something they were given is another.

import { Component, h, type ComponentChildren, type FunctionComponent } from "preact";

/** The component, drawn again only for other properties. */
export function memo<P extends object>(Inner: FunctionComponent<P>): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return differs(this.props, next);
    }
    override render(): ComponentChildren {
      return h(Inner, this.props as P & { key?: never });
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}

function differs(before: object, after: object): boolean {
  for (const name in after) if (!Object.is(before[name as keyof typeof before], after[name as keyof typeof after])) return true;
  for (const name in before) if (!(name in after)) return true;
  return false;
}
