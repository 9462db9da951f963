//! Sessions that were started in a terminal, taken over.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::Recents;
use super::conversation::{self, ConversationEnd};
use super::list::{milliseconds, version};
use super::recents::{FoundTranscript, failed};
use crate::Failure;
use crate::log::{Append, LogError, NewEvent, NewSession, SessionChange, Time};
use crate::message::ErrorCode;
use crate::message::bridge::{Actor, SystemNote, SystemSubtype};
use crate::outbox::Stored;
use crate::session::adopted;

/// How many bytes of messages are taken over.
const MOST_BYTES: usize = 512 << 20;

/// A session that is in the log now.
#[derive(Debug)]
pub struct AdoptedSession {
    /// What clients that watch it receive: the newest of its events. Nothing, if the log had it already.
    pub(crate) opening: Vec<Stored>,
}

impl Recents {
    /// Imports a session into the log: all messages, each with its own time, in one append. The session keeps
    /// its id, and so does the agent. One that is in the log already is unchanged. `project` distinguishes
    /// two sessions of one id; `agent` is the agent that resumes it.
    pub async fn adopt(
        &self,
        session_id: &str,
        project: Option<&str>,
        agent: &str,
        by: Actor<'static>,
    ) -> Result<AdoptedSession, Failure> {
        if self.is_known(session_id).await? {
            return Ok(AdoptedSession { opening: Vec::new() });
        }
        let (transcripts, id) = (Arc::clone(&self.transcripts), session_id.to_owned());
        let project = project.map(str::to_owned);
        let (shown, events, ending) = self
            .work
            .block(move |deadline| {
                let shown = transcripts.find(&id, project.as_deref())?;
                // It must still be there to work in.
                transcripts.roots.resolve(shown.project.as_ref())?;
                shown.session.check_free().map_err(failed)?;
                let (mut events, mut bytes) = (Vec::new(), 0);
                let ending = conversation::each(&shown, deadline, |event| {
                    bytes += event.payload.len();
                    events.push(event);
                    if bytes > MOST_BYTES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })?;
                if bytes > MOST_BYTES {
                    return Err(too_large(&shown));
                }
                Ok((shown, events, ending))
            })
            .await?;

        let mut note = SystemNote::new(SystemSubtype::SessionResumed);
        note.by = Some(by);
        note.agent = Some(agent.to_owned().into());
        note.project_path = Some(shown.project.clone().into());
        let note = Stored::new(&note);
        let (session, append) = entry(&shown, agent, events, ending, note.event());
        match self.log.create_session(session, append).await {
            Ok(_) => Ok(AdoptedSession { opening: vec![note] }),
            // Another client was first.
            Err(LogError::SessionExists { .. }) if self.is_known(session_id).await? => {
                Ok(AdoptedSession { opening: Vec::new() })
            }
            Err(LogError::SessionExists { .. }) => {
                let message = format!("Session {session_id} is being deleted");
                Err(Failure::new(ErrorCode::SessionConflict, message).sentence("Try again shortly."))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the log has a session of this id.
    async fn is_known(&self, session_id: &str) -> Result<bool, Failure> {
        match self.log.session(session_id).await {
            Ok(_) => Ok(true),
            Err(LogError::NoSession { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// What goes into the log.
fn entry(
    shown: &FoundTranscript,
    agent: &str,
    events: Vec<NewEvent>,
    ending: ConversationEnd,
    note: NewEvent,
) -> (NewSession, Append) {
    let summary = &shown.summary;
    let mut session = NewSession::new(summary.id.clone(), shown.project.clone(), agent, "stopped");
    session.agent_id = Some(summary.id.clone());
    session.name = summary.custom_title.clone();
    session.model = ending.model;
    let begun = milliseconds(summary.created.unwrap_or(summary.modified));
    session.created = i64::try_from(begun).ok().map(Time);
    let mut append = Append::new(Time::now());
    append.events = events;
    append.events.push(note);
    append.changes.extend(summary.ai_title.clone().map(SessionChange::Title));
    append.changes.extend(summary.first_prompt.clone().map(SessionChange::FirstPrompt));
    append.changes.push(SessionChange::Details(adopted(version(summary), ending.last_text)));
    (session, append)
}

fn too_large(shown: &FoundTranscript) -> Failure {
    let message = format!(
        "Session {} is too large to be imported: more than {} MB",
        shown.summary.id,
        MOST_BYTES >> 20
    );
    Failure::new(ErrorCode::SessionTooLarge, message).sentence("Resume it in a terminal.")
}
