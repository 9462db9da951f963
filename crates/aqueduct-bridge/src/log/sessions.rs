//! Sessions found and deleted.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::{Log, LogError, SessionRecord, session};

/// Which sessions to list, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionQuery {
    /// Only those that work in this folder.
    pub project: Option<String>,
    /// Only those that work in this folder or below it.
    pub root: Option<String>,
    /// Only those that have this in their title, folder or first prompt. Case does not matter.
    pub text: Option<String>,
    /// Whether to list those too that were put aside.
    pub archived: bool,
    /// How many to pass over.
    pub offset: usize,
    /// At most this many.
    pub limit: usize,
}

impl SessionQuery {
    fn wants(&self, session: &SessionRecord) -> bool {
        let in_root = |root: &String| Path::new(&session.project).starts_with(root);
        if !self.root.as_ref().is_none_or(in_root) {
            return false;
        }
        let Some(text) = &self.text else { return true };
        let text = text.to_lowercase();
        let title = session.name.as_ref().or(session.title.as_ref());
        let mut places = [title, Some(&session.project), session.first_prompt.as_ref()].into_iter().flatten();
        places.any(|place| place.to_lowercase().contains(&text))
    }
}

/// As many as there are.
const ALL: (usize, usize) = (0, usize::MAX);

impl Log {
    /// One session.
    pub async fn session(&self, id: impl Into<String>) -> Result<SessionRecord, LogError> {
        let id = id.into();
        self.read(move |connection| {
            let key = session::key(connection, &id)?;
            session::load(connection, key)
        })
        .await
    }

    /// Sessions in the order of their newest events.
    pub async fn sessions(&self, query: SessionQuery) -> Result<Vec<SessionRecord>, LogError> {
        self.read(move |connection| {
            // Both forms have an index that gives this order.
            let place = match query.project {
                Some(_) => "sessions.project = (SELECT key FROM projects WHERE path = ?1)",
                None => "?1 IS NULL",
            };
            let condition = format!("{place} AND archived <= ?2 ORDER BY updated DESC, sessions.key DESC");
            let values = (&query.project, query.archived);
            let range = (query.offset, query.limit);
            session::select(connection, &condition, values, |session| query.wants(session), range)
        })
        .await
    }

    /// How many sessions each folder has.
    pub async fn session_counts(&self) -> Result<HashMap<String, u64>, LogError> {
        self.read(|connection| {
            let sql = "SELECT path, count(*) FROM sessions JOIN projects ON projects.key = sessions.project \
                       WHERE deleted = 0 GROUP BY path";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Sessions that a bridge that starts has to continue with: a keeper holds their agent, or an input or a request
    /// is not over.
    pub async fn sessions_in_work(&self) -> Result<Vec<SessionRecord>, LogError> {
        let condition = "(keeper IS NOT NULL \
             OR sessions.key IN (SELECT session FROM inputs WHERE state IN ('queued', 'sent', 'taken', 'returned')) \
             OR sessions.key IN (SELECT session FROM pending WHERE state IN ('open', 'decided'))) \
             ORDER BY sessions.key";
        self.read(move |connection| session::select(connection, condition, (), |_| true, ALL)).await
    }

    /// Sessions whose conversation has, or had, this id of the agent. The newest comes first.
    pub async fn sessions_of_agent_id(
        &self,
        agent_id: impl Into<String>,
    ) -> Result<Vec<SessionRecord>, LogError> {
        let agent_id = agent_id.into();
        self.read(move |connection| {
            let condition = "sessions.key IN (SELECT session FROM agent_ids WHERE agent_id = ?1) \
                             ORDER BY updated DESC, sessions.key DESC";
            session::select(connection, condition, [agent_id], |_| true, ALL)
        })
        .await
    }

    /// The ids of all sessions, also of deleted ones, and those that agents have or had for their conversations: who
    /// has one of these is known.
    pub async fn known_ids(&self) -> Result<HashSet<String>, LogError> {
        self.read(|connection| {
            let sql = "SELECT id FROM sessions UNION SELECT agent_id FROM agent_ids \
                       UNION SELECT id FROM forgotten";
            let mut statement = connection.prepare_cached(sql)?;
            let ids = statement.query_map((), |row| row.get(0))?;
            Ok(ids.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Deletes a session. It is gone at once; its events are removed from the file in small steps, while
    /// nothing else is to be done. What it spent stays in the usage.
    pub async fn delete_session(&self, id: impl Into<String>) -> Result<(), LogError> {
        let id = id.into();
        self.write(0, move |connection| {
            let key = session::key(connection, &id)?;
            let sql = "UPDATE sessions SET deleted = 1, keeper = NULL WHERE key = ?1";
            connection.prepare_cached(sql)?.execute([key])?;
            Ok(())
        })
        .await
    }
}
