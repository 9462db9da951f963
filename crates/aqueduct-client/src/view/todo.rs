use aqueduct_wire::json::{IntoOwned, Raw};
use aqueduct_wire::tool::{
    TaskCreateInput, TaskCreateResult, TaskListResult, TaskUpdateInput, TodoStatus, TodoWriteInput,
    TrackedTask, TrackedTaskStatus,
};

/// How many things to do are kept.
const MAX_TODOS: usize = 1000;

/// A thing to do, on the list that the model keeps for the user.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Todo {
    /// Its number, where the list has numbers.
    pub id: Option<String>,
    /// What is to be done.
    pub text: String,
    /// The same while it is being done.
    pub active_form: Option<String>,
    /// How far it is.
    pub status: TrackedTaskStatus<'static>,
}

/// Takes what a call that went well did to the list. `is_main` is whether the main conversation made it:
/// subagents that keep a list by `TodoWrite` have one of their own.
pub(super) fn apply(
    todos: &mut Vec<Todo>,
    tool: &str,
    input: &Raw<'_>,
    result: Option<&Raw<'_>>,
    is_main: bool,
) {
    match tool {
        "TodoWrite" if is_main => {
            if let Some(input) = input.view::<TodoWriteInput<'_>>() {
                *todos = input.todos.iter().take(MAX_TODOS).map(written).collect();
            }
        }
        "TaskCreate" => {
            let input = input.view::<TaskCreateInput<'_>>();
            let result = result.and_then(|result| result.view::<TaskCreateResult<'_>>());
            if let (Some(input), Some(result)) = (input, result)
                && todos.len() < MAX_TODOS
            {
                let mut todo = tracked(&result.task);
                todo.text = input.subject.into_string();
                todo.active_form = input.active_form.map(|text| text.into_string());
                todos.retain(|known| known.id != todo.id);
                todos.push(todo);
            }
        }
        "TaskUpdate" => {
            if let Some(input) = input.view::<TaskUpdateInput<'_>>() {
                update(todos, input);
            }
        }
        "TaskList" => {
            if let Some(list) = result.and_then(|result| result.view::<TaskListResult<'_>>()) {
                let before = std::mem::take(todos);
                *todos = list.tasks.iter().take(MAX_TODOS).map(tracked).collect();
                for todo in todos.iter_mut() {
                    let known = before.iter().find(|known| known.id == todo.id);
                    todo.active_form = known.and_then(|known| known.active_form.clone());
                }
            }
        }
        _ => {}
    }
}

fn written(todo: &aqueduct_wire::tool::Todo<'_>) -> Todo {
    Todo {
        id: None,
        text: todo.content.as_str().to_owned(),
        active_form: todo.active_form.as_deref().map(str::to_owned),
        status: match &todo.status {
            Some(TodoStatus::InProgress) => TrackedTaskStatus::InProgress,
            Some(TodoStatus::Completed) => TrackedTaskStatus::Completed,
            _ => TrackedTaskStatus::Pending,
        },
    }
}

fn tracked(task: &TrackedTask<'_>) -> Todo {
    Todo {
        id: Some(task.id.as_str().to_owned()),
        text: task.subject.as_deref().unwrap_or_default().to_owned(),
        active_form: None,
        status: task.status.clone().map_or(TrackedTaskStatus::Pending, IntoOwned::into_owned),
    }
}

fn update(todos: &mut Vec<Todo>, change: TaskUpdateInput<'_>) {
    let id = change.task_id.as_str();
    if change.status == Some(TrackedTaskStatus::Deleted) {
        todos.retain(|todo| todo.id.as_deref() != Some(id));
        return;
    }
    let Some(todo) = todos.iter_mut().find(|todo| todo.id.as_deref() == Some(id)) else { return };
    if let Some(subject) = change.subject {
        todo.text = subject.into_string();
    }
    if let Some(form) = change.active_form {
        todo.active_form = Some(form.into_string());
    }
    if let Some(status) = change.status {
        todo.status = status.into_owned();
    }
}
