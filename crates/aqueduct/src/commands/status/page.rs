//! The state of a bridge on a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use aqueduct_bridge::message::bridge::{
    BridgeStatus, ClientCount, FailureNote, PendingDecision, PermissionKind, SessionInfo, SessionStatus,
};

use crate::commands::sessions::ago;
use crate::config::UserEnvironment;
use crate::output::TerminalInfo;
use crate::terminal::{Ink, bytes, fit, fit_end, plain, width};

/// How much of a session's id is shown: enough to distinguish sessions, and what `aqueduct logs` takes.
const ID: usize = 8;

/// How many failures are shown: the latest.
const FAILURES: usize = 5;

/// How wide the folder of a session is at most.
const FOLDER: usize = 32;

/// The page. `version` is that of this program.
pub(super) fn page(
    status: &BridgeStatus<'_>,
    version: &str,
    data: &Path,
    environment: &UserEnvironment,
    now: SystemTime,
    screen: &TerminalInfo,
) -> String {
    let ink = Ink::new(screen.colour);
    let started = SystemTime::UNIX_EPOCH + Duration::from_millis(status.started_at);
    let (sign, state) = match status.readiness.ready {
        true => (ink.green("●"), ink.green("ready")),
        false => (ink.red("●"), ink.red("not ready")),
    };
    let mut page = format!(
        "{sign} {} {state}, started {}\n",
        ink.bold(&format!("aqueduct {}", plain(&status.version))),
        ago(started, now)
    );
    let mut fact = |name: &str, text: &str| {
        let _ = writeln!(page, "  {}  {text}", ink.dim(&format!("{name:<8}")));
    };
    if status.version != version {
        let note = format!("this program is {version}; restart the bridge to run it: agents keep running");
        fact("version", &ink.yellow(&note));
    }
    fact("data", &plain(&environment.shown(data)));
    fact("sessions", &sessions(&status.sessions));
    fact("clients", &clients(&status.clients));
    fact("load", &load(status));
    fact("storage", &storage(status));
    for check in status.readiness.checks.iter().filter(|check| !check.ok) {
        let message = check.message.as_deref().unwrap_or("it failed");
        fact("fails", &ink.red(&format!("{}: {}", plain(check.check.as_str()), plain(message))));
    }
    let totals: Vec<String> = status
        .failures
        .iter()
        .flatten()
        .map(|total| format!("{} {}", total.count, plain(&total.kind)))
        .collect();
    if !totals.is_empty() {
        fact("failures", &totals.join(", "));
    }
    if !status.waiting.is_empty() {
        let _ = writeln!(page, "\n{}", ink.bold("Waiting for a decision"));
        for request in &status.waiting {
            let _ = writeln!(page, "{}", fit(&waiting(request, now), screen.width));
        }
    }
    if !status.sessions.is_empty() {
        let _ = writeln!(page, "\n{}", ink.bold("Sessions"));
        page.push_str(&table(&status.sessions, environment, now, screen));
    }
    let recent = status.recent_failures.as_deref().unwrap_or_default();
    if !recent.is_empty() {
        let _ = writeln!(page, "\n{}", ink.bold("Latest failures"));
        for failure in &recent[recent.len().saturating_sub(FAILURES)..] {
            let _ = writeln!(page, "{}", fit(&failed(failure, now), screen.width));
        }
    }
    page
}

