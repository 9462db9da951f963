//! `TaskCreate`, `TaskUpdate`, `TaskGet`, `TaskList`: the tasks that the model tracks.

use std::fmt::Write;

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{Json, Raw, Str};
use aqueduct_wire::tool::{
    TaskCreateInput, TaskCreateResult, TaskGetInput, TaskGetResult, TaskListResult, TaskStatusChange,
    TaskUpdateInput, TaskUpdateResult, TrackedTask, TrackedTaskStatus,
};
use serde_json::{Map, Value};

use super::row::{ReplayedCall, ToolFacts};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolInvocation};
use crate::list::{ListedTask, TaskList, TaskStatus};

/// Puts a task on the list.
pub(crate) const CREATE: BuiltInTool = BuiltInTool {
    name: "TaskCreate",
    description: "Creates a task in the session's task list, which the user sees. Use it for work of three \
steps or more. The task starts as pending; set it to in_progress with TaskUpdate before you work on it.",
    schema: r#"{"type":"object","properties":{"subject":{"type":"string","description":"A short title: Fix the login"},"description":{"type":"string","description":"What is to be done"},"activeForm":{"type":"string","description":"The title while it is being done: Fixing the login"},"metadata":{"type":"object","additionalProperties":{},"description":"Anything to keep with the task"}},"required":["subject","description"],"additionalProperties":false}"#,
    run: |tool_context, call| Box::pin(std::future::ready(create(&tool_context.lists.tasks, &call.input))),
    facts: ToolFacts { is_rare: true, replay: Some(replay_create), ..ToolFacts::NONE },
};

/// Changes a task.
pub(crate) const UPDATE: BuiltInTool = BuiltInTool {
    name: "TaskUpdate",
    description: "Updates a task of the task list; omitted fields keep their values. Set status to \
in_progress when you start, to completed when the task is finished, to deleted to remove it. addBlockedBy \
lists tasks that must be completed first, addBlocks tasks that wait for this one. A metadata value of null removes \
the key.",
    schema: r#"{"type":"object","properties":{"taskId":{"type":"string","description":"The task"},"subject":{"type":"string"},"description":{"type":"string"},"activeForm":{"type":"string"},"status":{"type":"string","enum":["pending","in_progress","completed","deleted"]},"addBlocks":{"type":"array","items":{"type":"string"},"description":"Tasks that wait for this one"},"addBlockedBy":{"type":"array","items":{"type":"string"},"description":"Tasks that this one waits for"},"owner":{"type":"string"},"metadata":{"type":"object","additionalProperties":{}}},"required":["taskId"],"additionalProperties":false}"#,
    run: |tool_context, call| Box::pin(std::future::ready(update(&tool_context.lists.tasks, &call.input))),
    facts: ToolFacts { is_rare: true, replay: Some(replay_update), ..ToolFacts::NONE },
};

/// Shows a task.
pub(crate) const GET: BuiltInTool = BuiltInTool {
    name: "TaskGet",
    description: "Returns one task of the task list with its description and the tasks that block it.",
    schema: r#"{"type":"object","properties":{"taskId":{"type":"string","description":"The task"}},"required":["taskId"],"additionalProperties":false}"#,
    run: |tool_context, call| Box::pin(std::future::ready(get(tool_context, &call))),
    facts: ToolFacts { reads_only: true, is_rare: true, ..ToolFacts::NONE },
};

/// Shows all tasks.
pub(crate) const LIST: BuiltInTool = BuiltInTool {
    name: "TaskList",
    description: "Returns all tasks of the task list, each with its status, its owner and the tasks that \
        still block it.",
    schema: r#"{"type":"object","properties":{},"additionalProperties":false}"#,
    run: |tool_context, _| Box::pin(std::future::ready(Ok(list(tool_context)))),
    facts: ToolFacts { reads_only: true, is_rare: true, ..ToolFacts::NONE },
};

