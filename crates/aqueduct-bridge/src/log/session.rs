use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::{LogError, Time, TokenCounts};

/// A session to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSession {
    /// The session's id, which never changes. It is the bridge's own: the agent's is not known yet, and may
    /// change.
    pub id: String,
    /// The folder that the agent works in.
    pub project: String,
    /// The agent, by its name in the settings.
    pub agent: String,
    /// The agent's own id of the conversation, where that is known: a session begun elsewhere.
    pub agent_id: Option<String>,
    /// The model that was asked for.
    pub model: Option<String>,
    /// The permission mode that was asked for.
    pub permission_mode: Option<String>,
    /// The title that a person chose.
    pub name: Option<String>,
    /// Its current status.
    pub status: String,
    /// What else it is started with, in the caller's own words.
    pub options: Option<String>,
    /// How many dollars it may spend.
    pub budget: Option<f64>,
    /// When it began, where that was before.
    pub created: Option<Time>,
}

impl NewSession {
    /// A session of which nothing but this is known.
    pub fn new(
        id: impl Into<String>,
        project: impl Into<String>,
        agent: impl Into<String>,
        status: impl Into<String>,
    ) -> Self {
        NewSession {
            id: id.into(),
            project: project.into(),
            agent: agent.into(),
            agent_id: None,
            model: None,
            permission_mode: None,
            name: None,
            status: status.into(),
            options: None,
            budget: None,
            created: None,
        }
    }
}

/// A session as the log knows it.
///
/// What the log only keeps (status, model, mode) is text; it does not look inside.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRecord {
    /// The session's id, which never changes.
    pub id: String,
    /// The agent's own id of the conversation, once it has sent it. A cleared conversation gets a new one.
    pub agent_id: Option<String>,
    /// The folder that the agent works in.
    pub project: String,
    /// The agent, by its name in the settings.
    pub agent: String,
    /// The model.
    pub model: Option<String>,
    /// The permission mode.
    pub permission_mode: Option<String>,
    /// The title that was found for it.
    pub title: Option<String>,
    /// The title that a person chose, which counts for more.
    pub name: Option<String>,
    /// The beginning of the first prompt.
    pub first_prompt: Option<String>,
    /// Its current status.
    pub status: String,
    /// What else it was started with, in the caller's own words.
    pub options: Option<String>,
    /// What else lists show of it, in the caller's own words.
    pub details: Option<String>,
    /// When it was made.
    pub created: Time,
    /// When the newest event was appended.
    pub updated: Time,
    /// The folder of the keeper that holds its agent, while there is one.
    pub keeper: Option<String>,
    /// Up to which byte the keeper's output was turned into events.
    pub cursor: u64,
    /// The newest event; 0 before the first.
    pub last_seq: u64,
    /// How many dollars it may spend.
    pub budget: Option<f64>,
    /// How many dollars it has spent.
    pub cost: f64,
    /// How many turns it had.
    pub turns: u64,
    /// The tokens of all turns.
    pub tokens: TokenCounts,
    /// Whether it was put aside.
    pub archived: bool,
    /// How many requests are undecided.
    pub open: u64,
    /// How many inputs wait.
    pub queued: u64,
}

/// The columns that [`SessionRecord::from_row`] takes.
const COLUMNS: &str = "sessions.id, agent_id, projects.path, agent, model, permission_mode, title, name, \
     first_prompt, status, options, details, created, updated, keeper, cursor, last_seq, budget, cost, turns, \
     input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, archived, \
     (SELECT count(*) FROM pending WHERE session = sessions.key AND state IN ('open', 'decided') AND state = 'open'), \
     (SELECT count(*) FROM inputs \
      WHERE session = sessions.key AND state IN ('queued', 'sent', 'taken', 'returned') AND state = 'queued')";
/// Where they come from.
const TABLES: &str = "sessions JOIN projects ON projects.key = sessions.project";

