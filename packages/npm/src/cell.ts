// State that others read. A UI passes its own kind of state, such as a signal, and so follows every change.

/** State that can be read. */
export interface Readable<T> {
  readonly value: T;
}

/** Makes a piece of state with its first value. */
export type State = <T>(value: T) => { value: T };

/** State without observers. */
export const plain: State = (value) => ({ value });
