//! Events of the model's list of tasks.

use aqueduct_wire::hook::{HookEvent, TeamTaskInput};
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{TaskCreateInput, TaskUpdateInput};
use tokio_util::sync::CancellationToken;

use super::input::reported;
use super::occasion::HookOccurrence;
use crate::session::AgentSession;

impl AgentSession {
    /// Asks hooks about a call that creates a task or ticks one off; gives why it may not.
    pub(crate) async fn task_refusal(
        &self,
        tool: &str,
        input: &Raw<'static>,
        cancel: &CancellationToken,
    ) -> Option<String> {
        let (event, task) = match tool {
            "TaskCreate" => {
                let made = input.view::<TaskCreateInput<'_>>()?;
                let mut task = TeamTaskInput::new();
                task.task_id = Some(self.tool_context.lists.tasks.next_id().into());
                task.task_subject = Some(made.subject.into_string().into());
                task.task_description = made.description.map(|text| text.into_string().into());
                (HookEvent::TaskCreated, task)
            }
            "TaskUpdate" => {
                let change = input.view::<TaskUpdateInput<'_>>()?;
                change.status.as_ref().filter(|status| status.as_str() == "completed")?;
                let (subject, description) = self.tool_context.lists.tasks.describe(&change.task_id)?;
                let mut task = TeamTaskInput::new();
                task.task_id = Some(change.task_id.into_string().into());
                task.task_subject = Some(subject.into());
                task.task_description = Some(description.into());
                (HookEvent::TaskCompleted, task)
            }
            _ => return None,
        };
        let outcome = self
            .fire(HookOccurrence::new(&event, None), cancel, |base| match event {
                HookEvent::TaskCreated => reported!(base, in a turn, TaskCreated(task)),
                _ => reported!(base, in a turn, TaskCompleted(task)),
            })
            .await;
        outcome.refusal()
    }
}
