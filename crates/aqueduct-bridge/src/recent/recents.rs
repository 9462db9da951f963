use std::path::{Path, PathBuf};
use std::sync::Arc;

use aqueduct_client::transcript::{Store, StoredSession, Summary, TranscriptError};
use aqueduct_wire::transcript::is_session_id;

use crate::Failure;
use crate::log::{Log, LogError};
use crate::message::ErrorCode;
use crate::work::WorkPool;
use crate::workspace::Roots;

/// Sessions of all times. Clones share how much is done at once.
#[derive(Debug, Clone)]
pub struct Recents {
    pub(super) log: Log,
    pub(super) transcripts: Arc<Transcripts>,
    pub(super) work: WorkPool,
}

impl Recents {
    /// The sessions of a log, and those whose transcripts are in these configuration folders, such as
    /// `~/.claude`. Of two with the same id, the one in the earlier folder counts.
    pub fn new(log: Log, transcripts: impl IntoIterator<Item = PathBuf>, roots: Roots) -> Self {
        let stores = transcripts.into_iter().map(Store::new).collect();
        Recents { log, transcripts: Arc::new(Transcripts { stores, roots }), work: WorkPool::new() }
    }

    /// The folder that a session works in, wherever it was started.
    pub async fn folder(&self, session_id: &str) -> Result<String, Failure> {
        match self.log.session(session_id).await {
            Ok(session) => Ok(session.project),
            Err(LogError::NoSession { .. }) => {
                let (transcripts, id) = (Arc::clone(&self.transcripts), session_id.to_owned());
                self.work.block(move |_| Ok(transcripts.find(&id, None)?.project)).await
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Where transcripts are, and which may be seen.
#[derive(Debug)]
pub(super) struct Transcripts {
    pub(super) stores: Vec<Store>,
    pub(super) roots: Roots,
}

/// A session that is known by its transcript.
#[derive(Debug)]
pub(super) struct FoundTranscript {
    pub(super) session: StoredSession,
    pub(super) summary: Summary,
    /// The folder that it worked in, symlinks resolved. It may be gone.
    pub(super) project: String,
}

impl Transcripts {
    /// The session of an id, or of that in a folder, if it may be seen.
    pub(super) fn find(&self, id: &str, project: Option<&str>) -> Result<FoundTranscript, Failure> {
        let mut found = Err(unknown(id));
        // Beginnings of ids are for people in a terminal.
        if !is_session_id(id) {
            return found;
        }
        let project = project.map(|path| self.roots.resolve_absent(Path::new(path))).transpose()?;
        for store in &self.stores {
            let session = match store.find_in(id, project.as_deref()) {
                Ok(session) => session,
                Err(TranscriptError::NotFound { .. }) => continue,
                Err(error) => return Err(failed(error)),
            };
            let summary = session.summary().map_err(failed)?;
            match self.folder_of(&summary) {
                Some(project) => return Ok(FoundTranscript { session, summary, project }),
                None => found = Err(hidden(&self.roots, &summary)),
            }
        }
        found
    }

    /// The folder that a session worked in, if it is under a root.
    pub(super) fn folder_of(&self, summary: &Summary) -> Option<String> {
        let real = self.roots.resolve_absent(Path::new(summary.cwd.as_deref()?)).ok()?;
        real.into_os_string().into_string().ok()
    }
}

fn unknown(id: &str) -> Failure {
    Failure::new(ErrorCode::SessionNotFound, format!("Session {id} does not exist"))
        .sentence("List the sessions.")
}

/// It is there, and not for clients of this bridge.
fn hidden(roots: &Roots, summary: &Summary) -> Failure {
    match &summary.cwd {
        Some(cwd) => roots.not_allowed(Path::new(cwd)),
        None => {
            let message =
                format!("The transcript of session {} does not contain its working directory.", summary.id);
            Failure::new(ErrorCode::PathNotAllowed, message)
        }
    }
}

/// A transcript can't be used.
pub(super) fn failed(error: TranscriptError) -> Failure {
    let code = match &error {
        TranscriptError::NotFound { .. } | TranscriptError::NotAnId { .. } => ErrorCode::SessionNotFound,
        TranscriptError::InUse { .. } => ErrorCode::SessionConflict,
        _ => ErrorCode::Internal,
    };
    Failure::of(code, &error)
}
