//! A conversation: what was said, and where it is kept.

use aqueduct_model::Role;
use aqueduct_wire::json::Raw;

use super::{Session, Totals};
use crate::history::{Entry, History};
use crate::moment::fresh_uuid;
use crate::transcript::{AssistantLine, Project, Transcript, TranscriptError, UserLine};

/// A conversation: the session's, or a subagent's. A turn has it for itself; between turns the session's loop
/// has.
pub(crate) struct Dialogue {
    /// What was said, for the model.
    pub(crate) history: History,
    /// Where it is kept. What is said is written there before anybody hears of it.
    pub(crate) transcript: Transcript,
    /// How many results there were.
    pub(crate) results: u64,
    /// The tokens of the last call: how full the model's window is.
    pub(crate) window_tokens: u64,
}

impl Dialogue {
    /// Takes a message of the user in, or a tool's result.
    pub(crate) fn user(&mut self, line: &UserLine<'_>) -> Result<(), TranscriptError> {
        self.transcript.user(line)?;
        self.remember(line.uuid, Role::User, line.message);
        Ok(())
    }

    /// Takes a block of the model's answer in.
    pub(crate) fn assistant(&mut self, line: &AssistantLine<'_>) -> Result<(), TranscriptError> {
        self.transcript.assistant(line)?;
        if !line.is_api_error_message {
            self.remember(line.uuid, Role::Assistant, line.message);
        }
        Ok(())
    }

    fn remember(&mut self, uuid: &str, role: Role, message: &Raw<'_>) {
        if let Some(entry) = Entry::of(uuid, role, message) {
            self.history.push(entry);
        }
    }

    /// Keeps what was spent, so that a later process goes on counting from there. It is no part of the
    /// conversation: where it can't be kept, nothing else is lost.
    pub(crate) fn save_cost(&mut self, totals: &Totals) {
        if !self.history.is_empty() {
            let _ = self.transcript.other(&totals.to_line());
        }
    }

    /// Gives the conversation a title, and tells the host.
    pub(crate) async fn rename(&mut self, session: &Session, title: &str) {
        if let Err(error) = self.transcript.name(title) {
            session.send_note(&error.to_string(), "warning").await;
        }
        session.state().title = Some(title.to_owned());
        session.send_title().await;
    }

    /// Begins a new conversation under a new id.
    pub(crate) fn begin_anew(&mut self, session: &Session) -> Result<(), TranscriptError> {
        let mut stamp = self.transcript.stamp().clone();
        stamp.session_id = fresh_uuid();
        session.state().id.clone_from(&stamp.session_id);
        self.history.clear();
        session.state().totals = Totals::default();
        self.window_tokens = 0;
        self.transcript = if session.options.unsaved {
            Transcript::unsaved(stamp)
        } else {
            let project = Project::of(&session.environment.config, &session.environment.cwd);
            Transcript::create(&project, stamp)?
        };
        if let Some(mirror) = &session.mirror {
            self.transcript.mirror_to(mirror.clone(), false)?;
        }
        session.workshop.begin_anew();
        session.hooks.forget_brought();
        Ok(())
    }
}
