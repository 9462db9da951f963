//! Sessions found and deleted.

use super::{Log, LogError, Session, Time, session};

/// Which sessions to list, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionQuery {
    /// Only those that work in this folder.
    pub project: Option<String>,
    /// Those that were put aside, instead of the others.
    pub archived: bool,
    /// Only those behind this one in the list: its `updated` and its id.
    pub after: Option<(Time, String)>,
    /// At most this many.
    pub limit: u32,
}

impl Log {
    /// One session.
    pub async fn session(&self, id: impl Into<String>) -> Result<Session, LogError> {
        let id = id.into();
        self.read(move |connection| {
            let key = session::key(connection, &id)?;
            session::load(connection, key)
        })
        .await
    }

    /// Sessions in the order of their newest events.
    pub async fn sessions(&self, query: SessionQuery) -> Result<Vec<Session>, LogError> {
        self.read(move |connection| {
            // `?1` to `?5` are there in both forms; each has an index that gives this order.
            let place = match query.project {
                Some(_) => "sessions.project = (SELECT key FROM projects WHERE path = ?1)",
                None => "?1 IS NULL",
            };
            let behind = match query.after {
                Some(_) => "(updated, sessions.key) < (?3, (SELECT key FROM sessions WHERE id = ?4))",
                None => "?3 IS NULL AND ?4 IS NULL",
            };
            let condition = format!(
                "{place} AND archived = ?2 AND {behind} ORDER BY updated DESC, sessions.key DESC LIMIT ?5"
            );
            let (time, id) = query.after.unzip();
            session::select(connection, &condition, (query.project, query.archived, time, id, query.limit))
        })
        .await
    }

    /// Sessions whose agent a keeper holds: what a bridge that starts has to go on with.
    pub async fn kept_sessions(&self) -> Result<Vec<Session>, LogError> {
        self.read(|connection| session::select(connection, "keeper IS NOT NULL ORDER BY sessions.key", ()))
            .await
    }

    /// Sessions whose conversation has, or had, this id of the agent. The newest comes first.
    pub async fn sessions_of_agent_id(&self, agent_id: impl Into<String>) -> Result<Vec<Session>, LogError> {
        let agent_id = agent_id.into();
        self.read(move |connection| {
            let condition = "sessions.key IN (SELECT session FROM agent_ids WHERE agent_id = ?1) \
                             ORDER BY updated DESC, sessions.key DESC";
            session::select(connection, condition, [agent_id])
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
