//! A conversation: its messages, and the transcript that stores them.

use std::collections::HashSet;

use aqueduct_model::RequestRole;
use aqueduct_wire::block::Content;
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::origin::Origin;
use aqueduct_wire::transcript::last_prompt;
use aqueduct_wire::usage::Usage;

use super::totals::completed;
use super::{AgentSession, Totals, UnansweredCalls, recall};
use crate::clock::fresh_uuid;
use crate::history::{History, HistoryEntry};
use crate::transcript::{
    self, AssistantLine, ForeignLines, Project, QueuedLine, SystemLine, TranscriptFileError,
    TranscriptWriter, UserLine,
};

/// A conversation: the session's, or a subagent's. A turn has it for itself; between turns the session's loop
/// has.
pub(crate) struct Dialogue {
    /// The messages, for the model.
    pub(crate) history: History,
    /// Where it is stored. A message is written there before a frame reports it.
    pub(crate) transcript: TranscriptWriter,
    /// How many results there were.
    pub(crate) results: u64,
    /// The tokens of the last call: how full the model's window is.
    pub(crate) window_tokens: u64,
    /// What the lines of the prompt that is being answered share.
    pub(crate) prompt_id: Option<String>,
    /// What the turn that runs can be rolled back to.
    savepoint: Option<DialogueSavepoint>,
    /// What an earlier process left without an answer.
    pub(super) unanswered: Option<UnansweredCalls>,
}

/// A conversation as it was before a turn.
struct DialogueSavepoint {
    transcript: transcript::Savepoint,
    /// How many entries there were.
    entries: usize,
    /// The entries themselves, once the turn has compacted the conversation.
    compacted: Option<History>,
    window_tokens: u64,
}

impl Dialogue {
    /// A conversation that is kept in a transcript.
    pub(crate) fn new(history: History, transcript: TranscriptWriter) -> Self {
        let window_tokens = history.estimated_tokens();
        Dialogue {
            history,
            transcript,
            results: 0,
            window_tokens,
            prompt_id: None,
            savepoint: None,
            unanswered: None,
        }
    }

    /// Begins a turn, which can be rolled back to here.
    pub(crate) fn begin_turn(&mut self) {
        self.savepoint = Some(DialogueSavepoint {
            transcript: self.transcript.savepoint(),
            entries: self.history.len(),
            compacted: None,
            window_tokens: self.window_tokens,
        });
    }

    /// Ends a turn that is kept.
    pub(crate) fn end_turn(&mut self) {
        self.savepoint = None;
        self.transcript.close_message();
    }

    /// Reads what other processes wrote to the conversation since the last turn, and marks it as in use. Returns the
    /// ids of their lines. If the file can't be read, the conversation stays as it is.
    pub(crate) async fn begin_work(&mut self, session: &AgentSession) -> HashSet<String> {
        let refreshed = match self.transcript.catch_up() {
            Ok(refreshed) => refreshed.unwrap_or_default(),
            Err(error) => {
                session.send_note(&error.to_string(), "warning").await;
                ForeignLines::default()
            }
        };
        self.transcript.begin_work();
        if !refreshed.known.is_empty()
            && let Err(error) = session.tool_context.files.checkpoints.reload()
        {
            session.send_note(&error.to_string(), "warning").await;
        }
        session.conversation.learn_all(&refreshed.known);
        if let Some(title) = refreshed.title {
            session.title.set(title);
        }
        if let Some(conversation) = refreshed.conversation {
            self.unanswered = None;
            recall::added_tools(&conversation, &self.history, &session.tool_context);
            self.history = recall::history(conversation.entries);
            self.window_tokens = self.history.estimated_tokens();
            session.usage.set_context_tokens(self.window_tokens);
        }
        refreshed.known
    }

    /// Ends the conversation for this process.
    pub(crate) fn end(&mut self) {
        self.transcript.end();
    }

    /// Removes the mark of [`Dialogue::begin_work`]: other processes may delete the conversation, or continue it.
    pub(crate) fn end_work(&mut self) {
        self.transcript.end_work();
    }

    /// Completes the lines of a message of the model that has ended.
    pub(crate) fn settle(&mut self, reason: Option<&str>, usage: &Usage<'_>) {
        self.transcript.settle(reason, &completed(usage));
    }

    /// Removes a turn that could not be stored: the next one begins where this one began.
    pub(crate) fn roll_back_turn(&mut self) {
        let Some(savepoint) = self.savepoint.take() else { return };
        self.transcript.roll_back(savepoint.transcript);
        if let Some(history) = savepoint.compacted {
            self.history = history;
        }
        self.history.truncate(savepoint.entries);
        self.window_tokens = savepoint.window_tokens;
    }

