use rusqlite::Connection;
use rusqlite::types::Value;

use super::super::{Log, LogError, Time, session};
use super::{index, text, words};

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventQuery {
    /// Words, as a person types them: all have to be there, and those in quotation marks have to follow each
    /// other. A `*` matches any ending behind three letters or more. Case and accents don't matter.
    pub text: String,
    /// Only in sessions of this folder.
    pub project: Option<String>,
    /// Only in sessions of this folder and of those below it.
    pub root: Option<String>,
    /// Only in this session.
    pub session_id: Option<String>,
    /// How many hits to pass over.
    pub offset: u32,
    /// At most this many.
    pub limit: u32,
}

/// What was found, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventHits {
    /// The hits.
    pub hits: Vec<EventHit>,
    /// Whether there are more behind these.
    pub more: bool,
    /// How many events are so new that they can't be found yet.
    pub unindexed: u64,
}

/// An event that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventHit {
    /// The session.
    pub session_id: String,
    /// The event.
    pub seq: u64,
    /// What kind of message it is.
    pub kind: String,
    /// When it happened.
    pub time: Time,
    /// The session's title: the one that a person chose, or else the one that was found, or its first prompt.
    pub title: Option<String>,
    /// The folder that the session works in.
    pub project: String,
    /// The text around, with what was looked for between [`EventHit::OPEN`] and [`EventHit::CLOSE`].
    pub excerpt: String,
}

impl EventHit {
    /// Marks the start of a match, and occurs nowhere else.
    pub const OPEN: char = '\u{e000}';
    /// Marks the end of a match, and occurs nowhere else.
    pub const CLOSE: char = '\u{e001}';
}

/// How many words an excerpt has.
const EXCERPT_WORDS: u32 = 24;

impl Log {
    /// Looks for words in everything that was marked searchable. Nothing that a person types is an error.
    pub async fn search(&self, query: EventQuery) -> Result<EventHits, LogError> {
        self.read(move |connection| {
            let unindexed = index::unindexed(connection)?;
            let mut hits = match words::query(&query.text) {
                Some(words) => hits(connection, words, &query)?,
                None => Vec::new(),
            };
            let more = hits.len() > query.limit as usize;
            hits.truncate(query.limit as usize);
            Ok(EventHits { hits, more, unindexed })
        })
        .await
    }
}

/// The hits, and one more if there is one.
fn hits(connection: &Connection, mut words: String, query: &EventQuery) -> Result<Vec<EventHit>, LogError> {
    if let Some(id) = &query.session_id {
        words.push_str(&format!(" AND {{place}} : s{}", session::key(connection, id)?));
    }
    if let Some(path) = &query.project {
        let Some(project) = session::find_project(connection, path)? else { return Ok(Vec::new()) };
        words.push_str(&format!(" AND {{place}} : p{project}"));
    }
    // The index gives its rows in this order by itself, and stops when there are enough.
    let sql = "SELECT sessions.id, events.seq, events.kind, events.time, coalesce(name, title, first_prompt), projects.path, \
               snippet(search, 1, ?4, ?5, '…', ?6) \
               FROM search CROSS JOIN events ON events.key = search.rowid \
               CROSS JOIN sessions ON sessions.key = events.session \
               CROSS JOIN projects ON projects.key = sessions.project \
               WHERE search MATCH ?1 AND sessions.deleted = 0 \
               AND (?7 IS NULL OR projects.path = ?7 OR substr(projects.path, 1, length(?7) + 1) = ?7 || '/') \
               ORDER BY search.rowid DESC LIMIT ?2 OFFSET ?3";
    let values: [Value; 7] = [
        words.into(),
        query.limit.saturating_add(1).into(),
        query.offset.into(),
        EventHit::OPEN.to_string().into(),
        EventHit::CLOSE.to_string().into(),
        EXCERPT_WORDS.into(),
        query.root.clone().into(),
    ];
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map(values, |row| {
        Ok(EventHit {
            session_id: row.get(0)?,
            seq: row.get(1)?,
            kind: row.get(2)?,
            time: row.get(3)?,
            title: row.get(4)?,
            project: row.get(5)?,
            excerpt: row.get::<_, String>(6)?.replace(text::SEAM, ""),
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}
