//! The frames about subagents that hosts receive.

use aqueduct_tools::subagent::{
    PoolMember, SubagentEnd, SubagentIdentity, SubagentReport, TASK_TYPE, task_usage,
};
use aqueduct_wire::FromAgent;
use aqueduct_wire::system::{
    RunningTask, SystemFrame, TaskEnd, TaskNotification, TaskPatch, TaskProgress, TaskStarted, TaskState,
};
use jiff::Timestamp;

use crate::clock::fresh_uuid;
use crate::session::AgentSession;
use crate::subagent::SubagentProgress;

impl AgentSession {
    /// Reports that a subagent starts.
    pub(super) async fn send_subagent_started(&self, identity: &SubagentIdentity, prompt: &str) {
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

    /// Reports what a subagent currently does.
    pub(crate) async fn send_subagent_progress(
        &self,
        identity: &SubagentIdentity,
        now: SubagentProgress<'_>,
    ) {
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

    /// Reports that a subagent is done.
    pub(super) async fn send_subagent_ended(&self, member: &PoolMember, report: &SubagentReport) {
        let identity = &member.identity;
        let (state, end) = match &report.ended {
            SubagentEnd::Completed => (TaskState::Completed, TaskEnd::Completed),
            SubagentEnd::Failed(_) => (TaskState::Failed, TaskEnd::Failed),
            SubagentEnd::Stopped => (TaskState::Killed, TaskEnd::Stopped),
        };
        let mut patch = TaskPatch::new();
        patch.status = Some(state);
        patch.end_time = Some(Timestamp::now().as_millisecond().into());
        if let SubagentEnd::Failed(why) = &report.ended {
            patch.error = Some(why.clone().into());
        }
        self.send_task_update(&identity.id, &identity.run_id, patch).await;

        let mut frame = TaskNotification::new(identity.id.clone());
        frame.run_id = Some(identity.run_id.clone().into());
        frame.tool_use_id = Some(identity.tool_use_id.clone().into());
        frame.status = Some(end);
        frame.output_file = Some(member.output.display().to_string().into());
        frame.summary = Some(report.summary(identity).into());
        frame.usage = Some(Box::new(report.task_usage()));
        self.send_task_notification(frame).await;
    }

    /// Reports that a subagent runs in the background.
    pub(super) async fn begin_in_background(&self, identity: &SubagentIdentity) {
        let mut task = RunningTask::new(identity.id.clone());
        task.run_id = Some(identity.run_id.clone().into());
        task.task_type = Some(TASK_TYPE.into());
        task.subagent_type = Some(identity.kind.clone().into());
        task.description = Some(identity.description.clone().into());
        task.parent_task_id = identity.parent.clone().map(Into::into);
        self.begin_task(task).await;
    }
}
