//! Lists of sessions, newest first.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use aqueduct_client::transcript::{Summary, TranscriptProgram};

use super::Recents;
use super::recents::{Transcripts, failed};
use crate::Failure;
use crate::log::{SessionQuery, SessionRecord};
use crate::message::bridge::{RecentSessions, SessionInfo, SessionSource, SessionStatus};
use crate::message::client::ListRecentSessions;
use crate::work::Deadline;

/// How many sessions are listed, at most and by default.
const MOST: u64 = 500;
const USUAL: u64 = 50;

/// How far down the list one can go.
const DEEPEST: u64 = 100_000;

impl Recents {
    /// Lists sessions of all times, or those in `root` only. `info` returns the status of one in the log.
    pub async fn list(
        &self,
        request: &ListRecentSessions<'_>,
        root: Option<&str>,
        info: impl Fn(&SessionRecord) -> SessionInfo<'static>,
    ) -> Result<RecentSessions<'static>, Failure> {
        let limit = size(request.limit.unwrap_or(USUAL).min(MOST));
        let offset = size(request.offset.unwrap_or(0).min(DEEPEST));
        let needed = offset + limit + 1;
        let project = match request.project_path.as_deref() {
            Some(path) => Some(self.project(path, root).await?),
            None => None,
        };
        let query = SessionQuery {
            project: project.clone(),
            root: root.map(str::to_owned),
            text: request.query.as_deref().map(str::to_owned),
            archived: request.archived == Some(true),
            offset: 0,
            limit: needed,
        };
        let root = query.root.clone();
        let wish = ListFilter { project, root, text: query.text.as_deref().map(str::to_lowercase), needed };
        let known = self.log.known_ids().await?;
        let transcripts = Arc::clone(&self.transcripts);
        let strangers = self.work.block(move |deadline| transcripts.list(&wish, &known, deadline));
        let (rows, strangers) = tokio::join!(self.log.sessions(query), strangers);
        let mut sessions: Vec<SessionInfo<'static>> = rows?.iter().map(info).collect();
        sessions.extend(strangers?);
        sessions.sort_by_key(|session| Reverse(session.updated_at));
        let has_more = sessions.len() >= needed;
        let sessions: Vec<_> = sessions.into_iter().skip(offset).take(limit).collect();
        let mut recent = RecentSessions::new(sessions);
        recent.more = Some(has_more);
        recent.request_id = request.request_id.as_deref().map(|id| id.to_owned().into());
        Ok(recent)
    }

    /// A folder that clients name, as the log writes it. It may be gone.
    pub(super) async fn project(&self, path: &str, root: Option<&str>) -> Result<String, Failure> {
        let roots = match root {
            Some(root) => self.transcripts.roots.within(Path::new(root)),
            None => self.transcripts.roots.clone(),
        };
        let path = path.to_owned();
        let resolved = self.work.block(move |_| roots.resolve_absent(Path::new(&path))).await?;
        Ok(resolved.to_string_lossy().into_owned())
    }
}

/// Which sessions to list.
struct ListFilter {
    /// Only those of this folder.
    project: Option<String>,
    /// Only those of this folder and of those below it.
    root: Option<String>,
    /// Only those that have this, in lower case, in their title, folder or first prompt.
    text: Option<String>,
    /// So many of the newest.
    needed: usize,
}

impl ListFilter {
    fn wants(&self, summary: &Summary, project: &str) -> bool {
        let is_there = self.project.as_ref().is_none_or(|wanted| wanted == project);
        is_there
            && self.root.as_ref().is_none_or(|root| Path::new(project).starts_with(root))
            && self.text.as_ref().is_none_or(|text| {
                let places = [Some(summary.title()), Some(project), summary.first_prompt.as_deref()];
                places.into_iter().flatten().any(|place| place.to_lowercase().contains(text.as_str()))
            })
    }
}

impl Transcripts {
    /// The newest sessions that are not in the log, from all stores.
    fn list(
        &self,
        wish: &ListFilter,
        known: &HashSet<String>,
        deadline: Deadline,
    ) -> Result<Vec<SessionInfo<'static>>, Failure> {
        let mut found = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        // Many sessions are of one folder, which need not be looked up each time.
        let mut folders: HashMap<Option<String>, Option<String>> = HashMap::new();
        for store in &self.stores {
            let (mut count, mut late) = (0, Ok(()));
            let is_new = |id: &str| !known.contains(id) && !seen.contains(id);
            let mut here = Vec::new();
            let listed = store.each(wish.project.as_deref().map(Path::new), is_new, |summary| {
                late = deadline.check();
                if late.is_err() || count == wish.needed {
                    return ControlFlow::Break(());
                }
                let folder = folders.entry(summary.cwd.clone()).or_insert_with(|| self.folder_of(&summary));
                if let Some(project) = folder.as_ref().filter(|project| wish.wants(&summary, project)) {
                    here.push(info(&summary, project));
                    count += 1;
                }
                ControlFlow::Continue(())
            });
            listed.map_err(failed)?;
            late?;
            seen.extend(here.iter().map(|session| session.session_id.to_string()));
            found.append(&mut here);
        }
        Ok(found)
    }
}

/// What lists show of a session that the log does not have.
fn info(summary: &Summary, project: &str) -> SessionInfo<'static> {
    let mut info = SessionInfo::new(summary.id.clone(), project.to_owned(), SessionStatus::Stopped);
    let updated = milliseconds(summary.modified);
    info.source = Some(SessionSource::Terminal);
    info.title = Some(summary.title().to_owned().into());
    info.created_at = Some(summary.created.map_or(updated, milliseconds));
    info.updated_at = Some(updated);
    info.last_seq = Some(0);
    info.pending = Some(0);
    info.queued = Some(0);
    info.watchers = Some(0);
    info.agent_version = version(summary).map(Into::into);
    info.first_prompt = summary.first_prompt.clone().map(Into::into);
    info.git_branch = summary.git_branch.clone().map(Into::into);
    info
}

/// The version of the program that wrote to a session last.
pub(super) fn version(summary: &Summary) -> Option<String> {
    match &summary.program {
        TranscriptProgram::Named(name) => Some(name.clone()),
        _ => summary.version.clone(),
    }
}

/// A time as clients get it.
pub(super) fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
