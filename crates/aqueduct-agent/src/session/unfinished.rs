//! Background tasks of an earlier process that ended with it.

use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::system::{TaskEnd, TaskNotification};
use memchr::memmem;

use super::{AgentSession, TaskNote};
use crate::transcript;

/// A task whose end the conversation does not know.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UnfinishedTask {
    /// A command.
    Command {
        /// The task.
        id: String,
        /// The call that started it.
        tool_use_id: Option<String>,
    },
    /// A subagent.
    Subagent {
        /// The task.
        id: String,
        /// What it was sent for.
        description: String,
    },
}

impl UnfinishedTask {
    /// The tasks whose end a conversation does not know.
    pub(super) fn of(entries: &[transcript::ConversationEntry]) -> Vec<Self> {
        let mut tasks: Vec<UnfinishedTask> = Vec::new();
        for entry in entries {
            if entry.is_notification || holds(&entry.content, "<task-notification>") {
                tasks.retain(|task| !holds(&entry.content, &format!("<task-id>{}</task-id>", task.id())));
            }
            let Some(result) = &entry.tool_use_result else { continue };
            if !["backgroundTaskId", "isAsync", "task_id"].iter().any(|name| holds(result, name)) {
                continue;
            }
            let Some(members) = result.view::<Map<'_, Raw<'_>>>() else { continue };
            let text = |name: &str| Some(members.get(name)?.view::<Str<'_>>()?.into_string());
            if let Some(stopped) = text("task_id") {
                tasks.retain(|task| task.id() != stopped);
            }
            if let Some(id) = text("backgroundTaskId") {
                tasks.push(UnfinishedTask::Command { id, tool_use_id: entry.answered_call() });
            }
            if let Some(id) =
                text("agentId").filter(|_| members.get("isAsync").map(Raw::as_str) == Some("true"))
            {
                let description = text("description").unwrap_or_default();
                tasks.push(UnfinishedTask::Subagent { id, description });
            }
        }
        tasks
    }

    fn id(&self) -> &str {
        match self {
            UnfinishedTask::Command { id, .. } | UnfinishedTask::Subagent { id, .. } => id,
        }
    }
}

impl AgentSession {
    /// Reports a task that ended with an earlier process. The model reads of it with the next prompt.
    pub(crate) async fn report_unfinished(&self, task: &UnfinishedTask) {
        let (tool_use_id, output, summary, rest) = match task {
            UnfinishedTask::Command { tool_use_id, .. } => (
                tool_use_id.as_deref(),
                None,
                "Background command did not end before the previous process of the session did".to_owned(),
                "<note>It was stopped then, or before. Check what it did before you rely on it or run it \
                 again.</note>\n",
            ),
            UnfinishedTask::Subagent { id, description } => (
                None,
                Some(self.tool_context.commands.spool.join(format!("{id}.output")).display().to_string()),
                format!(
                    "Subagent \"{description}\" did not end before the previous process of the session did"
                ),
                "<note>It was stopped then, or before. Its conversation is kept: SendMessage continues \
                 it.</note>\n",
            ),
        };
        let mut frame = TaskNotification::new(task.id().to_owned());
        frame.tool_use_id = tool_use_id.map(|id| id.to_owned().into());
        frame.status = Some(TaskEnd::Stopped);
        frame.output_file = Some(output.clone().unwrap_or_default().into());
        frame.summary = Some(summary.clone().into());
        let note = TaskNote {
            id: task.id(),
            run_id: None,
            tool_use_id,
            output: output.as_deref(),
            status: "stopped",
            summary: &summary,
            rest,
        };
        let mut prompt = note.prompt();
        prompt.frame.should_query = Some(false);
        self.enqueue(prompt);
        self.send_task_notification(frame).await;
    }
}

fn holds(text: &Raw<'_>, part: &str) -> bool {
    memmem::find(text.as_str().as_bytes(), part.as_bytes()).is_some()
}
