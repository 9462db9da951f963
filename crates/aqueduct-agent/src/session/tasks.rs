//! Tasks in the background: what hosts receive about them, and how the model learns of their end.

use std::sync::Mutex;

use aqueduct_os::mutex::lock;
use aqueduct_tools::{BackgroundCommandState, TaskLabel, TaskReport};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::Content;
use aqueduct_wire::frame::UserFrame;
use aqueduct_wire::json::Str;
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::origin::{Origin, TaskNotificationOrigin};
use aqueduct_wire::system::{
    BackgroundTasksChanged, RunningTask, SystemFrame, TaskEnd, TaskNotification, TaskPatch, TaskStarted,
    TaskState, TaskUpdated,
};
use jiff::Timestamp;

use super::AgentSession;
use crate::clock::fresh_uuid;
use crate::prompt_queue::QueuedPrompt;

/// What kind of task a command is.
const COMMAND: &str = "local_bash";

/// What sends the notifications of tasks.
const PRODUCER: &str = "session-task";

/// The tasks in the background whose start the host knows, and whose end it does not.
#[derive(Debug, Default)]
pub(crate) struct BackgroundTasks {
    running: Mutex<Vec<RunningTask<'static>>>,
}

impl BackgroundTasks {
    fn add(&self, task: RunningTask<'static>) {
        lock(&self.running).push(task);
    }

    /// Removes a task; whether it was there.
    pub(crate) fn remove(&self, id: &str) -> bool {
        let mut running = lock(&self.running);
        let before = running.len();
        running.retain(|task| task.task_id != *id);
        running.len() < before
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.running).is_empty()
    }

    fn all(&self) -> Vec<RunningTask<'static>> {
        lock(&self.running).clone()
    }
}

/// The end of a task, as the model reads it.
#[derive(Debug, Default)]
pub(crate) struct TaskNote<'n> {
    /// The task.
    pub(crate) id: &'n str,
    /// The run of it that ended; `None` where that was in another process.
    pub(crate) run_id: Option<&'n str>,
    /// The call that started it.
    pub(crate) tool_use_id: Option<&'n str>,
    /// Where its output is.
    pub(crate) output: Option<&'n str>,
    /// How it ended.
    pub(crate) status: &'n str,
    /// What happened.
    pub(crate) summary: &'n str,
    /// What else the model should know, with the element that it is in.
    pub(crate) rest: &'n str,
}

impl TaskNote<'_> {
    /// The notification as text.
    pub(crate) fn text(&self) -> String {
        let element = |name: &str, text: Option<&str>| match text {
            Some(text) => format!("<{name}>{text}</{name}>\n"),
            None => String::new(),
        };
        let elements = [
            element("task-id", Some(self.id)),
            element("tool-use-id", self.tool_use_id),
            element("output-file", self.output),
            element("status", Some(self.status)),
            element("summary", Some(self.summary)),
        ];
        format!("<task-notification>\n{}{}</task-notification>", elements.concat(), self.rest)
    }

    /// The notification as a prompt: it begins a turn.
    pub(crate) fn prompt(&self) -> QueuedPrompt {
        let mut message = UserMessage::new(Content::Text(self.text().into()));
        message.role = Some("user".into());
        let mut frame = UserFrame::new(message);
        let mut origin = TaskNotificationOrigin::new();
        origin.producer = self.run_id.map(|_| PRODUCER.into());
        origin.run_id = self.run_id.map(|id| id.to_owned().into());
        frame.origin = Some(Box::new(Origin::TaskNotification(origin)));
        // What looks like a command in it is none.
        frame.client_composed = Some(true);
        QueuedPrompt::new(frame)
    }
}

impl AgentSession {
    /// Reports that a command is in the background now.
    pub(super) async fn begin_command(&self, label: &TaskLabel, was_reported: bool) {
        let mut task = RunningTask::new(label.id.clone());
        task.run_id = Some(label.run_id.clone().into());
        task.task_type = Some(COMMAND.into());
        task.description = Some(label.description.clone().into());
        task.parent_task_id = label.owner.clone().map(Into::into);
        self.begin_task(task).await;
        if was_reported {
            let mut patch = TaskPatch::new();
            patch.is_backgrounded = Some(true);
            self.send_task_update(&label.id, &label.run_id, patch).await;
        } else {
            self.send_command_started(label, true).await;
        }
    }

