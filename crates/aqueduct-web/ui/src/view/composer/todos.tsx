import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Todo } from "../../conversation/todo.ts";
import { t } from "../../strings.ts";
import { Icon } from "../part/icon.tsx";
import { Checklist } from "../tool/todo.tsx";

/** The list of things to do as it is now, folded to what is being done. */
export function TodoStrip({ todos, busy }: { todos: readonly Todo[]; busy: boolean }): JSX.Element | null {
  const [open, setOpen] = useState(false);
  const done = todos.filter((todo) => todo.status === "completed").length;
  // A completed list is not shown.
  if (todos.length === 0 || (done === todos.length && !busy)) return null;
  const now = todos.find((todo) => todo.status === "in_progress");
  return (
    <section class="todos" aria-label={t.tool.todos}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="list" />
        <span class="todos-now">{now ? (now.active ?? now.text) : t.tool.todos}</span>
        <span class="todos-count">{t.tool.todosDone(done, todos.length)}</span>
        <Icon name="chevron" class="fold" />
      </button>
      {open && <Checklist todos={todos} />}
    </section>
  );
}
