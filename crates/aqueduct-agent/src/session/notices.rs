//! What is told beside the conversation: tasks in the background, notifications.

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::Content;
use aqueduct_wire::frame::UserFrame;
use aqueduct_wire::json::Str;
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::system::{
    ElicitationComplete, Notification, NotificationPriority, SystemFrame, TaskEnd, TaskNotification,
    TaskStarted,
};

use super::Session;
use crate::command::printed;
use crate::moment::{self, fresh_uuid};
use crate::tool::Notice;

impl Session {
    /// Passes on what a tool has to tell.
    pub(crate) async fn send_notice(&self, notice: Notice) {
        let frame = match notice {
            Notice::TaskStarted { task_id, tool_use_id, description } => {
                let mut frame = TaskStarted::new(task_id);
                frame.description = Some(description.into());
                frame.tool_use_id = Some(tool_use_id.into());
                frame.task_type = Some("local_bash".into());
                frame.is_backgrounded = Some(true);
                frame.uuid = Some(fresh_uuid().into());
                frame.session_id = Some(self.id().into());
                SystemFrame::TaskStarted(Box::new(frame))
            }
            Notice::TaskEnded { task_id, tool_use_id, status, output_file, summary } => {
                let mut frame = TaskNotification::new(task_id);
                frame.status = Some(TaskEnd::from(Str::from(status)));
                frame.output_file = Some(output_file.display().to_string().into());
                frame.summary = Some(summary.into());
                frame.tool_use_id = Some(tool_use_id.into());
                frame.uuid = Some(fresh_uuid().into());
                frame.session_id = Some(self.id().into());
                SystemFrame::TaskNotification(Box::new(frame))
            }
            Notice::SandboxReport(text) => return self.send_note(&text, "warning").await,
            Notice::Consulted(consultation) => return self.consult(consultation),
            Notice::ElicitationComplete { server, elicitation_id } => {
                let mut frame = ElicitationComplete::new(elicitation_id);
                frame.mcp_server_name = Some(server.into());
                frame.uuid = Some(fresh_uuid().into());
                frame.session_id = Some(self.id().into());
                SystemFrame::ElicitationComplete(Box::new(frame))
            }
        };
        self.send(FromAgent::System(frame)).await;
    }

    /// Reports a change of the model between two turns, as the command `/model` does.
    pub(crate) async fn send_model_change(&self, name: Option<&str>) {
        let model = self.model();
        let shown = match name.filter(|name| *name != model) {
            Some(name) => format!("{name} ({model})"),
            None => model,
        };
        let text = printed(&format!("Set model to `{shown}`"));
        let mut message = UserMessage::new(Content::Text(text.into()));
        message.role = Some("user".into());
        let mut frame = UserFrame::new(message);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        frame.timestamp = Some(moment::now().into());
        frame.is_replay = Some(true);
        self.send(FromAgent::User(Box::new(frame))).await;
    }

    /// Sends a message that hosts show at once and for a while; they know its kind by `key`.
    pub(crate) async fn send_notification(&self, key: &'static str, text: &'static str) {
        let mut frame = Notification::new(key, text);
        frame.priority = Some(NotificationPriority::Immediate);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::Notification(Box::new(frame)))).await;
    }
}
