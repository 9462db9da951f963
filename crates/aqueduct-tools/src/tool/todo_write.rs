//! `TodoWrite`: the model's own list.

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{IntoOwned, Raw};
use aqueduct_wire::tool::{TodoStatus, TodoWriteInput, TodoWriteResult};

use super::row::{Audience, ToolFacts};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolInvocation};

/// The tool.
pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "TodoWrite",
    description: "Keeps a todo list, which the user sees. Use it for work of three steps or more; not for a single simple task.

Each call replaces the whole list. Set an item to in_progress before you start it and to completed as soon as it is finished: tests pass, nothing is left undone. Only one item is in progress at a time. Remove items that are no longer needed, and add those that you discover.",
    schema: r#"{"type":"object","properties":{"todos":{"type":"array","description":"The whole list","items":{"type":"object","properties":{"content":{"type":"string","minLength":1,"description":"What is to be done: Run the tests"},"status":{"type":"string","enum":["pending","in_progress","completed"]},"activeForm":{"type":"string","minLength":1,"description":"The same while it is being done: Running the tests"}},"required":["content","status","activeForm"],"additionalProperties":false}}},"required":["todos"],"additionalProperties":false}"#,
    // Two lists written side by side would race for being the last.
    run: |tool_context, call| Box::pin(std::future::ready(run(tool_context, &call))),
    facts: ToolFacts { audience: Audience::NotVerifiers, replay: Some(|tool_context, call| tool_context.lists.todos.replay(call.result)), ..ToolFacts::NONE },
};

fn run(tool_context: &ToolContext, call: &ToolInvocation<'_>) -> Result<CallOutput, ToolFailure> {
    let rejected = |text: String| Err(ToolFailure::Rejected(format!("InputValidationError: {text}")));
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
    result.old_todos = Some(tool_context.lists.todos.replace(new));
    let text = "The todo list has been saved. Continue with the item that is in progress, and keep the list \
        up to date.";
    Ok(CallOutput { content: Content::Text(text.into()), result: Raw::written(&result), is_error: false })
}
