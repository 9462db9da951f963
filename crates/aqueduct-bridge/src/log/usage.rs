use rusqlite::Connection;
use rusqlite::types::Value;

use super::{Log, LogError, Time, session};

/// Numbers of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Read by the model, without those of the cache.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Read from the prompt cache.
    pub cache_read: u64,
    /// Written to the prompt cache.
    pub cache_write: u64,
}

/// What a turn took of one model. A turn that used several has one of these for each.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnUsage {
    /// The model.
    pub model: String,
    /// How many turns to count: one, and none for further models of the same turn.
    pub turns: u64,
    /// Dollars.
    pub cost: f64,
    /// Tokens.
    pub tokens: Tokens,
}

/// Which usage to add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageQuery {
    /// From this moment on.
    pub from: Time,
    /// Up to this moment, which is not in it.
    pub to: Time,
    /// Only that of this session.
    pub session_id: Option<String>,
    /// Only that of sessions in this folder.
    pub project: Option<String>,
    /// What is added up.
    pub by: UsageBy,
}

/// What usage is added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageBy {
    /// Days, of a place that is this many minutes ahead of UTC. The name is the date.
    Day {
        /// Minutes ahead of UTC.
        offset: i32,
    },
    /// Models.
    Model,
    /// Projects, by their folders.
    Project,
    /// Sessions, by their ids. Those that were deleted have an empty name.
    Session,
}

/// Usage added up.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageSum {
    /// The day, model, project or session.
    pub name: String,
    /// Turns.
    pub turns: u64,
    /// Dollars.
    pub cost: f64,
    /// Tokens.
    pub tokens: Tokens,
}

/// How a limit of an agent's account stood when it was last heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    /// The agent, by its name in the settings.
    pub agent: String,
    /// Which limit it is.
    pub kind: String,
    /// When it was heard of.
    pub time: Time,
    /// What is known of it, as JSON.
    pub payload: String,
}

impl Log {
    /// Adds usage up. Days come in their order, everything else with the costliest first.
    pub async fn usage(&self, query: UsageQuery) -> Result<Vec<UsageSum>, LogError> {
        self.read(move |connection| sums(connection, &query)).await
    }

    /// The newest note of every limit.
    pub async fn rate_limits(&self) -> Result<Vec<RateLimit>, LogError> {
        self.read(|connection| {
            let sql = "SELECT agent, kind, time, payload FROM rate_limits ORDER BY agent, kind";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_map((), |row| {
                Ok(RateLimit {
                    agent: row.get(0)?,
                    kind: row.get(1)?,
                    time: row.get(2)?,
                    payload: row.get(3)?,
                })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }
}

fn sums(connection: &Connection, query: &UsageQuery) -> Result<Vec<UsageSum>, LogError> {
    let (name, order) = match query.by {
        UsageBy::Day { .. } => ("date((usage.time + ?3 * 60000) / 1000, 'unixepoch')", "1"),
        UsageBy::Model => ("usage.model", "3 DESC, 1"),
        UsageBy::Project => ("projects.path", "3 DESC, 1"),
        UsageBy::Session => ("coalesce(sessions.id, '')", "3 DESC, 1"),
    };
    let offset = match query.by {
        UsageBy::Day { offset } => offset,
        UsageBy::Model | UsageBy::Project | UsageBy::Session => 0,
    };
    let mut values = vec![Value::from(query.from.0), Value::from(query.to.0), Value::from(offset)];
    let mut filter = "usage.time >= ?1 AND usage.time < ?2 AND ?3 IS NOT NULL".to_owned();
    if let Some(id) = &query.session_id {
        values.push(session::key(connection, id)?.into());
        filter.push_str(&format!(" AND usage.session = ?{}", values.len()));
    }
    if let Some(path) = &query.project {
        values.push(path.clone().into());
        filter.push_str(&format!(" AND projects.path = ?{}", values.len()));
    }
    let sql = format!(
        "SELECT {name}, sum(usage.turns), sum(usage.cost), sum(usage.input_tokens), sum(usage.output_tokens), \
         sum(usage.cache_read_tokens), sum(usage.cache_write_tokens) \
         FROM usage JOIN projects ON projects.key = usage.project \
         LEFT JOIN sessions ON sessions.key = usage.session AND sessions.deleted = 0 \
         WHERE {filter} GROUP BY 1 ORDER BY {order}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(rusqlite::params_from_iter(values), |row| {
        Ok(UsageSum {
            name: row.get(0)?,
            turns: row.get(1)?,
            cost: row.get(2)?,
            tokens: Tokens {
                input: row.get(3)?,
                output: row.get(4)?,
                cache_read: row.get(5)?,
                cache_write: row.get(6)?,
            },
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Notes what a turn took, for its session and for the sums.
pub(super) fn insert(
    connection: &Connection,
    session: i64,
    turn: &TurnUsage,
    time: Time,
) -> Result<(), LogError> {
    let Tokens { input, output, cache_read, cache_write } = turn.tokens;
    let sql = "UPDATE sessions SET cost = cost + ?2, turns = turns + ?3, input_tokens = input_tokens + ?4, \
               output_tokens = output_tokens + ?5, cache_read_tokens = cache_read_tokens + ?6, \
               cache_write_tokens = cache_write_tokens + ?7 WHERE key = ?1";
    connection.prepare_cached(sql)?.execute((
        session,
        turn.cost,
        turn.turns,
        input,
        output,
        cache_read,
        cache_write,
    ))?;
    let sql = "INSERT INTO usage (time, session, project, model, turns, cost, input_tokens, output_tokens, \
               cache_read_tokens, cache_write_tokens) \
               SELECT ?2, key, project, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM sessions WHERE key = ?1";
    connection.prepare_cached(sql)?.execute((
        session,
        time,
        &turn.model,
        turn.turns,
        turn.cost,
        input,
        output,
        cache_read,
        cache_write,
    ))?;
    Ok(())
}

/// Notes how a limit stands, unless something newer is known.
pub(super) fn note_limit(
    connection: &Connection,
    session: i64,
    kind: &str,
    payload: &str,
    time: Time,
) -> Result<(), LogError> {
    let sql = "INSERT INTO rate_limits (agent, kind, time, payload) \
               SELECT agent, ?2, ?3, ?4 FROM sessions WHERE key = ?1 \
               ON CONFLICT (agent, kind) DO UPDATE SET time = excluded.time, payload = excluded.payload \
               WHERE excluded.time >= rate_limits.time";
    connection.prepare_cached(sql)?.execute((session, kind, time, payload))?;
    Ok(())
}
