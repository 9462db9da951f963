import type { JSX } from "preact";
import { todosAfter, type Todo } from "../../conversation/todo.ts";
import { t } from "../../strings.ts";
import { Icon } from "../part/icon.tsx";
import type { BodyProps, Look } from "./look.ts";

/** TodoWrite: the list as it was then. The current list is above the composer. */
export const todo: Look = {
  icon: "list",
  title: t.tool.todos,
  summary: (input) => {
    const todos = Array.isArray(input.todos) ? input.todos : [];
    const done = todos.filter((one: { status?: unknown }) => one?.status === "completed").length;
    return t.tool.todosDone(done, todos.length);
  },
  Body: ({ call }: BodyProps) => <Checklist todos={todosAfter([], call) ?? []} />,
};

/** Things to do, with marks for those that are done. */
export function Checklist({ todos }: { todos: readonly Todo[] }): JSX.Element {
  return (
    <ul class="checklist">
      {todos.map((one) => (
        <li key={one.id} class={one.status}>
          <span class="mark">
            {one.status === "completed" && <Icon name="check" />}
            <span class="off-screen">{one.status.replace("_", " ")}: </span>
          </span>
          <span>{one.status === "in_progress" ? (one.active ?? one.text) : one.text}</span>
        </li>
      ))}
    </ul>
  );
}
