use std::fs::File;
use std::path::PathBuf;

use super::TranscriptError;
use super::folder::TranscriptFolder;
use super::list::Candidate;
use super::reading::{ReadOptions, Transcript};
use super::store::{ENDING, Store};
use super::summary::{self, Summary};

/// A session on disk.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use aqueduct_client::transcript::{
///     ConversationStep, ForkOptions, Format, ReadOptions, StoredSession, TranscriptError,
/// };
///
/// fn show(session: &StoredSession) -> Result<(), TranscriptError> {
///     session.check_free()?;
///     let transcript = session.open_with(&ReadOptions::since_compaction())?;
///     for message in transcript.page(0, 20)? {
///         println!("{} {:?}: {}", message.uuid(), message.speaker(), message.line());
///     }
///     println!("{} lines can't be read, {} are beside", transcript.broken_lines(), transcript.messages_beside());
///     println!("{:?}, a part: {}", transcript.broken().first(), transcript.is_part());
///     for subagent in session.subagents()? {
///         println!("{:?}", subagent.meta().description);
///     }
///     let _ = session.walk(&ReadOptions::default(), |step| {
///         if let ConversationStep::Message { message, depth } = step {
///             println!("{:depth$}{}", "", message.line());
///         }
///         ControlFlow::Continue(())
///     })?;
///     let _ = session.walk_through(&session.open()?, |_| ControlFlow::Break(()))?;
///     if let Some(first) = transcript.page(0, 1)?.first() {
///         println!("{:?}", first.typed());
///         session.fork(&ForkOptions::until(first.uuid()).titled("From the beginning"))?;
///     }
///     session.export(Format::Markdown, &mut std::io::stdout())
/// }
/// ```
#[derive(Debug, Clone)]
pub struct StoredSession {
    store: Store,
    candidate: Candidate,
}

impl StoredSession {
    pub(super) fn of(store: &Store, candidate: &Candidate) -> Self {
        StoredSession { store: store.clone(), candidate: candidate.clone() }
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        &self.candidate.id
    }

    /// Its file.
    pub fn path(&self) -> PathBuf {
        self.store.config().join("projects").join(&self.candidate.project).join(self.name())
    }

    /// What there is to know without reading all of it.
    pub fn summary(&self) -> Result<Summary, TranscriptError> {
        let projects = self.store.projects()?.ok_or_else(|| self.gone())?;
        summary::read(&projects, &self.candidate)?.0.ok_or_else(|| self.gone())
    }

    /// The conversation, from its first word on.
    pub fn open(&self) -> Result<Transcript, TranscriptError> {
        self.open_with(&ReadOptions::default())
    }

    /// The conversation, or a part of it.
    pub fn open_with(&self, options: &ReadOptions) -> Result<Transcript, TranscriptError> {
        Transcript::read(self.file()?, self.path(), self.id(), options)
    }

    /// The file's name.
    pub(super) fn name(&self) -> String {
        format!("{}{ENDING}", self.id())
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The folder that the file is in.
    pub(super) fn folder(&self) -> Result<TranscriptFolder, TranscriptError> {
        let projects = self.store.projects()?.ok_or_else(|| self.gone())?;
        let folder =
            projects.folder(&self.candidate.project).map_err(TranscriptError::read(projects.path()))?;
        folder.ok_or_else(|| self.gone())
    }

    /// The file, to read.
    pub(super) fn file(&self) -> Result<File, TranscriptError> {
        let file = self.folder()?.file(&self.name()).map_err(TranscriptError::read(&self.path()))?;
        file.ok_or_else(|| self.gone())
    }

    /// The session that was made beside this one.
    pub(super) fn sibling(&self, id: String) -> Self {
        StoredSession { store: self.store.clone(), candidate: Candidate { id, ..self.candidate.clone() } }
    }

    pub(super) fn gone(&self) -> TranscriptError {
        TranscriptError::NotFound { given: self.id().to_owned() }
    }
}
