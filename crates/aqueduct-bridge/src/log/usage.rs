use rusqlite::Connection;

use super::{Log, LogError, Time, session};

/// Numbers of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenCounts {
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
    /// The day, where the bridge is: `2026-01-31`.
    pub day: String,
    /// The model.
    pub model: String,
    /// How many turns to count: one, and none for further models of the same turn.
    pub turns: u64,
    /// Dollars.
    pub cost: f64,
    /// Tokens.
    pub tokens: TokenCounts,
}

/// Which usage to add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageQuery {
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
    /// Only that of this session.
    pub session_id: Option<String>,
    /// Only that of sessions in this folder.
    pub project: Option<String>,
}

/// What one model used in one project on one day.
#[derive(Debug, Clone, PartialEq)]
pub struct DailyUsage {
    /// The day.
    pub day: String,
    /// The project's folder.
    pub project: String,
    /// The model.
    pub model: String,
    /// Turns.
    pub turns: u64,
    /// Dollars.
    pub cost: f64,
    /// Tokens.
    pub tokens: TokenCounts,
}

/// The last reported state of a limit of an agent's account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    /// The agent, by its name in the settings.
    pub agent: String,
    /// Which limit it is.
    pub kind: String,
    /// When it was reported.
    pub time: Time,
    /// What is known of it, as JSON.
    pub payload: String,
}

impl Log {
    /// Adds usage up by day, project and model, in this order.
    pub async fn usage(&self, query: UsageQuery) -> Result<Vec<DailyUsage>, LogError> {
        self.read(move |connection| rows(connection, &query)).await
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

fn rows(connection: &Connection, query: &UsageQuery) -> Result<Vec<DailyUsage>, LogError> {
    let session = query.session_id.as_ref().map(|id| session::key(connection, id)).transpose()?;
    let of_session = if session.is_some() { "usage.session = ?3" } else { "?3 IS NULL" };
    let sql = format!(
        "SELECT day, path, model, sum(turns), sum(cost), sum(input_tokens), sum(output_tokens), \
         sum(cache_read_tokens), sum(cache_write_tokens) \
         FROM usage JOIN projects ON projects.key = usage.project \
         WHERE day BETWEEN ?1 AND ?2 AND {of_session} AND (?4 IS NULL OR path = ?4) \
         GROUP BY day, path, model ORDER BY day, path, model"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map((&query.from, &query.to, session, &query.project), |row| {
        Ok(DailyUsage {
            day: row.get(0)?,
            project: row.get(1)?,
            model: row.get(2)?,
            turns: row.get(3)?,
            cost: row.get(4)?,
            tokens: TokenCounts {
                input: row.get(5)?,
                output: row.get(6)?,
                cache_read: row.get(7)?,
                cache_write: row.get(8)?,
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
    let TokenCounts { input, output, cache_read, cache_write } = turn.tokens;
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
    let sql = "INSERT INTO usage (time, session, project, day, model, turns, cost, input_tokens, output_tokens, \
               cache_read_tokens, cache_write_tokens) \
               SELECT ?2, key, project, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM sessions WHERE key = ?1";
    connection.prepare_cached(sql)?.execute((
        session,
        time,
        &turn.day,
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

/// Records the state of a limit, unless a newer one is known.
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