/// Repeats a call of an earlier process, for a conversation that is resumed.
fn replay_create(tool_context: &ToolContext, call: &ReplayedCall<'_>) {
    let Some(made) = call.result.view::<TaskCreateResult<'_>>() else { return };
    if let Ok(number @ 1..) = made.task.id.parse::<u64>() {
        let list = &tool_context.lists.tasks;
        // The task keeps its number.
        list.lock().last = number - 1;
        // A call with a result had a valid input.
        let _ = create(list, call.input);
    }
}

/// The same for a change.
fn replay_update(tool_context: &ToolContext, call: &ReplayedCall<'_>) {
    let _ = update(&tool_context.lists.tasks, call.input);
}

fn create(list: &TaskList, input: &Raw<'_>) -> Result<CallOutput, ToolFailure> {
    let Some(input) = input.view::<TaskCreateInput<'_>>() else {
        return Err(rejected("TaskCreate needs `subject` and `description`, strings."));
    };
    let Some(description) = input.description else {
        return Err(rejected("TaskCreate needs `description`, a string."));
    };
    if input.subject.is_empty() {
        return Err(rejected("`subject` is empty."));
    }
    let mut tasks = list.lock();
    tasks.last += 1;
    let task = ListedTask {
        id: tasks.last.to_string(),
        subject: input.subject.into_string(),
        description: description.into_string(),
        active_form: input.active_form.map(Str::into_string),
        status: TaskStatus::Pending,
        owner: None,
        blocks: Vec::new(),
        blocked_by: Vec::new(),
        metadata: input.metadata.map(|map| values(&map)).unwrap_or_default(),
    };
    let text = format!("Task #{} created: {}", task.id, task.subject);
    let mut tracked = TrackedTask::new(task.id.clone());
    tracked.subject = Some(task.subject.clone().into());
    tasks.tasks.push(task);
    Ok(answered(text, &TaskCreateResult::new(tracked)))
}

fn update(list: &TaskList, input: &Raw<'_>) -> Result<CallOutput, ToolFailure> {
    let Some(input) = input.view::<TaskUpdateInput<'_>>() else {
        return Err(rejected("TaskUpdate needs `taskId`, a string."));
    };
    let id = input.task_id.as_str();
    let mut tasks = list.lock();
    let mut result = TaskUpdateResult::new(true);
    result.task_id = Some(id.into());
    let Some(task) = tasks.find(id) else {
        result.success = false;
        result.updated_fields = Some(Vec::new());
        result.error = Some("Task not found".into());
        return Ok(answered(format!("Task #{id} does not exist. TaskList shows all tasks."), &result));
    };
    let before = task.status;
    let status = match &input.status {
        None => None,
        Some(TrackedTaskStatus::Pending) => Some(TaskStatus::Pending),
        Some(TrackedTaskStatus::InProgress) => Some(TaskStatus::InProgress),
        Some(TrackedTaskStatus::Completed) => Some(TaskStatus::Completed),
        Some(TrackedTaskStatus::Deleted) => {
            tasks.remove(id);
            result.updated_fields = Some(vec!["deleted".into()]);
            result.status_change =
                Some(Box::new(TaskStatusChange::new(before.wire(), TrackedTaskStatus::Deleted)));
            return Ok(answered(format!("Task #{id} deleted."), &result));
        }
        Some(_) => {
            return Err(rejected("`status` must be pending, in_progress, completed or deleted."));
        }
    };
    let mut fields: Vec<&'static str> = Vec::new();
    let mut set = |name, field: &mut String, value: Option<&Str<'_>>| {
        if let Some(value) = value.filter(|value| *value != field.as_str()) {
            *field = value.to_string();
            fields.push(name);
        }
    };
    set("subject", &mut task.subject, input.subject.as_ref());
    set("description", &mut task.description, input.description.as_ref());
    set("activeForm", task.active_form.get_or_insert_default(), input.active_form.as_ref());
    set("owner", task.owner.get_or_insert_default(), input.owner.as_ref());
    task.active_form.take_if(|form| form.is_empty());
    task.owner.take_if(|owner| owner.is_empty());
    if let Some(metadata) = &input.metadata {
        for (key, value) in values(metadata) {
            match value {
                Value::Null => task.metadata.remove(&key),
                value => task.metadata.insert(key, value),
            };
        }
        fields.push("metadata");
    }
    if let Some(status) = status.filter(|status| *status != before) {
        task.status = status;
        fields.push("status");
        result.status_change = Some(Box::new(TaskStatusChange::new(before.wire(), status.wire())));
    }
    let mut chain = |name, others: Option<&Vec<Str<'_>>>, is_first: bool| {
        let mut changed = false;
        for other in others.into_iter().flatten() {
            changed |= if is_first { tasks.chain(id, other) } else { tasks.chain(other, id) };
        }
        if changed {
            fields.push(name);
        }
    };
    chain("blocks", input.add_blocks.as_ref(), true);
    chain("blockedBy", input.add_blocked_by.as_ref(), false);
    let text = match fields.is_empty() {
        true => format!("Task #{id} is unchanged."),
        false => format!("Updated task #{id}: {}.", fields.join(", ")),
    };
    result.updated_fields = Some(fields.into_iter().map(Str::from).collect());
    Ok(answered(text, &result))
}

