use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use aqueduct_wire::json::{Json, Reader};
use aqueduct_wire::transcript::SubagentMeta;

use super::TranscriptError;
use super::folder::TranscriptFolder;
use super::reading::Transcript;
use super::session::StoredSession;
use super::store::ENDING;

/// How deep folders of subagents are looked through.
const DEEPEST: usize = 8;

/// How many subagents of a session are looked at.
const MOST: usize = 10_000;

/// How long a file with what is known of a subagent may be.
const META_LIMIT: u64 = 1 << 20;

/// A subagent of a stored session, whose conversation is a file of its own.
#[derive(Debug, Clone)]
pub struct Subagent {
    session: StoredSession,
    id: String,
    /// The folders below the session's own, and the file.
    place: Vec<String>,
    meta: SubagentMeta<'static>,
}

impl StoredSession {
    /// The subagents that have a file, by their ids.
    pub fn subagents(&self) -> Result<Vec<Subagent>, TranscriptError> {
        let reported = |folder: &TranscriptFolder| TranscriptError::read(folder.path());
        let folder = self.folder()?;
        let mut found = Vec::new();
        if let Some(own) = folder.folder(self.id()).map_err(reported(&folder))?
            && let Some(subagents) = own.folder("subagents").map_err(reported(&own))?
        {
            self.look(&subagents, &["subagents".to_owned()], &mut found)?;
        }
        found.sort_by(|a: &Subagent, b| a.id.cmp(&b.id));
        Ok(found)
    }

    fn look(
        &self,
        folder: &TranscriptFolder,
        place: &[String],
        found: &mut Vec<Subagent>,
    ) -> Result<(), TranscriptError> {
        let reported = || TranscriptError::read(folder.path());
        for entry in folder.entries().map_err(reported())? {
            let below = [place, std::slice::from_ref(&entry.name)].concat();
            if entry.is_folder && place.len() < DEEPEST {
                if let Some(inner) = folder.folder(&entry.name).map_err(reported())? {
                    self.look(&inner, &below, found)?;
                }
            } else if entry.is_file
                && found.len() < MOST
                && let Some(id) = entry.name.strip_prefix("agent-").and_then(|name| name.strip_suffix(ENDING))
            {
                let id = id.to_owned();
                let meta = meta(folder, &id).map_err(reported())?;
                found.push(Subagent { session: self.clone(), id, place: below, meta });
            }
        }
        Ok(())
    }
}

impl Subagent {
    /// The subagent's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What else is known of it.
    pub fn meta(&self) -> &SubagentMeta<'static> {
        &self.meta
    }

    /// Its conversation.
    pub fn open(&self) -> Result<Transcript, TranscriptError> {
        let (file, path) = self.file_and_path()?;
        Transcript::read_subagent(file, path)
    }

    /// Its file, to read.
    pub(super) fn file(&self) -> Result<File, TranscriptError> {
        self.file_and_path().map(|(file, _)| file)
    }

    fn file_and_path(&self) -> Result<(File, PathBuf), TranscriptError> {
        let gone = || TranscriptError::NotFound { given: format!("{} of {}", self.id, self.session.id()) };
        let mut folder = self.session.folder()?;
        let mut names = vec![self.session.id()];
        names.extend(self.place.iter().map(String::as_str));
        let file = names.pop().ok_or_else(gone)?;
        for name in names {
            let inner = folder.folder(name).map_err(TranscriptError::read(folder.path()))?;
            folder = inner.ok_or_else(gone)?;
        }
        let path = folder.path_of(file);
        let file = folder.file(file).map_err(TranscriptError::read(&path))?.ok_or_else(gone)?;
        Ok((file, path))
    }
}

/// What is known of a subagent. A file that can't be read as such is ignored.
fn meta(folder: &TranscriptFolder, id: &str) -> std::io::Result<SubagentMeta<'static>> {
    let mut text = String::new();
    if let Some(file) = folder.file(&format!("agent-{id}.meta.json"))?
        && file.take(META_LIMIT).read_to_string(&mut text).is_ok()
        && let Ok(meta) = SubagentMeta::read(&mut Reader::new(&text))
    {
        return Ok(meta.into_owned());
    }
    Ok(SubagentMeta::new())
}
