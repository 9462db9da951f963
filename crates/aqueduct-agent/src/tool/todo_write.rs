//! `TodoWrite`: the model's own list.

use std::sync::{Mutex, PoisonError};

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{IntoOwned, Raw};
use aqueduct_wire::tool::{Todo, TodoStatus, TodoWriteInput, TodoWriteResult};

use super::{Call, Failure, Output, Tool, Workshop};
use crate::json_text::to_raw;

/// The tool.
pub(crate) const TOOL: Tool = Tool {
    name: "TodoWrite",
    description: "Keeps a list of what is to be done, which the user sees. Use it for work of three steps or \
more; not for a single plain task.

Each call replaces the whole list. Set an item to in_progress before you begin it and to completed as soon \
as it is really done: tests pass, nothing is half-finished. One item is in progress at a time. Remove what is \
no longer needed, and add what you find on the way.",
    schema: r#"{"type":"object","properties":{"todos":{"type":"array","description":"The whole list","items":{"type":"object","properties":{"content":{"type":"string","minLength":1,"description":"What is to be done: Run the tests"},"status":{"type":"string","enum":["pending","in_progress","completed"]},"activeForm":{"type":"string","minLength":1,"description":"The same while it is being done: Running the tests"}},"required":["content","status","activeForm"],"additionalProperties":false}}},"required":["todos"],"additionalProperties":false}"#,
    // Two lists written side by side would race for being the last.
    reads_only: false,
    run: |workshop, call| Box::pin(std::future::ready(run(workshop, &call))),
};

/// The list.
#[derive(Debug, Default)]
pub(crate) struct Todos(Mutex<Vec<Todo<'static>>>);

impl Todos {
    /// Puts a new list in place of the old one, and returns that.
    fn replace(&self, list: Vec<Todo<'static>>) -> Vec<Todo<'static>> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), list)
    }

    /// Forgets the list.
    pub(crate) fn clear(&self) {
        self.replace(Vec::new());
    }

    /// The list as JSON, for a session that is resumed later.
    pub(crate) fn snapshot(&self) -> Raw<'static> {
        to_raw(&*self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes over the list of a past call, from its result.
    pub(crate) fn replay(&self, result: &Raw<'_>) {
        if let Some(result) = result.view::<TodoWriteResult<'_>>() {
            self.replace(result.new_todos.into_owned());
        }
    }

    /// Takes the list from a [`snapshot`](Self::snapshot). Other
    /// JSON changes nothing, and says so.
    pub(crate) fn restore(&self, snapshot: &Raw<'_>) -> bool {
        let Some(list) = snapshot.view::<Vec<Todo<'_>>>() else { return false };
        self.replace(list.into_owned());
        true
    }
}

fn run(workshop: &Workshop, call: &Call<'_>) -> Result<Output, Failure> {
    let rejected = |text: String| Err(Failure::Rejected(format!("InputValidationError: {text}")));
    let Some(input) = call.input.view::<TodoWriteInput<'_>>() else {
        return rejected(
            "TodoWrite needs `todos`, a list of objects with content, status, activeForm.".into(),
        );
    };
    for (index, todo) in input.todos.iter().enumerate() {
        if todo.content.is_empty() {
            return rejected(format!("`content` of item {index} is empty."));
        }
        if todo.active_form.as_ref().is_none_or(|form| form.is_empty()) {
            return rejected(format!("`activeForm` of item {index} is missing or empty."));
        }
        if !matches!(todo.status, Some(TodoStatus::Pending | TodoStatus::InProgress | TodoStatus::Completed))
        {
            return rejected(format!("`status` of item {index} must be pending, in_progress or completed."));
        }
    }
    let new = input.todos.into_owned();
    let mut result = TodoWriteResult::new(new.clone());
    result.old_todos = Some(workshop.todos.replace(new));
    let text = "The list is saved. Go on with the item that is in progress, and keep the list up to date.";
    Ok(Output { content: Content::Text(text.into()), result: to_raw(&result), is_error: false })
}