    /// Puts the boundary of a compaction and its summary in the place of what was said, but for the entries in
    /// `kept`. Where that can't be stored, the conversation stays as it was.
    pub(crate) fn compact(
        &mut self,
        boundary: &SystemLine<'_>,
        summary: &UserLine<'_>,
        kept: Vec<HistoryEntry>,
    ) -> Result<(), TranscriptFileError> {
        let before = self.transcript.savepoint();
        let stored = self.transcript.system(boundary).and_then(|()| self.transcript.user(summary));
        if let Err(error) = stored {
            self.transcript.roll_back(before);
            kept.into_iter().for_each(|entry| self.history.push(entry));
            return Err(error);
        }
        let old = std::mem::take(&mut self.history);
        if let Some(savepoint) = &mut self.savepoint {
            savepoint.compacted.get_or_insert(old);
        }
        self.remember(summary.uuid, RequestRole::User, summary.message);
        kept.into_iter().for_each(|entry| self.history.push(entry));
        self.window_tokens = self.history.estimated_tokens();
        Ok(())
    }

    /// Adds a message of the user or the result of a tool.
    pub(crate) fn user(&mut self, line: &UserLine<'_>) -> Result<(), TranscriptFileError> {
        let prompt_id = line.prompt_id.or(self.prompt_id.as_deref());
        self.transcript.user(&UserLine { prompt_id, ..line.clone() })?;
        if let Some(mut entry) = HistoryEntry::of(line.uuid, RequestRole::User, line.message) {
            entry.is_notification = matches!(line.origin, Some(Origin::TaskNotification(_)));
            self.history.push(entry);
        }
        Ok(())
    }

    /// Adds a prompt that arrived while the turn ran.
    pub(crate) fn queued(&mut self, line: &QueuedLine<'_>) -> Result<(), TranscriptFileError> {
        self.transcript.queued(line)?;
        self.history.push(HistoryEntry {
            uuid: line.uuid.to_owned(),
            role: RequestRole::User,
            message_id: None,
            is_notification: matches!(line.origin, Some(Origin::TaskNotification(_))),
            content: Raw::written(line.prompt),
        });
        Ok(())
    }

    /// Adds the output of a slash command.
    pub(crate) fn printed(&mut self, line: &SystemLine<'_>) -> Result<(), TranscriptFileError> {
        self.transcript.system(line)?;
        self.history.push(HistoryEntry {
            uuid: line.uuid.to_owned(),
            role: RequestRole::User,
            message_id: None,
            is_notification: false,
            content: Raw::written(&Str::from(line.content.unwrap_or_default())),
        });
        Ok(())
    }

    /// Adds a block of the model's answer.
    pub(crate) fn assistant(&mut self, line: &AssistantLine<'_>) -> Result<(), TranscriptFileError> {
        self.transcript.assistant(line)?;
        if !line.is_api_error_message {
            self.remember(line.uuid, RequestRole::Assistant, line.message);
        }
        Ok(())
    }

    fn remember(&mut self, uuid: &str, role: RequestRole, message: &Raw<'_>) {
        if let Some(entry) = HistoryEntry::of(uuid, role, message) {
            self.history.push(entry);
        }
    }

    /// Notes a prompt, for lists of conversations.
    pub(crate) fn prompted(&mut self, content: &Content<'_>) {
        if let Some(prompt) = last_prompt(content) {
            self.transcript.prompted(prompt);
        }
    }

    /// Stores the last prompt, for lists, and the totals, from which a later process continues to count. They are not
    /// part of the conversation: if they can't be stored, nothing else is lost.
    pub(crate) fn save_cost(&mut self, totals: &Totals) {
        if !self.history.is_empty() {
            let _ = self.transcript.note_prompt();
            let _ = self.transcript.other(&totals.to_line());
        }
    }

    /// Appends a line beside the chain.
    pub(super) fn note(&mut self, note: &Raw<'_>) -> Result<(), TranscriptFileError> {
        self.transcript.other(note)
    }

    /// Renames the conversation, and notifies the host.
    pub(crate) async fn rename(&mut self, session: &AgentSession, title: &str) {
        if let Err(error) = self.transcript.name(title) {
            session.send_note(&error.to_string(), "warning").await;
        }
        session.title.set(title.to_owned());
        session.send_title().await;
    }

    /// Begins a new conversation under a new id.
    pub(crate) fn begin_anew(&mut self, session: &AgentSession) -> Result<(), TranscriptFileError> {
        let mut stamp = self.transcript.stamp().clone();
        stamp.session_id = fresh_uuid();
        session.conversation.set_id(&stamp.session_id);
        self.history.clear();
        self.savepoint = None;
        self.unanswered = None;
        session.usage.reset_totals();
        self.window_tokens = 0;
        self.transcript = if session.options.unsaved {
            TranscriptWriter::unsaved(stamp)
        } else {
            let project = Project::of(&session.environment.config, &session.environment.cwd);
            TranscriptWriter::create(&project, stamp)?
        };
        if let Some(mirror) = &session.mirror {
            self.transcript.mirror_to(mirror.clone(), false)?;
        }
        session.tool_context.begin_anew();
        session.hooks.clear_scoped();
        Ok(())
    }
}
