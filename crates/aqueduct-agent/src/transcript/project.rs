use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aqueduct_wire::transcript::{
    ChainEntryKind, TranscriptLine, each_line, folder_name, is_session_id, line_text,
};

use super::TranscriptFileError;

/// The folder in which the conversations of one working directory are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Project {
    folder: PathBuf,
}

/// A transcript that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TranscriptFile {
    /// The session.
    pub(crate) session_id: String,
    /// Its file.
    pub(crate) path: PathBuf,
    /// When it was last written to.
    pub(crate) modified: SystemTime,
}

impl Project {
    /// The folder for conversations held in `cwd`, under the user's configuration folder.
    pub(crate) fn of(config: &Path, cwd: &Path) -> Self {
        Project { folder: config.join("projects").join(folder_name(&cwd.to_string_lossy())) }
    }

    /// The folder; it may not exist yet.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the transcript of a session is, or would be.
    pub(crate) fn file(&self, session_id: &str) -> Result<PathBuf, TranscriptFileError> {
        // The id becomes a file's name: nothing but a UUID may.
        if !is_session_id(session_id) {
            return Err(TranscriptFileError::InvalidId { given: session_id.to_owned() });
        }
        Ok(self.folder.join(format!("{session_id}.jsonl")))
    }

    /// The folder of the conversations of a session's subagents.
    pub(crate) fn sidechains(&self, session_id: &str) -> PathBuf {
        self.folder.join(session_id).join("subagents")
    }

    /// Where a subagent's conversation is kept.
    pub(crate) fn sidechain(&self, session_id: &str, agent_id: &str) -> PathBuf {
        self.sidechains(session_id).join(format!("agent-{agent_id}.jsonl"))
    }

    /// The transcripts, newest first.
    pub(crate) fn sessions(&self) -> Vec<TranscriptFile> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut sessions: Vec<TranscriptFile> = entries
            .filter_map(|entry| {
                let path = entry.path();
                let session_id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?.to_owned();
                self.file(&session_id).ok()?;
                let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some(TranscriptFile { session_id, path, modified: about.modified().ok()? })
            })
            .collect();
        sessions.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.session_id.cmp(&b.session_id)));
        sessions
    }

    /// The newest transcript that holds a conversation.
    pub(crate) fn newest(&self) -> Option<TranscriptFile> {
        self.sessions().into_iter().find(|found| holds_conversation(&found.path))
    }

    /// The transcript of a session that must exist. One that is kept for another folder is named in the
    /// error.
    pub(super) fn existing(&self, session_id: &str) -> Result<PathBuf, TranscriptFileError> {
        let path = self.file(session_id)?;
        if path.is_file() {
            return Ok(path);
        }
        let session_id = session_id.to_owned();
        match self.elsewhere(&session_id) {
            Some(folder) => Err(TranscriptFileError::Elsewhere { session_id, folder }),
            None => Err(TranscriptFileError::NotFound { session_id }),
        }
    }

    /// The working directory of a session that is kept in another project's folder.
    fn elsewhere(&self, session_id: &str) -> Option<String> {
        let name = format!("{session_id}.jsonl");
        let projects = fs::read_dir(self.folder.parent()?).ok()?;
        let path = projects.flatten().map(|entry| entry.path().join(&name)).find(|path| path.is_file())?;
        Some(working_directory(&path).unwrap_or_else(|| path.to_string_lossy().into_owned()))
    }
}

/// Whether the file holds a message of a main conversation.
fn holds_conversation(path: &Path) -> bool {
    let is_message = |line: &TranscriptLine<'_>| {
        let is_main = line.chained().is_some_and(|line| line.uuid().is_some() && !line.is_sidechain());
        (is_main && matches!(ChainEntryKind::of(line), ChainEntryKind::User | ChainEntryKind::Assistant))
            .then_some(())
    };
    first(path, is_message).is_some()
}

/// The working directory that the file's first stamp names.
fn working_directory(path: &Path) -> Option<String> {
    first(path, |line| line.chained()?.cwd().map(str::to_owned))
}

/// The first thing that is found in a line of a file.
fn first<T>(path: &Path, look: impl Fn(&TranscriptLine<'_>) -> Option<T>) -> Option<T> {
    let mut found = None;
    each_line(File::open(path).ok()?, |piece| {
        let line = piece.bytes.and_then(|bytes| TranscriptLine::parse(line_text(bytes).ok()?).ok());
        found = line.as_ref().and_then(&look);
        found.is_none()
    })
    .ok()?;
    found
}
