//! The session's title.

use std::sync::Mutex;

use aqueduct_os::mutex::lock;
use aqueduct_wire::json::{Raw, Str};
use tokio::sync::MutexGuard;

use super::{AgentSession, Dialogue};

/// The title of the conversation.
///
/// One lock covers the title and its lines for the transcript, so that the last line has the current title.
#[derive(Debug)]
pub(crate) struct Title {
    state: Mutex<TitleState>,
    /// Held while a title is generated.
    generation: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct TitleState {
    text: Option<String>,
    /// Lines that are not in the transcript yet: requests of the host don't have it.
    lines: Vec<Raw<'static>>,
}

impl Title {
    /// The title at the start of a session.
    pub(super) fn new(text: Option<String>) -> Self {
        Title { state: Mutex::new(TitleState { text, lines: Vec::new() }), generation: Default::default() }
    }

    /// The title, if there is one.
    pub(crate) fn get(&self) -> Option<String> {
        lock(&self.state).text.clone()
    }

    /// Sets a title that the transcript has already.
    pub(super) fn set(&self, title: String) {
        lock(&self.state).text = Some(title);
    }

    /// Sets a title that a model wrote.
    pub(crate) fn set_generated(&self, title: &str) {
        let mut state = lock(&self.state);
        if state.text.as_deref() == Some(title) {
            return;
        }
        state.text = Some(title.to_owned());
        state.lines.push(line("ai-title", "aiTitle", title));
    }

    /// Sets a title that the user chose.
    pub(crate) fn set_chosen(&self, title: &str) {
        let mut state = lock(&self.state);
        state.text = Some(title.to_owned());
        state.lines.push(line("custom-title", "customTitle", title));
        state.lines.push(line("agent-name", "agentName", title));
    }

    /// Waits until no other request generates a title, and keeps others waiting until the guard is dropped.
    pub(crate) async fn begin_generation(&self) -> MutexGuard<'_, ()> {
        self.generation.lock().await
    }

    fn take_lines(&self) -> Vec<Raw<'static>> {
        std::mem::take(&mut lock(&self.state).lines)
    }
}

impl Dialogue {
    /// Writes titles to the transcript that requests of the host have set. They are not part of the conversation: if
    /// one can't be written, nothing else is lost.
    pub(crate) async fn write_titles(&mut self, session: &AgentSession) {
        for line in session.title.take_lines() {
            if let Err(error) = self.note(&line) {
                session.send_note(&error.to_string(), "warning").await;
            }
        }
    }
}

fn line(kind: &str, member: &str, title: &str) -> Raw<'static> {
    let title = Raw::written(&Str::from(title.to_owned()));
    Raw::parse(&format!(r#"{{"type":"{kind}","{member}":{title}}}"#)).map_or(Raw::NULL, Raw::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_written_when_it_changes() {
        let title = Title::new(Some("Login form".to_owned()));
        title.set_generated("Login form");
        assert!(title.take_lines().is_empty());
        title.set_generated("Sign-up form");
        assert_eq!(title.take_lines().len(), 1);
        title.set_chosen("Forms");
        assert_eq!(title.take_lines().len(), 2);
        assert_eq!(title.get().as_deref(), Some("Forms"));
    }
}
