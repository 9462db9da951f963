//! Words in all sessions.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aqueduct_client::transcript::{Hit, MessagePart, SearchQuery, Store, TranscriptError};
use jiff::Timestamp;

use super::Recents;
use super::recents::{Transcripts, failed};
use crate::Failure;
use crate::log::{self, LogError};
use crate::message::bridge::{SearchHit, SearchResults};
use crate::message::client::Search;
use crate::work::Deadline;

/// How many hits are returned, at most and by default.
const MOST: u64 = 200;
const USUAL: u64 = 20;

/// How far down the list one can go.
const DEEPEST: u64 = 10_000;

/// How many characters are shown around a word.
const CONTEXT: usize = 80;

impl Recents {
    /// Looks for words in everything, or in sessions in `root` only: in the log by its index, in transcripts that it does
    /// not have by reading them.
    pub async fn search(
        &self,
        request: &Search<'_>,
        root: Option<&str>,
    ) -> Result<SearchResults<'static>, Failure> {
        let limit = request.limit.unwrap_or(USUAL).min(MOST);
        let offset = request.offset.unwrap_or(0).min(DEEPEST);
        let needed = u32::try_from(offset + limit + 1).unwrap_or(u32::MAX);
        let project = match request.project_path.as_deref() {
            Some(path) => Some(self.project(path, root).await?),
            None => None,
        };
        let session_id = request.session_id.as_deref().map(str::to_owned);
        let query = log::EventQuery {
            text: request.query.as_str().to_owned(),
            session_id: session_id.clone(),
            project: project.clone(),
            root: root.map(str::to_owned),
            offset: 0,
            limit: needed,
        };
        let mut elsewhere = SearchQuery::new("");
        elsewhere.words = words(&request.query);
        elsewhere.project = project.map(PathBuf::from);
        elsewhere.session = session_id;
        elsewhere.without = self.log.known_ids().await?;
        elsewhere.limit = usize::MAX;
        elsewhere.context = CONTEXT;
        let transcripts = Arc::clone(&self.transcripts);
        let root = query.root.clone();
        let strangers = self.work.block(move |deadline| {
            transcripts.search(&elsewhere, root.as_deref(), needed as usize, deadline)
        });
        let (known, strangers) = tokio::join!(self.log.search(query), strangers);
        let known = match known {
            Ok(found) => found.hits.into_iter().map(of_log).collect(),
            // Then only a transcript can know it.
            Err(LogError::NoSession { .. }) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let (strangers, is_cut) = strangers?;
        let has_more = is_cut || known.len() + strangers.len() >= needed as usize;
        let hits: Vec<_> = merge(known, strangers).skip(offset as usize).take(limit as usize).collect();
        let mut results = SearchResults::new(request.query.as_str().to_owned(), hits);
        results.more = Some(has_more);
        results.request_id = request.request_id.as_deref().map(|id| id.to_owned().into());
        Ok(results)
    }
}

/// Two lists as one, the newer of the first two first. Each stays in its order, so that pages fit together.
fn merge(
    known: Vec<SearchHit<'static>>,
    strangers: Vec<SearchHit<'static>>,
) -> impl Iterator<Item = SearchHit<'static>> {
    let (mut known, mut strangers) = (known.into_iter().peekable(), strangers.into_iter().peekable());
    std::iter::from_fn(move || match (known.peek(), strangers.peek()) {
        (Some(one), Some(other)) if one.time < other.time => strangers.next(),
        (Some(_), _) => known.next(),
        (None, _) => strangers.next(),
    })
}

fn of_log(hit: log::EventHit) -> SearchHit<'static> {
    let mut place = SearchHit::new(hit.session_id, hit.excerpt);
    place.seq = Some(hit.seq);
    place.time = Some(hit.time.0.unsigned_abs());
    place.kind = Some(hit.kind.into());
    place.title = hit.title.map(Into::into);
    place.project_path = Some(hit.project.into());
    place
}

