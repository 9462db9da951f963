use rusqlite::Connection;
use rusqlite::types::Value;

use super::super::{Log, LogError, Time, session};
use super::{index, text, words};

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    /// Words, as a person types them: all have to be there, the last may be the beginning of one, and those in
    /// quotation marks have to follow each other. Case and accents don't matter.
    pub text: String,
    /// Only in sessions of this folder.
    pub project: Option<String>,
    /// Only in this session.
    pub session_id: Option<String>,
    /// Only hits behind this one in the list: its [`Hit::mark`].
    pub after: Option<i64>,
    /// At most this many.
    pub limit: u32,
}

/// What was found, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The hits.
    pub hits: Vec<Hit>,
    /// How many events are so new that they can't be found yet.
    pub unindexed: u64,
}

/// An event that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The session.
    pub session_id: String,
    /// The event.
    pub seq: u64,
    /// What kind of message it is.
    pub kind: String,
    /// When it happened.
    pub time: Time,
    /// The words around the hit.
    pub snippet: Vec<SnippetPart>,
    /// Where the hit is in the list: for [`SearchQuery::after`].
    pub mark: i64,
}

/// A part of a snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnippetPart {
    /// The text.
    pub text: String,
    /// Whether it is what was looked for.
    pub is_hit: bool,
}

/// Marks around what was looked for. They are in no text: see [`text::push`].
const OPEN: char = '\u{2}';
const CLOSE: char = '\u{3}';
/// How many words a snippet has.
const SNIPPET_WORDS: u32 = 24;

impl Log {
    /// Looks for words in everything that was marked searchable. Nothing that a person types is an error.
    pub async fn search(&self, query: SearchQuery) -> Result<Found, LogError> {
        self.read(move |connection| {
            let unindexed = index::unindexed(connection)?;
            let hits = match words::query(&query.text) {
                Some(words) => hits(connection, words, &query)?,
                None => Vec::new(),
            };
            Ok(Found { hits, unindexed })
        })
        .await
    }
}

fn hits(connection: &Connection, mut words: String, query: &SearchQuery) -> Result<Vec<Hit>, LogError> {
    if let Some(id) = &query.session_id {
        words.push_str(&format!(" AND {{place}} : s{}", session::key(connection, id)?));
    }
    if let Some(path) = &query.project {
        let Some(project) = session::find_project(connection, path)? else { return Ok(Vec::new()) };
        words.push_str(&format!(" AND {{place}} : p{project}"));
    }
    // The index gives its rows in this order by itself, and stops when there are enough.
    let sql = "SELECT sessions.id, events.seq, events.kind, events.time, \
               snippet(search, 1, ?4, ?5, '…', ?6), events.key \
               FROM search CROSS JOIN events ON events.key = search.rowid \
               CROSS JOIN sessions ON sessions.key = events.session \
               WHERE search MATCH ?1 AND search.rowid < ?2 AND sessions.deleted = 0 \
               ORDER BY search.rowid DESC LIMIT ?3";
    let values: [Value; 6] = [
        words.into(),
        query.after.unwrap_or(i64::MAX).into(),
        query.limit.into(),
        OPEN.to_string().into(),
        CLOSE.to_string().into(),
        SNIPPET_WORDS.into(),
    ];
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map(values, |row| {
        Ok(Hit {
            session_id: row.get(0)?,
            seq: row.get(1)?,
            kind: row.get(2)?,
            time: row.get(3)?,
            snippet: parts(&row.get::<_, String>(4)?),
            mark: row.get(5)?,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn parts(marked: &str) -> Vec<SnippetPart> {
    let mut parts = Vec::new();
    let mut is_hit = false;
    for piece in marked.split_inclusive([OPEN, CLOSE]) {
        let text: String = piece.chars().filter(|char| ![OPEN, CLOSE, text::SEAM].contains(char)).collect();
        if !text.is_empty() {
            parts.push(SnippetPart { text, is_hit });
        }
        is_hit = piece.ends_with(OPEN);
    }
    parts
}
