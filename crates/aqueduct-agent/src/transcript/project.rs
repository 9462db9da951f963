use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use uuid::Uuid;

use super::TranscriptError;
use super::index::Index;

/// The longest folder name that is not cut.
const NAME_LIMIT: usize = 200;

/// The folder in which the conversations of one working directory are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Project {
    folder: PathBuf,
}

/// A transcript that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
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
    pub(crate) fn file(&self, session_id: &str) -> Result<PathBuf, TranscriptError> {
        // The id becomes a file's name: nothing but a UUID may.
        if Uuid::try_parse(session_id).is_err() || session_id.len() != uuid::fmt::Hyphenated::LENGTH {
            return Err(TranscriptError::InvalidId { given: session_id.to_owned() });
        }
        Ok(self.folder.join(format!("{session_id}.jsonl")))
    }

    /// The transcripts, newest first.
    pub(crate) fn sessions(&self) -> Vec<Found> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut sessions: Vec<Found> = entries
            .filter_map(|entry| {
                let path = entry.path();
                let session_id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?.to_owned();
                self.file(&session_id).ok()?;
                let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some(Found { session_id, path, modified: about.modified().ok()? })
            })
            .collect();
        sessions.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.session_id.cmp(&b.session_id)));
        sessions
    }

    /// The newest transcript that holds a conversation.
    pub(crate) fn newest(&self) -> Option<Found> {
        self.sessions().into_iter().find(|found| Index::holds_conversation(&found.path))
    }

    /// The transcript of a session that must exist. One that is kept for another folder is named in the
    /// error.
    pub(super) fn existing(&self, session_id: &str) -> Result<PathBuf, TranscriptError> {
        let path = self.file(session_id)?;
        if path.is_file() {
            return Ok(path);
        }
        let session_id = session_id.to_owned();
        match self.elsewhere(&session_id) {
            Some(folder) => Err(TranscriptError::Elsewhere { session_id, folder }),
            None => Err(TranscriptError::NotFound { session_id }),
        }
    }

    /// The working directory of a session that is kept in another project's folder.
    fn elsewhere(&self, session_id: &str) -> Option<String> {
        let name = format!("{session_id}.jsonl");
        let projects = fs::read_dir(self.folder.parent()?).ok()?;
        let path = projects.flatten().map(|entry| entry.path().join(&name)).find(|path| path.is_file())?;
        Some(Index::working_directory(&path).unwrap_or_else(|| path.to_string_lossy().into_owned()))
    }
}

/// A path as a folder's name: what is not an ASCII letter or digit becomes `-`. The reference counts in
/// UTF-16, so a character outside the basic plane becomes two. A long name is cut and told apart by a hash
/// of the path.
fn folder_name(path: &str) -> String {
    let keep = |unit: u16| char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric).unwrap_or('-');
    let name: String = path.encode_utf16().map(keep).collect();
    match name.get(..NAME_LIMIT) {
        Some(cut) if name.len() > NAME_LIMIT => format!("{cut}-{}", base36(hash(path))),
        _ => name,
    }
}

/// The hash that many languages give strings: times 31 plus the next unit, in 32 bits, without its sign.
fn hash(path: &str) -> u32 {
    path.encode_utf16().fold(0i32, |sum, unit| sum.wrapping_mul(31).wrapping_add(unit.into())).unsigned_abs()
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::folder_name;

    #[test]
    fn a_path_becomes_a_name() {
        assert_eq!(folder_name("/home/ada/my_proj.x"), "-home-ada-my-proj-x");
        assert_eq!(folder_name("/é/日本/a b😀"), "------a-b--");
    }

    #[test]
    fn a_long_path_is_cut_and_hashed() {
        // What the reference made of this path.
        let path = format!("/tmp/p_69xo33m/{}/{}", "y".repeat(120), "z".repeat(130));
        let name = folder_name(&path);
        assert_eq!(name.len(), 206);
        assert!(name.ends_with("zzz-2ed2b"), "{name}");
        assert_eq!(folder_name(&"a".repeat(200)), "a".repeat(200));
    }
}
