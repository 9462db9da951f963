// Lists of things to do: one tool that writes the whole list, and a family that changes single tasks.

import type { CallItem } from "./item.ts";

/** A thing to do. */
export interface Todo {
  id: string;
  text: string;
  /** The same while it is being done. */
  active?: string;
  status: "pending" | "in_progress" | "completed" | (string & {});
}

/** Whether a tool is about the list of things to do. */
export function isTodoTool(name: string): boolean {
  return name === "TodoWrite" || name === "TaskCreate" || name === "TaskUpdate";
}

/** The list after a call that worked, or undefined if the call does not change it. */
export function todosAfter(todos: readonly Todo[], call: CallItem): readonly Todo[] | undefined {
  if (call.result?.isError) return undefined;
  switch (call.name) {
    case "TodoWrite":
      return written(call.input?.todos);
    case "TaskCreate":
      return created(todos, call);
    case "TaskUpdate":
      return updated(todos, call);
    default:
      return undefined;
  }
}

function written(list: unknown): readonly Todo[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.filter(isRecord).map((todo, index) => ({
    id: String(index),
    text: text(todo.content) ?? "",
    active: text(todo.activeForm),
    status: text(todo.status) ?? "pending",
  }));
}

function created(todos: readonly Todo[], call: CallItem): readonly Todo[] | undefined {
  // Only the result has the task's number.
  const task = isRecord(call.result?.structured) ? call.result.structured.task : undefined;
  const id = isRecord(task) ? text(task.id) : undefined;
  const subject = text(call.input?.subject);
  if (id === undefined || subject === undefined) return undefined;
  return [...todos, { id, text: subject, active: text(call.input?.activeForm), status: "pending" }];
}

function updated(todos: readonly Todo[], call: CallItem): readonly Todo[] | undefined {
  const id = text(call.input?.taskId);
  if (id === undefined || !call.result) return undefined;
  if (call.input?.status === "deleted") return todos.filter((todo) => todo.id !== id);
  return todos.map((todo) =>
    todo.id === id
      ? {
          ...todo,
          text: text(call.input?.subject) ?? todo.text,
          active: text(call.input?.activeForm) ?? todo.active,
          status: text(call.input?.status) ?? todo.status,
        }
      : todo,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
