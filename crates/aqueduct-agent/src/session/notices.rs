//! Frames beside the conversation: background tasks, notifications.

use aqueduct_tools::Notice;
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::Content;
use aqueduct_wire::frame::UserFrame;
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::system::{ElicitationComplete, Notification, NotificationPriority, SystemFrame};

use super::AgentSession;
use crate::clock::{self, fresh_uuid};
use crate::command::printed;

impl AgentSession {
    /// Sends the notice of a tool.
    pub(crate) async fn send_notice(&self, notice: Notice) {
        let frame = match notice {
            Notice::CommandStarted(label) => return self.send_command_started(&label, false).await,
            Notice::CommandEnded { label, status } => return self.send_command_ended(&label, status).await,
            Notice::TaskStarted { label, was_reported } => {
                return self.begin_command(&label, was_reported).await;
            }
            Notice::TaskEnded(report) => return self.finish_command(&report).await,
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
        frame.timestamp = Some(clock::now().into());
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