/// The words of a query, as the log's index understands it: a phrase in quotation marks is one, and a star at the
/// end means any ending, which transcripts are looked through for anyway.
fn words(query: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in query.split(['"', '“', '”', '„']).enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(|word| word.trim_end_matches('*').to_owned())),
            _ => words.push(part.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    words.retain(|word| word.contains(char::is_alphanumeric));
    words
}

/// What hits contain of their session: its title and its folder; nothing if it may not be seen.
type SessionLabel = Option<(String, String)>;

impl Transcripts {
    /// The first hits in all stores, and whether that is not all.
    fn search(
        &self,
        query: &SearchQuery,
        root: Option<&str>,
        needed: usize,
        deadline: Deadline,
    ) -> Result<(Vec<SearchHit<'static>>, bool), Failure> {
        let (mut hits, mut is_cut): (Vec<SearchHit<'static>>, bool) = (Vec::new(), false);
        if query.words.is_empty() {
            return Ok((hits, is_cut));
        }
        let mut query = query.clone();
        for store in &self.stores {
            let mut sessions: HashMap<String, SessionLabel> = HashMap::new();
            let mut here = Vec::new();
            let searched = store.search(
                &query,
                || deadline.check().is_err(),
                |hit| {
                    let about = sessions.entry(hit.session.clone());
                    let about = about.or_insert_with(|| self.about(store, &hit.session, root));
                    here.extend(about.as_ref().map(|(title, project)| of_transcript(&hit, title, project)));
                    if here.len() >= needed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            match searched {
                Ok(searched) => is_cut |= searched.is_cut && here.len() < needed,
                Err(TranscriptError::NoWords) => {}
                Err(error) => return Err(failed(error)),
            }
            query.without.extend(sessions.into_keys());
            hits = merge(hits, here).collect();
        }
        Ok((hits, is_cut))
    }

    fn about(&self, store: &Store, id: &str, root: Option<&str>) -> SessionLabel {
        let summary = store.find(id).ok()?.summary().ok()?;
        let project = self.folder_of(&summary)?;
        if !root.is_none_or(|root| Path::new(&project).starts_with(root)) {
            return None;
        }
        Some((summary.title().to_owned(), project))
    }
}

fn of_transcript(hit: &Hit, title: &str, project: &str) -> SearchHit<'static> {
    let mut place = SearchHit::new(hit.session.clone(), excerpt(hit));
    let time = hit.timestamp.as_deref().and_then(|time| time.parse::<Timestamp>().ok());
    place.time = time.and_then(|time| u64::try_from(time.as_millisecond()).ok());
    place.kind = kind(hit.part).map(Into::into);
    place.title = Some(title.to_owned().into());
    place.project_path = Some(project.to_owned().into());
    place
}

/// The kind of message that a part would be in.
fn kind(part: MessagePart) -> Option<&'static str> {
    match part {
        MessagePart::Prompt | MessagePart::Note => Some("user_input"),
        MessagePart::Answer | MessagePart::Thinking | MessagePart::ToolCall => Some("assistant"),
        MessagePart::ToolResult => Some("tool_result"),
        _ => None,
    }
}

/// The text around, with marks around the words, which come from nowhere else.
fn excerpt(hit: &Hit) -> String {
    let mut out = String::with_capacity(hit.context.len() + 6 * hit.matches.len());
    let plain = |out: &mut String, range: Range<usize>| {
        let text = hit.context.get(range).unwrap_or_default();
        out.extend(text.chars().map(|char| match char {
            log::EventHit::OPEN | log::EventHit::CLOSE => char::REPLACEMENT_CHARACTER,
            char => char,
        }));
    };
    let mut words = hit.matches.clone();
    words.sort_by_key(|word| word.start);
    let mut done = 0;
    for word in words {
        // One that begins inside another is marked with it.
        if word.start < done {
            continue;
        }
        plain(&mut out, done..word.start);
        out.push(log::EventHit::OPEN);
        plain(&mut out, word.clone());
        out.push(log::EventHit::CLOSE);
        done = word.end;
    }
    plain(&mut out, done..hit.context.len());
    out
}
