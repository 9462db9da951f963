//! What hosts are told of subagents.

use std::time::Duration;

use aqueduct_wire::FromAgent;
use aqueduct_wire::system::{
    BackgroundTasksChanged, RunningTask, SystemFrame, TaskEnd, TaskNotification, TaskPatch, TaskProgress,
    TaskStarted, TaskState, TaskUpdated,
};
use jiff::Timestamp;

use super::crew::Member;
use super::identity::Identity;
use super::report::{Ended, Report, task_usage};
use crate::moment::fresh_uuid;
use crate::session::Session;

/// What kind of task a subagent is.
pub(crate) const TASK_TYPE: &str = "local_agent";

impl Session {
    /// Tells that a subagent begins.
    pub(super) async fn send_subagent_started(&self, identity: &Identity, prompt: &str) {
        let mut frame = TaskStarted::new(identity.id.clone());
        frame.run_id = Some(identity.run_id.clone().into());
        frame.tool_use_id = Some(identity.tool_use_id.clone().into());
        frame.description = Some(identity.description.clone().into());
        frame.subagent_type = Some(identity.kind.clone().into());
        frame.is_backgrounded = Some(identity.is_background);
        frame.spawn_depth = Some(u64::from(identity.depth).into());
        frame.parent_task_id = identity.parent.clone().map(Into::into);
        frame.task_type = Some(TASK_TYPE.into());
        frame.prompt = Some(prompt.to_owned().into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::TaskStarted(Box::new(frame)))).await;
    }

    /// Tells what a subagent does now.
    pub(crate) async fn send_subagent_progress(&self, identity: &Identity, now: Progress<'_>) {
        let mut frame = TaskProgress::new(identity.id.clone());
        frame.run_id = Some(identity.run_id.clone().into());
        frame.tool_use_id = Some(identity.tool_use_id.clone().into());
        frame.description = Some(now.description.into());
        frame.subagent_type = Some(identity.kind.clone().into());
        frame.usage = Some(Box::new(task_usage(now.tokens, now.tool_uses, now.took)));
        frame.last_tool_name = Some(now.tool.to_owned().into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::TaskProgress(Box::new(frame)))).await;
    }

    /// Tells that a subagent is done.
    pub(super) async fn send_subagent_ended(&self, member: &Member, report: &Report) {
        let identity = &member.identity;
        let (state, end) = match &report.ended {
            Ended::Completed => (TaskState::Completed, TaskEnd::Completed),
            Ended::Failed(_) => (TaskState::Failed, TaskEnd::Failed),
            Ended::Stopped => (TaskState::Killed, TaskEnd::Stopped),
        };
        let mut patch = TaskPatch::new();
        patch.status = Some(state);
        patch.end_time = Some(Timestamp::now().as_millisecond().into());
        if let Ended::Failed(why) = &report.ended {
            patch.error = Some(why.clone().into());
        }
        let mut frame = TaskUpdated::new(identity.id.clone());
        frame.run_id = Some(identity.run_id.clone().into());
        frame.patch = Some(Box::new(patch));
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::TaskUpdated(Box::new(frame)))).await;

        let mut frame = TaskNotification::new(identity.id.clone());
        frame.run_id = Some(identity.run_id.clone().into());
        frame.tool_use_id = Some(identity.tool_use_id.clone().into());
        frame.status = Some(end);
        frame.output_file = Some(member.output.display().to_string().into());
        frame.summary = Some(report.summary(identity).into());
        frame.usage = Some(Box::new(report.task_usage()));
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::TaskNotification(Box::new(frame)))).await;
    }

    /// Tells who is at work in the background now.
    pub(super) async fn send_background_tasks(&self) {
        let told = |member: &std::sync::Arc<Member>| {
            let identity = &member.identity;
            let mut task = RunningTask::new(identity.id.clone());
            task.run_id = Some(identity.run_id.clone().into());
            task.task_type = Some(TASK_TYPE.into());
            task.subagent_type = Some(identity.kind.clone().into());
            task.description = Some(identity.description.clone().into());
            task.parent_task_id = identity.parent.clone().map(Into::into);
            task
        };
        let tasks: Vec<RunningTask<'static>> = self.workshop.crew.in_background().iter().map(told).collect();
        let mut frame = BackgroundTasksChanged::new(tasks);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::BackgroundTasksChanged(Box::new(frame)))).await;
    }
}

/// What a subagent does now, and what it has done.
#[derive(Debug)]
pub(crate) struct Progress<'p> {
    /// The tool that it calls.
    pub(crate) tool: &'p str,
    /// What the call does, for people.
    pub(crate) description: String,
    /// About how many tokens its conversation has.
    pub(crate) tokens: u64,
    /// How many tools it has called.
    pub(crate) tool_uses: u64,
    /// How long it has been at work.
    pub(crate) took: Duration,
}