/// The number of sessions, and of each status.
fn sessions(sessions: &[SessionInfo<'_>]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for session in sessions {
        *counts.entry(word(&session.status)).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.iter().map(|(status, count)| format!("{count} {}", plain(status))).collect();
    match counts.is_empty() {
        true => "none".to_owned(),
        false => counts.join(", "),
    }
}

fn clients(clients: &[ClientCount<'_>]) -> String {
    let there = clients.iter().filter(|row| row.count > 0);
    let rows: Vec<String> = there
        .map(|row| {
            let plural = if row.count == 1 { "" } else { "s" };
            let transport = match row.transport.as_str() {
                "websocket" => "WebSocket".to_owned(),
                "events" => "an event stream".to_owned(),
                other => plain(other),
            };
            format!("{} {}{plural} over {transport}", row.count, plain(&row.kind))
        })
        .collect();
    match rows.is_empty() {
        true => "none".to_owned(),
        false => rows.join(", "),
    }
}

fn load(status: &BridgeStatus<'_>) -> String {
    let load = &status.load;
    let files = load.open_files.map(|open| match load.open_files_limit {
        Some(limit) => format!("{open} of {limit} files open"),
        None => format!("{open} files open"),
    });
    let inputs = (load.queued_inputs > 0).then(|| match load.queued_inputs {
        1 => "1 input queued".to_owned(),
        count => format!("{count} inputs queued"),
    });
    let unwritten =
        (load.log_waiting_bytes > 0).then(|| format!("{} to be written", bytes(load.log_waiting_bytes)));
    let memory = load.memory_bytes.map(|used| format!("{} memory", bytes(used)));
    let facts: Vec<String> = [memory, files, inputs, unwritten].into_iter().flatten().collect();
    match facts.is_empty() {
        true => "nothing waits".to_owned(),
        false => facts.join(", "),
    }
}

fn storage(status: &BridgeStatus<'_>) -> String {
    let storage = &status.storage;
    let mut text =
        format!("{} database, {} spools", bytes(storage.database_bytes), bytes(storage.spool_bytes));
    if let (Some(available), Some(total)) = (storage.available_bytes, storage.total_bytes) {
        let _ = write!(text, "; {} of {} available", bytes(available), bytes(total));
    }
    text
}

/// A failure in a line.
fn failed(failure: &FailureNote<'_>, now: SystemTime) -> String {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(failure.time);
    let session =
        failure.session_id.as_deref().map(|session| format!("{}  ", id(session))).unwrap_or_default();
    format!("  {session}{}, {}  {}", plain(&failure.kind), ago(time, now), plain(&failure.error))
}

fn waiting(request: &PendingDecision<'_>, now: SystemTime) -> String {
    let since = SystemTime::UNIX_EPOCH + Duration::from_millis(request.since);
    let what = match request.kind {
        PermissionKind::Permission => plain(&request.tool_name),
        ref kind => plain(kind.as_str()),
    };
    let title = request.title.as_deref().map(|title| format!("  {}", plain(title))).unwrap_or_default();
    format!("  {}  {what}, asked {}{title}", id(&request.session_id), ago(since, now))
}

/// Sessions, a line each. What failed has its reason below.
fn table(
    sessions: &[SessionInfo<'_>],
    environment: &UserEnvironment,
    now: SystemTime,
    screen: &TerminalInfo,
) -> String {
    let ink = Ink::new(screen.colour);
    let row = |session: &SessionInfo<'_>| {
        let updated = session.updated_at.map(|time| SystemTime::UNIX_EPOCH + Duration::from_millis(time));
        let folder = environment.shown(Path::new(session.project_path.as_str()));
        [
            id(&session.session_id),
            plain(word(&session.status)),
            updated.map(|updated| ago(updated, now)).unwrap_or_default(),
            plain(&agent(session)),
            fit_end(&plain(&folder), FOLDER),
        ]
    };
    let rows: Vec<[String; 5]> = sessions.iter().map(row).collect();
    let widths: [usize; 5] =
        std::array::from_fn(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0));
    let mut table = String::new();
    for (row, session) in rows.iter().zip(sessions) {
        let mut line = " ".repeat(2);
        for (text, wide) in row.iter().zip(widths) {
            line.push_str(text);
            line.extend(std::iter::repeat_n(' ', wide.saturating_sub(width(text)) + 2));
        }
        line.push_str(&plain(session.title.as_deref().unwrap_or_default()));
        let _ = writeln!(table, "{}", fit(line.trim_end(), screen.width));
        if let Some(error) = &session.error {
            let _ = writeln!(table, "{}{}", " ".repeat(2 + ID + 2), ink.red(&plain(error)));
        }
    }
    table
}

/// The agent's name and version, as far as they are known.
fn agent(session: &SessionInfo<'_>) -> String {
    let parts = [session.agent.as_deref(), session.agent_version.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn id(id: &str) -> String {
    plain(id.get(..ID).unwrap_or(id))
}

fn word<'s>(status: &'s SessionStatus<'_>) -> &'s str {
    match status {
        SessionStatus::WaitingApproval => "waiting",
        other => other.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::json::Raw;

    use super::*;

    /// The example of the API's documentation.
    const STATUS: &str = include_str!("../../../../aqueduct-bridge/tests/fixtures/bridge.jsonl");

    fn shown(text: &str) -> String {
        let raw = Raw::parse(text).unwrap();
        let status = raw.view::<BridgeStatus<'_>>().unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_millis(status.time);
        let environment = UserEnvironment { home: Some("/home/ada".into()), ..UserEnvironment::default() };
        let screen = TerminalInfo {
            is_terminal: false,
            colour: false,
            notes_colour: false,
            width: 80,
            notes_are_terminal: false,
            progress: false,
            is_dumb: false,
            links: false,
        };
        page(&status, "0.1.0", Path::new("/home/ada/.local/share/aqueduct"), &environment, now, &screen)
    }

    #[test]
    fn the_page_shows_what_fails_and_what_waits() {
        let example = STATUS.lines().find(|line| line.starts_with(r#"{"type":"bridge_status""#)).unwrap();
        insta::assert_snapshot!(shown(example), @r"
        ● aqueduct 0.1.0 not ready, started 1 h ago
          data      ~/.local/share/aqueduct
          sessions  1 running
          clients   2 devices over WebSocket, 1 token over an event stream
          load      24.0 MiB memory, 41 of 1024 files open, 1 input queued
          storage   12.0 MiB database, 8.0 KiB spools; 50.0 MiB of 100.0 GiB available
          fails     disk: the disk of the data folder has less than 64 MiB left
          failures  1 agent_crash

        Waiting for a decision
          0198c0de  Bash, asked 1 min ago  Run cargo test?

        Sessions
          0198c0de  running  1 min ago    /proj/api  Login test

        Latest failures
          0198c0de  agent_crash, 2 min ago  the agent ended with exit code 3
        ");
    }

    #[test]
    fn a_bridge_without_sessions_has_a_short_page() {
        let idle = r#"{"type":"bridge_status","version":"9.0.0","startedAt":0,"time":0,"readiness":{"ready":true,"checks":[]},"sessions":[],"waiting":[],"clients":[],"load":{"logWaitingBytes":0,"queuedInputs":0},"storage":{"databaseBytes":0,"spoolBytes":0}}"#;
        insta::assert_snapshot!(shown(idle), @r"
        ● aqueduct 9.0.0 ready, started just now
          version   this program is 0.1.0; restart the bridge to run it: agents keep running
          data      ~/.local/share/aqueduct
          sessions  none
          clients   none
          load      nothing waits
          storage   0 bytes database, 0 bytes spools
        ");
    }
}
