use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::TranscriptError;
use super::folder::TranscriptFolder;
use super::store::{Store, id_of};
use super::summary::{self, Summary};

/// Which sessions to list.
#[derive(Debug, Clone, Default)]
pub struct ListQuery {
    /// Those of one working directory, by its real path; all without it.
    pub project: Option<PathBuf>,
    /// Those with a tag.
    pub tag: Option<String>,
    /// How many of the newest to pass over.
    pub offset: usize,
    /// How many to list; all without it.
    pub limit: Option<usize>,
}

impl ListQuery {
    /// The newest sessions of all projects.
    pub fn newest(limit: usize) -> Self {
        ListQuery { limit: Some(limit), ..ListQuery::default() }
    }
}

/// Sessions, newest first.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Listing {
    /// The sessions.
    pub sessions: Vec<Summary>,
    /// Whether there are more behind the limit.
    pub has_more: bool,
    /// How much was read for it.
    pub bytes_read: u64,
}

/// A transcript that may be a session.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) id: String,
    /// The name of its project's folder.
    pub(super) project: String,
    pub(super) modified: SystemTime,
    pub(super) size: u64,
}

impl Store {
    /// Lists sessions, newest first. Of each file the beginning and the end are read, and of no more files than
    /// are listed.
    pub fn list(&self, query: &ListQuery) -> Result<Listing, TranscriptError> {
        let Some(projects) = self.projects()? else { return Ok(Listing::default()) };
        let limit = query.limit.unwrap_or(usize::MAX);
        let mut listing = Listing::default();
        let mut passed = 0;
        for candidate in self.candidates(query.project.as_deref())? {
            if listing.sessions.len() == limit {
                listing.has_more = true;
                break;
            }
            let (summary, bytes) = summary::read(&projects, &candidate)?;
            listing.bytes_read += bytes;
            let Some(summary) = summary.filter(Summary::is_conversation) else { continue };
            if query.tag.is_some() && query.tag != summary.tag {
                continue;
            }
            if passed < query.offset {
                passed += 1;
                continue;
            }
            listing.sessions.push(summary);
        }
        Ok(listing)
    }

    /// Goes through the sessions of one working directory or of all, newest first, until `visit` breaks off. Files of
    /// sessions whose id `is_wanted` refuses are not even opened.
    pub fn each(
        &self,
        project: Option<&Path>,
        is_wanted: impl Fn(&str) -> bool,
        mut visit: impl FnMut(Summary) -> ControlFlow<()>,
    ) -> Result<(), TranscriptError> {
        let Some(projects) = self.projects()? else { return Ok(()) };
        for candidate in self.candidates(project)? {
            if is_wanted(&candidate.id)
                && let Some(summary) = summary::read(&projects, &candidate)?.0
                && summary.is_conversation()
                && visit(summary).is_break()
            {
                break;
            }
        }
        Ok(())
    }
}

impl Candidate {
    /// The transcripts in a project's folder.
    pub(super) fn all_in(projects: &TranscriptFolder, project: &str) -> Result<Vec<Self>, TranscriptError> {
        let reported = |folder: &TranscriptFolder| TranscriptError::read(folder.path());
        let Some(folder) = projects.folder(project).map_err(reported(projects))? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for entry in folder.entries().map_err(reported(&folder))? {
            let Some(id) = id_of(&entry.name).filter(|_| entry.is_file) else { continue };
            let Some(facts) = folder.facts(&entry.name).map_err(reported(&folder))? else { continue };
            let size = facts.size;
            if size == 0 {
                continue;
            }
            found.push(Candidate {
                id: id.to_owned(),
                project: project.to_owned(),
                modified: time(facts.modified.0, facts.modified.1),
                size,
            });
        }
        Ok(found)
    }
}

fn time(seconds: i64, nanoseconds: u32) -> SystemTime {
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let base = match seconds {
        0.. => SystemTime::UNIX_EPOCH.checked_add(whole),
        _ => SystemTime::UNIX_EPOCH.checked_sub(whole),
    };
    let base = base.unwrap_or(SystemTime::UNIX_EPOCH);
    base.checked_add(Duration::from_nanos(nanoseconds.into())).unwrap_or(base)
}