fn get(tool_context: &ToolContext, call: &ToolInvocation<'_>) -> Result<CallOutput, ToolFailure> {
    let Some(input) = call.input.view::<TaskGetInput<'_>>() else {
        return Err(rejected("TaskGet needs `taskId`, a string."));
    };
    let id = input.task_id.as_str();
    let mut tasks = tool_context.lists.tasks.lock();
    let mut result = TaskGetResult::new();
    let Some(task) = tasks.find(id) else {
        return Ok(answered(format!("Task #{id} does not exist. TaskList shows all tasks."), &result));
    };
    let mut text = format!("#{} [{}] {}\n{}", task.id, task.status.name(), task.subject, task.description);
    for (what, ids) in [("Waits for", &task.blocked_by), ("Needed by", &task.blocks)] {
        if !ids.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(text, "\n{what}: #{}", ids.join(", #"));
        }
    }
    let list = |ids: &[String]| ids.iter().cloned().map(Str::from).collect();
    let mut tracked = TrackedTask::new(task.id.clone());
    tracked.subject = Some(task.subject.clone().into());
    tracked.description = Some(task.description.clone().into());
    tracked.status = Some(task.status.wire());
    tracked.blocks = Some(list(&task.blocks));
    tracked.blocked_by = Some(list(&task.blocked_by));
    result.task = Some(Box::new(tracked));
    Ok(answered(text, &result))
}

fn list(tool_context: &ToolContext) -> CallOutput {
    let tasks = tool_context.lists.tasks.lock();
    let mut text = String::new();
    let mut tracked = Vec::new();
    for task in &tasks.tasks {
        let waits: Vec<&str> = tasks.waits_for(task).collect();
        let owner = task.owner.as_ref().map(|owner| format!(" ({owner})")).unwrap_or_default();
        let _ = write!(text, "#{} [{}] {}{owner}", task.id, task.status.name(), task.subject);
        if !waits.is_empty() {
            let _ = write!(text, " [waits for #{}]", waits.join(", #"));
        }
        text.push('\n');
        let mut entry = TrackedTask::new(task.id.clone());
        entry.subject = Some(task.subject.clone().into());
        entry.status = Some(task.status.wire());
        entry.owner = task.owner.clone().map(Str::from);
        entry.blocked_by = Some(waits.into_iter().map(|id| Str::from(id.to_owned())).collect());
        tracked.push(entry);
    }
    let text = if text.is_empty() { "There are no tasks.".into() } else { text.trim_end().to_owned() };
    answered(text, &TaskListResult::new(tracked))
}

/// An answer.
fn answered<'a>(text: String, result: &impl Json<'a>) -> CallOutput {
    CallOutput { content: Content::Text(text.into()), result: Raw::written(result), is_error: false }
}

fn rejected(text: &str) -> ToolFailure {
    ToolFailure::Rejected(format!("InputValidationError: {text}"))
}

/// Members of the wire as values.
fn values(map: &aqueduct_wire::json::Map<'_, Raw<'_>>) -> Map<String, Value> {
    map.iter().filter_map(|(key, value)| Some((key.to_owned(), value.to().ok()?))).collect()
}
