use std::time::Duration;

use aqueduct_wire::json::Number;
use aqueduct_wire::system::{
    RunningTask, TaskEnd, TaskNotification, TaskProgress, TaskStarted, TaskState, TaskUpdated, TaskUsage,
};

use super::tokens::count;

/// What a call started that works on its own: a subagent, or a command in the background.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Task {
    id: String,
    kind: Option<String>,
    subagent: Option<String>,
    description: String,
    doing: Option<String>,
    last_tool: Option<String>,
    summary: Option<String>,
    tokens: u64,
    tool_uses: u64,
    duration: Duration,
    is_background: bool,
    end: Option<TaskEnd<'static>>,
}

impl Task {
    /// The task's id. A subagent is called by it in other places.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What kind of task, such as `local_agent` or `local_bash`.
    pub fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// Which subagent does it.
    pub fn subagent(&self) -> Option<&str> {
        self.subagent.as_deref()
    }

    /// What it is for, in a few words.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What it does right now.
    pub fn doing(&self) -> Option<&str> {
        self.doing.as_deref()
    }

    /// The tool that it called last.
    pub fn last_tool(&self) -> Option<&str> {
        self.last_tool.as_deref()
    }

    /// What came of it.
    pub fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }

    /// How many tokens it has used.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// How many tools it has called.
    pub fn tool_uses(&self) -> u64 {
        self.tool_uses
    }

    /// How long it has worked, by its own count.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// Whether the conversation does not wait for it.
    pub fn is_background(&self) -> bool {
        self.is_background
    }

    /// How it ended.
    pub fn end(&self) -> Option<&TaskEnd<'static>> {
        self.end.as_ref()
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Whether it ended otherwise than it should.
    pub(super) fn has_failed(&self) -> bool {
        matches!(&self.end, Some(end) if *end != TaskEnd::Completed)
    }

    pub(super) fn start(frame: &TaskStarted<'_>) -> Self {
        let mut task = Task { id: frame.task_id.as_str().to_owned(), ..Task::default() };
        task.kind = frame.task_type.as_deref().map(str::to_owned);
        task.subagent = frame.subagent_type.as_deref().map(str::to_owned);
        task.description = frame.description.as_deref().unwrap_or_default().to_owned();
        task.is_background = frame.is_backgrounded == Some(true);
        task
    }

    pub(super) fn progress(&mut self, frame: &TaskProgress<'_>) {
        self.doing = frame.description.as_deref().map(str::to_owned);
        if let Some(tool) = frame.last_tool_name.as_deref() {
            self.last_tool = Some(tool.to_owned());
        }
        if let Some(summary) = frame.summary.as_deref() {
            self.summary = Some(summary.to_owned());
        }
        self.take_usage(frame.usage.as_deref());
    }

    pub(super) fn update(&mut self, frame: &TaskUpdated<'_>) {
        let Some(patch) = &frame.patch else { return };
        if let Some(description) = patch.description.as_deref() {
            self.description = description.to_owned();
        }
        if let Some(is_background) = patch.is_backgrounded {
            self.is_background = is_background;
        }
        if let Some(error) = patch.error.as_deref() {
            self.summary = Some(error.to_owned());
        }
        match &patch.status {
            Some(TaskState::Completed) => self.end = Some(TaskEnd::Completed),
            Some(TaskState::Failed) => self.end = Some(TaskEnd::Failed),
            Some(TaskState::Killed) => self.end = Some(TaskEnd::Stopped),
            _ => {}
        }
    }

    pub(super) fn notify(&mut self, frame: &TaskNotification<'_>) {
        self.doing = None;
        let end = frame.status.clone().map(aqueduct_wire::IntoOwned::into_owned);
        self.end = Some(end.unwrap_or(TaskEnd::Completed));
        if let Some(summary) = frame.summary.as_deref().filter(|summary| !summary.is_empty()) {
            self.summary = Some(summary.to_owned());
        }
        self.take_usage(frame.usage.as_deref());
    }

    /// The agent lists what runs in the background, and this is in the list.
    pub(super) fn list(&mut self, running: &RunningTask<'_>) {
        self.is_background = true;
        if self.description.is_empty() {
            self.description = running.description.as_deref().unwrap_or_default().to_owned();
        }
    }

    fn take_usage(&mut self, usage: Option<&TaskUsage<'_>>) {
        let Some(usage) = usage else { return };
        let known =
            |number: &Option<Number<'_>>, before: u64| number.as_ref().map_or(before, |it| count(Some(it)));
        self.tokens = known(&usage.total_tokens, self.tokens);
        self.tool_uses = known(&usage.tool_uses, self.tool_uses);
        if usage.duration_ms.is_some() {
            self.duration = Duration::from_millis(count(usage.duration_ms.as_ref()));
        }
    }
}
