//! Which events devices are notified of.

use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::question::AskUserQuestionInput;

use super::actor::SessionActor;
use super::translate::SessionOutput;
use crate::log::PendingState;
use crate::message::bridge::{PermissionKind, PermissionRequest, SystemNote, SystemSubtype, TurnResult};
use crate::message::{BridgeMessage, StoredKind};
use crate::push::{NotificationKind, PushNotification};

/// The members of a tool's input that describe a call best, the best first.
const DESCRIPTIVE: &[&str] =
    &["command", "file_path", "notebook_path", "path", "url", "query", "pattern", "description"];

impl SessionActor {
    /// Notifies devices that do not watch the session of stored messages.
    pub(super) fn announce(&self, outputs: &[SessionOutput]) {
        for output in outputs {
            if let SessionOutput::Stored(stored) = output
                && matches!(
                    stored.kind(),
                    StoredKind::PermissionRequest
                        | StoredKind::PermissionResolved
                        | StoredKind::Result
                        | StoredKind::System
                )
            {
                self.services
                    .host
                    .notify(&self.watchers.attentive(), &|| self.notification(&stored.event().payload));
            }
        }
    }

    /// After a restart it is unknown which devices were notified of an open request.
    pub(super) fn announce_open(&self) {
        if let Some(request) = self.requests().last() {
            self.services.host.notify(&self.watchers.attentive(), &|| Some(self.waits(request)));
        }
    }

    fn notification(&self, payload: &str) -> Option<PushNotification> {
        match BridgeMessage::parse(payload).ok()? {
            BridgeMessage::PermissionRequest(request) => Some(self.waits(&request)),
            BridgeMessage::PermissionResolved(_) => {
                let waits = self.pending.iter().any(|pending| pending.state == PendingState::Open);
                (!waits).then(|| self.about(NotificationKind::Settled, String::new()))
            }
            BridgeMessage::Result(result) => self.ended(&result),
            BridgeMessage::System(note) => self.failed(&note),
            _ => None,
        }
    }

    fn about(&self, kind: NotificationKind, text: impl Into<String>) -> PushNotification {
        PushNotification {
            session: self.id.clone(),
            folder: self.row.project.clone(),
            kind,
            title: self.title(),
            text: text.into(),
            watching_devices: Vec::new(),
        }
    }

    fn waits(&self, request: &PermissionRequest<'_>) -> PushNotification {
        let text = match &request.kind {
            Some(PermissionKind::Question) => question(&request.input),
            Some(PermissionKind::Plan) => Some("A plan is ready.".to_owned()),
            Some(PermissionKind::Permission | PermissionKind::Retry) => Some(call(request)),
            _ => request.description.as_ref().or(request.title.as_ref()).map(|text| text.as_str().to_owned()),
        };
        self.about(NotificationKind::Waits, text.unwrap_or_default())
    }

    /// A turn has ended. What was interrupted is known to who did it, and what continues with the next input is not done.
    fn ended(&self, result: &TurnResult<'_>) -> Option<PushNotification> {
        if result.interrupted == Some(true) || !self.queue.is_empty() {
            return None;
        }
        let (kind, text) = match result.is_error {
            Some(true) => (NotificationKind::Failed, result.error.as_ref().or(result.result.as_ref())),
            _ => (NotificationKind::Done, result.result.as_ref()),
        };
        Some(self.about(kind, text.map(|text| text.as_str()).unwrap_or_default()))
    }

    /// The agent has ended, and nothing is resumed by itself.
    fn failed(&self, note: &SystemNote<'_>) -> Option<PushNotification> {
        let is_failure = note.subtype == SystemSubtype::AgentExited && note.expected == Some(false);
        let trouble = self.trouble.as_ref().filter(|_| is_failure)?;
        Some(self.about(NotificationKind::Failed, trouble.as_str()))
    }
}

/// A tool call in a line.
fn call(request: &PermissionRequest<'_>) -> String {
    let members: Map<'_, Raw<'_>> = request.input.view().unwrap_or_default();
    let description = DESCRIPTIVE.iter().find_map(|name| members.get(name)?.view::<Str<'_>>());
    match description {
        Some(description) => format!("{}: {description}", request.tool_name),
        None => request.tool_name.as_str().to_owned(),
    }
}

/// The first of the questions.
fn question(input: &Raw<'_>) -> Option<String> {
    let asked: AskUserQuestionInput<'_> = input.view()?;
    asked.questions.first().map(|question| question.question.as_str().to_owned())
}
