//! The session's title.

use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::json::{Raw, Str};

use super::{Dialogue, Session};

impl Session {
    /// Makes a generated title the session's.
    pub(crate) fn keep_generated_title(&self, title: &str) {
        let mut state = self.state();
        if state.title.as_deref() == Some(title) {
            return;
        }
        state.title = Some(title.to_owned());
        state.unwritten.push(line("ai-title", "aiTitle", title));
    }

    /// Makes a title that the user chose the session's.
    pub(crate) fn keep_own_title(&self, title: &str) {
        let mut state = self.state();
        state.title = Some(title.to_owned());
        state.unwritten.push(line("custom-title", "customTitle", title));
        state.unwritten.push(line("agent-name", "agentName", title));
    }
}

impl Dialogue {
    /// Appends the lines that requests of the host have left for the transcript. They are no part of the conversation:
    /// where one can't be written, nothing else is lost.
    pub(crate) async fn write_notes(&mut self, session: &Session) {
        let notes = std::mem::take(&mut session.state().unwritten);
        for note in notes {
            if let Err(error) = self.note(&note) {
                session.send_note(&error.to_string(), "warning").await;
            }
        }
    }
}

fn line(kind: &str, member: &str, title: &str) -> Raw<'static> {
    let title = Raw::written(&Str::from(title.to_owned()));
    Raw::parse(&format!(r#"{{"type":"{kind}","{member}":{title}}}"#)).map_or(Raw::NULL, Raw::into_owned)
}