impl SessionRecord {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(SessionRecord {
            id: row.get(0)?,
            agent_id: row.get(1)?,
            project: row.get(2)?,
            agent: row.get(3)?,
            model: row.get(4)?,
            permission_mode: row.get(5)?,
            title: row.get(6)?,
            name: row.get(7)?,
            first_prompt: row.get(8)?,
            status: row.get(9)?,
            options: row.get(10)?,
            details: row.get(11)?,
            created: row.get(12)?,
            updated: row.get(13)?,
            keeper: row.get(14)?,
            cursor: row.get(15)?,
            last_seq: row.get(16)?,
            budget: row.get(17)?,
            cost: row.get(18)?,
            turns: row.get(19)?,
            tokens: TokenCounts {
                input: row.get(20)?,
                output: row.get(21)?,
                cache_read: row.get(22)?,
                cache_write: row.get(23)?,
            },
            archived: row.get(24)?,
            open: row.get(25)?,
            queued: row.get(26)?,
        })
    }
}

/// Makes a session and returns its key.
pub(super) fn insert(connection: &Connection, session: &NewSession, time: Time) -> Result<i64, LogError> {
    let project = project_key(connection, &session.project)?;
    let sql = "INSERT INTO sessions (id, agent_id, project, agent, model, permission_mode, name, status, \
               options, budget, created, updated) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) DO NOTHING";
    let made = connection.prepare_cached(sql)?.execute((
        &session.id,
        &session.agent_id,
        project,
        &session.agent,
        &session.model,
        &session.permission_mode,
        &session.name,
        &session.status,
        &session.options,
        session.budget,
        session.created.unwrap_or(time),
        time,
    ))?;
    if made == 0 {
        return Err(LogError::SessionExists { id: session.id.clone() });
    }
    let key = connection.last_insert_rowid();
    if let Some(agent_id) = &session.agent_id {
        remember_agent_id(connection, key, agent_id, time)?;
    }
    Ok(key)
}

fn project_key(connection: &Connection, path: &str) -> Result<i64, LogError> {
    if let Some(key) = find_project(connection, path)? {
        return Ok(key);
    }
    connection.prepare_cached("INSERT INTO projects (path) VALUES (?1)")?.execute([path])?;
    Ok(connection.last_insert_rowid())
}

/// The key of a folder that some session works in.
pub(super) fn find_project(connection: &Connection, path: &str) -> Result<Option<i64>, LogError> {
    let sql = "SELECT key FROM projects WHERE path = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([path], |row| row.get(0)).optional()?)
}

/// The session gets an id of the agent, and is found by the former ones too.
pub(super) fn set_agent_id(
    connection: &Connection,
    session: i64,
    agent_id: &str,
    time: Time,
) -> Result<(), LogError> {
    let sql = "UPDATE sessions SET agent_id = ?2 WHERE key = ?1";
    connection.prepare_cached(sql)?.execute((session, agent_id))?;
    remember_agent_id(connection, session, agent_id, time)
}

fn remember_agent_id(
    connection: &Connection,
    session: i64,
    agent_id: &str,
    time: Time,
) -> Result<(), LogError> {
    let sql = "INSERT INTO agent_ids (agent_id, session, since) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    connection.prepare_cached(sql)?.execute((agent_id, session, time))?;
    Ok(())
}

/// The key of a session that is there.
pub(super) fn key(connection: &Connection, id: &str) -> Result<i64, LogError> {
    let sql = "SELECT key FROM sessions WHERE id = ?1 AND deleted = 0";
    let key = connection.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?;
    key.ok_or_else(|| LogError::NoSession { id: id.to_owned() })
}

/// The session of a key.
pub(super) fn load(connection: &Connection, key: i64) -> Result<SessionRecord, LogError> {
    let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE sessions.key = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([key], SessionRecord::from_row)?)
}

/// Those that `condition` names, a piece of our own SQL, and that `wanted` wants: so many of them, after so many
/// others.
pub(super) fn select(
    connection: &Connection,
    condition: &str,
    values: impl Params,
    wanted: impl Fn(&SessionRecord) -> bool,
    (offset, limit): (usize, usize),
) -> Result<Vec<SessionRecord>, LogError> {
    let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE sessions.deleted = 0 AND {condition}");
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(values, SessionRecord::from_row)?;
    let found = found.filter(|session| session.as_ref().map_or(true, &wanted));
    Ok(found.skip(offset).take(limit).collect::<Result<_, _>>()?)
}
