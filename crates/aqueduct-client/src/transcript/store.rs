use std::path::{Path, PathBuf};

use aqueduct_wire::transcript::{NAME_LIMIT, folder_name, is_session_id};

use super::TranscriptError;
use super::folder::TranscriptFolder;
use super::list::Candidate;
use super::session::StoredSession;
use super::summary;

/// The ending of a transcript's name.
pub(super) const ENDING: &str = ".jsonl";

/// The beginning of an id is given by at least so many characters.
const SHORTEST: usize = 4;

/// How many sessions of a folder are asked which project they are of.
const ASKED: usize = 8;

/// The sessions of one configuration folder.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::path::Path;
///
/// use aqueduct_client::transcript::{Store, TranscriptError};
///
/// fn titles(store: &Store, project: &Path) -> Result<Vec<String>, TranscriptError> {
///     println!("in {}", store.config().display());
///     let mut titles = Vec::new();
///     store.each(Some(project), |id| !id.starts_with('0'), |summary| {
///         titles.push(summary.title().to_owned());
///         ControlFlow::Continue(())
///     })?;
///     if let Ok(session) = store.find_in("550e8400", Some(project)) {
///         titles.push(session.id().to_owned());
///     }
///     Ok(titles)
/// }
/// # assert!(titles(&Store::new("/no/such/folder"), Path::new("/proj")).is_ok_and(|titles| titles.is_empty()));
/// ```
#[derive(Debug, Clone)]
pub struct Store {
    config: PathBuf,
}

impl Store {
    /// The store of a configuration folder: `~/.claude`, or what `CLAUDE_CONFIG_DIR` names. It need not be there.
    pub fn new(config: impl Into<PathBuf>) -> Self {
        Store { config: config.into() }
    }

    /// The configuration folder.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// The session with an id, or with the only id that begins so. Of several copies the newest.
    pub fn find(&self, id: &str) -> Result<StoredSession, TranscriptError> {
        self.find_in(id, None)
    }

    /// As [`Store::find`], among the sessions of one working directory where one is given.
    pub fn find_in(&self, id: &str, project: Option<&Path>) -> Result<StoredSession, TranscriptError> {
        let given = id.to_ascii_lowercase();
        let is_beginning = given.len() >= SHORTEST
            && given.len() <= 36
            && given.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        if !is_beginning {
            return Err(TranscriptError::NotAnId { given: id.to_owned() });
        }
        let mut found = self.candidates(project)?;
        found.retain(|candidate| {
            candidate.id.get(..given.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(&given))
        });
        match found.as_slice() {
            [] => Err(TranscriptError::NotFound { given: id.to_owned() }),
            [one] => Ok(StoredSession::of(self, one)),
            _ => Err(TranscriptError::Ambiguous {
                given: id.to_owned(),
                candidates: found.into_iter().map(|candidate| candidate.id).collect(),
            }),
        }
    }

    /// Where the sessions are, if they are anywhere.
    pub(super) fn projects(&self) -> Result<Option<TranscriptFolder>, TranscriptError> {
        let path = self.config.join("projects");
        TranscriptFolder::root(&path).map_err(TranscriptError::read(&path))
    }

    /// The transcripts there are, newest first, each id once.
    pub(super) fn candidates(&self, project: Option<&Path>) -> Result<Vec<Candidate>, TranscriptError> {
        let Some(projects) = self.projects()? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for name in project_names(&projects, project)? {
            found.extend(Candidate::all_in(&projects, &name)?);
        }
        found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
        let mut seen = std::collections::HashSet::new();
        found.retain(|candidate| seen.insert(candidate.id.clone()));
        Ok(found)
    }
}

/// The names of the folders that hold the sessions of a project, or of all.
fn project_names(
    projects: &TranscriptFolder,
    project: Option<&Path>,
) -> Result<Vec<String>, TranscriptError> {
    let reported = || TranscriptError::read(projects.path());
    let all = |begin: &str| -> Result<Vec<String>, TranscriptError> {
        let entries = projects.entries().map_err(reported())?;
        let folders = entries.into_iter().filter(|entry| entry.is_folder && entry.name.starts_with(begin));
        Ok(folders.map(|entry| entry.name).collect())
    };
    let Some(path) = project else { return all("") };
    let path = path.to_string_lossy();
    let name = folder_name(&path);
    let Some(cut) = name.get(..NAME_LIMIT).filter(|_| name.len() > NAME_LIMIT) else { return Ok(vec![name]) };
    // Programs don't agree on the hash behind a long name: the sessions name their project.
    let mut names = all(&format!("{cut}-"))?;
    let mut kept = Vec::new();
    for other in names.drain(..) {
        if other == name || is_project(projects, &other, &path)? {
            kept.push(other);
        }
    }
    Ok(kept)
}

/// Whether a folder's sessions were held in a working directory.
fn is_project(projects: &TranscriptFolder, name: &str, path: &str) -> Result<bool, TranscriptError> {
    for candidate in Candidate::all_in(projects, name)?.iter().take(ASKED) {
        if let Some(summary) = summary::read(projects, candidate)?.0
            && let Some(cwd) = summary.cwd
        {
            return Ok(cwd == path);
        }
    }
    Ok(false)
}

/// The id in a file's name.
pub(super) fn id_of(name: &str) -> Option<&str> {
    name.strip_suffix(ENDING).filter(|id| is_session_id(id))
}