    /// Reports a command as a task.
    pub(super) async fn send_command_started(&self, label: &TaskLabel, is_backgrounded: bool) {
        let mut frame = TaskStarted::new(label.id.clone());
        frame.run_id = Some(label.run_id.clone().into());
        frame.owned_by_subagent = label.owner.as_ref().map(|_| true);
        frame.tool_use_id = Some(label.tool_use_id.clone().into());
        frame.description = Some(label.description.clone().into());
        frame.is_backgrounded = Some(is_backgrounded);
        frame.parent_task_id = label.owner.clone().map(Into::into);
        frame.task_type = Some(COMMAND.into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::TaskStarted(Box::new(frame)))).await;
    }

    /// Reports the end of a command that the turn waited for.
    pub(super) async fn send_command_ended(&self, label: &TaskLabel, status: &'static str) {
        let mut frame = ended(label, status);
        frame.output_file = Some("".into());
        frame.summary = Some(label.description.clone().into());
        self.send_task_notification(frame).await;
    }

    /// Reports the end of a command in the background, once, and notifies the model unless the end was asked for.
    pub(crate) async fn finish_command(&self, report: &TaskReport) {
        let label = &report.label;
        if !self.background_tasks.remove(&label.id) {
            return;
        }
        let state = match &report.state {
            BackgroundCommandState::Exited(0) => TaskState::Completed,
            BackgroundCommandState::Stopped | BackgroundCommandState::Running => TaskState::Killed,
            BackgroundCommandState::Exited(_) | BackgroundCommandState::Failed(_) => TaskState::Failed,
        };
        let output = report.output.display().to_string();
        // The prompt is queued before the end is reported, so that a count of prompts after it is right.
        if !report.is_dismissed {
            let summary = report.summary();
            let note = TaskNote {
                id: &label.id,
                run_id: Some(&label.run_id),
                tool_use_id: Some(&label.tool_use_id),
                output: Some(&output),
                status: state.as_str(),
                summary: &summary,
                rest: "",
            };
            match label.owner.as_ref().and_then(|owner| self.tool_context.subagents.pool.find(owner)) {
                Some(member) => member.notify(note.text()),
                None => self.enqueue(note.prompt()),
            }
        }
        let mut patch = TaskPatch::new();
        patch.status = Some(state);
        patch.end_time = Some(Timestamp::now().as_millisecond().into());
        self.send_task_update(&label.id, &label.run_id, patch).await;
        let status =
            if report.state == BackgroundCommandState::Running { "stopped" } else { report.state.name() };
        let mut frame = ended(label, status);
        frame.output_file = Some(output.into());
        frame.summary = Some(report.shown().into());
        self.send_task_notification(frame).await;
        self.send_background_tasks().await;
    }

    /// Ends the commands that a subagent has in the background.
    pub(crate) async fn stop_commands_of(&self, subagent: &str) {
        for task in self.tool_context.commands.background.running_of(subagent) {
            task.stop().await;
            self.finish_command(&task.report(&[])).await;
        }
    }

    /// Ends the commands in the background, and everything that commands left running.
    pub(crate) async fn stop_commands(&self) {
        let running = self.tool_context.commands.background.running();
        self.tool_context.commands.background.end().await;
        for task in running {
            self.finish_command(&task.report(&[]).dismissed()).await;
        }
    }

    /// Adds a task to those in the background, and sends who they are.
    pub(crate) async fn begin_task(&self, task: RunningTask<'static>) {
        self.background_tasks.add(task);
        self.send_background_tasks().await;
    }

    /// Sends which tasks are in the background now.
    pub(crate) async fn send_background_tasks(&self) {
        let mut frame = BackgroundTasksChanged::new(self.background_tasks.all());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::BackgroundTasksChanged(Box::new(frame)))).await;
    }

    /// Sends what has changed about a task.
    pub(crate) async fn send_task_update(&self, id: &str, run_id: &str, patch: TaskPatch<'static>) {
        let mut frame = TaskUpdated::new(id.to_owned());
        frame.run_id = Some(run_id.to_owned().into());
        frame.patch = Some(Box::new(patch));
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::TaskUpdated(Box::new(frame)))).await;
    }

    /// Sends that a task has ended.
    pub(crate) async fn send_task_notification(&self, mut frame: TaskNotification<'static>) {
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::TaskNotification(Box::new(frame)))).await;
    }
}

fn ended(label: &TaskLabel, status: &'static str) -> TaskNotification<'static> {
    let mut frame = TaskNotification::new(label.id.clone());
    frame.run_id = Some(label.run_id.clone().into());
    frame.tool_use_id = Some(label.tool_use_id.clone().into());
    frame.status = Some(TaskEnd::from(Str::from(status)));
    frame
}
