//! What the log has of a session, and what its agent writes to stderr: from the bridge if it runs, from its data otherwise.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use aqueduct_bridge::keeper;
use aqueduct_bridge::log::{LogEvent, PageLimits, PagePosition, SessionQuery};
use aqueduct_bridge::message::bridge::{AgentStderr, HistoryPage, RecentSessions, SessionSource};
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::Bridge;
use super::reach::{ask, other_version};
use crate::explained::advice;

/// How many events are read at a time.
const EVENTS: u32 = 500;

/// How many bytes of events are read at a time.
const EVENT_BYTES: u64 = 4 << 20;

/// How many sessions are looked at, at a time.
const SESSIONS: usize = 200;

/// Where ids are found.
const LISTED: &str = "aqueduct status lists sessions";

/// The length of a session's id.
const ID: usize = 36;

/// A stored message of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredEvent {
    pub(crate) seq: u64,
    /// In milliseconds since 1970.
    pub(crate) time: u64,
    /// The message as JSON, with its session, number and time.
    pub(crate) text: String,
}

/// Lines of an agent's stderr, and where to continue.
#[derive(Debug, Default)]
pub(crate) struct StderrLines {
    /// The time of each line in milliseconds since 1970, and the line.
    pub(crate) lines: Vec<(u64, String)>,
    /// The agent's process; `None` if no agent runs.
    pub(crate) run: Option<String>,
    pub(crate) next: u64,
    pub(crate) more: bool,
}

impl Bridge<'_> {
    /// The id of the session that begins so. It is found among those that the bridge has, archived ones included.
    pub(crate) fn session_id(&self, prefix: &str) -> anyhow::Result<String> {
        let is_id = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        ensure!(
            !prefix.is_empty() && is_id(prefix),
            advice(format!("\"{prefix}\" is no session id"), LISTED)
        );
        if prefix.len() == ID {
            return Ok(prefix.to_owned());
        }
        let mut found = self.session_ids()?.into_iter().filter(|id| id.starts_with(prefix));
        match (found.next(), found.next()) {
            (Some(id), None) => Ok(id),
            (Some(_), Some(_)) => {
                bail!(advice(format!("several session ids begin with \"{prefix}\""), "give more of it"))
            }
            (None, _) => bail!(advice(format!("no session id begins with \"{prefix}\""), LISTED)),
        }
    }

    fn session_ids(&self) -> anyhow::Result<Vec<String>> {
        let mut ids = Vec::new();
        match self {
            Bridge::Running(config) => loop {
                let offset = ids.len();
                let path = format!("/sessions/recent?archived=true&limit={SESSIONS}&offset={offset}");
                let text = ask(config, "GET", &path, None)?;
                let raw = Raw::parse(&text)?;
                let page = raw.view::<RecentSessions<'_>>().context(other_version())?;
                let is_last = page.sessions.is_empty() || page.more != Some(true);
                // The rest is in terminals; each counts for the next offset.
                ids.extend(page.sessions.into_iter().map(|session| match session.source {
                    Some(SessionSource::Terminal) => String::new(),
                    _ => session.session_id.into_string(),
                }));
                if is_last {
                    return Ok(ids);
                }
            },
            Bridge::Resting(resting) => {
                let query = SessionQuery {
                    project: None,
                    root: None,
                    text: None,
                    archived: true,
                    offset: 0,
                    limit: usize::MAX,
                };
                let sessions = resting.runtime.block_on(resting.log.sessions(query))?;
                ids.extend(sessions.into_iter().map(|session| session.id));
            }
        }
        Ok(ids)
    }

    /// Events after a number, oldest first, and whether there are more.
    pub(crate) fn events(&self, session: &str, after: u64) -> anyhow::Result<(Vec<StoredEvent>, bool)> {
        match self {
            Bridge::Running(config) => {
                let path = format!("/sessions/{session}/messages?sinceSeq={after}&limit={EVENTS}");
                let text = ask(config, "GET", &path, None)?;
                let raw = Raw::parse(&text)?;
                let page = raw.view::<HistoryPage<'_>>().context(other_version())?;
                let events = page.messages.iter().map(|message| event(message.0.as_str()));
                Ok((events.collect::<anyhow::Result<_>>()?, page.more == Some(true)))
            }
            Bridge::Resting(resting) => {
                let limits = PageLimits { count: EVENTS, bytes: EVENT_BYTES };
                let page = resting.log.page(session, PagePosition::After(after), limits);
                let page = resting.runtime.block_on(page)?;
                let events = page.events.iter().map(|event| stored(event, session));
                Ok((events.collect::<anyhow::Result<_>>()?, page.more))
            }
        }
    }

    /// What the session's agent wrote to its stderr. `known` is the process and the offset to continue with.
    pub(crate) fn stderr(&self, session: &str, known: Option<(&str, u64)>) -> anyhow::Result<StderrLines> {
        match self {
            Bridge::Running(config) => {
                let query = known.map(|(run, offset)| format!("?run={run}&sinceOffset={offset}"));
                let path = format!("/sessions/{session}/stderr{}", query.unwrap_or_default());
                let text = ask(config, "GET", &path, None)?;
                let raw = Raw::parse(&text)?;
                let reply = raw.view::<AgentStderr<'_>>().context(other_version())?;
                let lines = reply.lines.iter().map(|line| (line.time, line.text.as_str().to_owned()));
                Ok(StderrLines {
                    lines: lines.collect(),
                    run: reply.run.as_deref().map(str::to_owned),
                    next: reply.next_offset,
                    more: reply.more == Some(true),
                })
            }
            Bridge::Resting(resting) => {
                let record = resting.runtime.block_on(resting.log.session(session))?;
                let Some(run) = record.keeper.as_deref().and_then(|name| Path::new(name).file_name()) else {
                    return Ok(StderrLines::default());
                };
                let folder = resting.data.join("keepers").join(run);
                let run = run.to_string_lossy().into_owned();
                let from = known.filter(|known| known.0 == run).map_or(0, |known| known.1);
                let page = keeper::read_stderr(&folder, from).context("can't read the agent's stderr")?;
                let lines = page.lines.into_iter().map(|line| (line.time, line.text)).collect();
                Ok(StderrLines { lines, run: Some(run), next: page.next, more: page.more })
            }
        }
    }
}

/// An event as the bridge sends it.
fn event(text: &str) -> anyhow::Result<StoredEvent> {
    let message: Value = serde_json::from_str(text)?;
    let number = |name: &str| message[name].as_u64().unwrap_or_default();
    Ok(StoredEvent { seq: number("seq"), time: number("time"), text: text.to_owned() })
}

/// An event of the log as the bridge sends it.
fn stored(event: &LogEvent, session: &str) -> anyhow::Result<StoredEvent> {
    let mut message: Value = serde_json::from_str(&event.payload)?;
    let time = event.time.0.unsigned_abs();
    message["sessionId"] = session.into();
    message["seq"] = event.seq.into();
    message["time"] = time.into();
    Ok(StoredEvent { seq: event.seq, time, text: message.to_string() })
}
