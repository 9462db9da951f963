//! Agents that have ended, whether requested or not.

use std::path::PathBuf;
use std::time::Duration;

use aqueduct_wire::hint::HintedError as _;

use super::absorb::{NOTHING_TO_RESUME, notice};
use super::actor::SessionActor;
use super::details;
use super::lifecycle::remove;
use super::live::LiveAgent;
use super::translate::SessionOutput;
use crate::failure::Failure;
use crate::failures::FailureKind;
use crate::fault::{FaultPoint, pass};
use crate::keeper::{
    self, AgentEnd, AgentExit, InputDelivery as WriteState, InputId, KeeperRemains, RemainingLines,
    ShutdownLadder, SpoolLine,
};
use crate::log::SessionChange;
use crate::message::bridge::{SystemNote, SystemSubtype};
use crate::outbox::Stored;
use crate::telemetry::SessionEvent;
use crate::trace;

/// How much of what a dead keeper left behind is taken in with one commit.
const REMAINING_LINES: usize = 1024;
const REMAINING_BYTES: u64 = 4 << 20;

/// How long a keeper may take to go.
const DISMISSAL: Duration = Duration::from_secs(10);

/// How an agent has ended.
#[derive(Clone, Copy)]
struct ExitReport<'a> {
    /// What the keeper saw of it; nothing, if it was killed with its keeper.
    exit: Option<&'a AgentExit>,
    /// The end was requested.
    expected: bool,
    /// It took prompts.
    was_ready: bool,
    /// It reported that there is nothing to resume.
    is_resume_fault: bool,
    /// Why its keeper failed, if that is known.
    keeper_failure: Option<&'a str>,
    /// What the journal has about its inputs; nothing, if there is none.
    write_states: Option<&'a [WriteState]>,
}

impl SessionActor {
    /// The agent has ended, with all that it started.
    pub(super) async fn agent_exited(&mut self, exit: AgentExit) {
        pass(FaultPoint::ExitReceived);
        let Some(mut live) = self.live.take() else { return };
        let write_states = self.write_states(live.folder.clone()).await;
        // One that had nothing to do was ended by the bridge before this one.
        let was_idle = live.was_over && self.sent.is_empty() && exit.ended == AgentEnd::Code(0);
        let end = ExitReport {
            exit: Some(&exit),
            expected: live.is_ending || exit.unattended || was_idle || self.details.held,
            was_ready: live.is_ready || live.was_ready_before,
            is_resume_fault: live.is_resume_fault,
            keeper_failure: None,
            write_states: write_states.as_deref(),
        };
        let abandoned = live.abandoned();
        if self.gone(end).await {
            pass(FaultPoint::ExitStored);
            // A task that ends with the keeper, which ends when it is notified that everything is stored.
            tokio::spawn(dismiss(live));
        }
        let mut failure = Failure::agent("the agent has ended");
        failure.stderr = Some(String::from_utf8_lossy(&exit.stderr).into_owned());
        for awaiting in abandoned {
            awaiting.fail(failure.clone());
        }
        self.pump().await;
    }

    /// What the journal in a keeper's folder has about the inputs that are sent; nothing if it can't be read.
    pub(super) async fn write_states(&self, folder: PathBuf) -> Option<Vec<WriteState>> {
        let ids = self.sent_ids();
        if ids.is_empty() {
            return Some(Vec::new());
        }
        tokio::task::spawn_blocking(move || keeper::sent(&folder, &ids).ok()).await.ok().flatten()
    }

    fn sent_ids(&self) -> Vec<InputId> {
        self.sent.iter().filter_map(|sent| InputId::new(&sent.input.id).ok()).collect()
    }

    /// Stores that the agent has ended. Returns whether that worked.
    async fn gone(&mut self, end: ExitReport<'_>) -> bool {
        self.translator.reset();
        let ExitReport { exit, expected, was_ready, .. } = end;
        let stderr = exit.map(|exit| String::from_utf8_lossy(&exit.stderr).trim().to_owned());
        let is_resume_fault = end.is_resume_fault || self.is_resume_fault(stderr.as_deref());
        if !was_ready && !expected && !self.was_restarted && is_resume_fault {
            return self.turn().await;
        }
        self.observe(SessionEvent::AgentEnded { end: exit.map(|exit| exit.ended), expected });
        let (mut outputs, mut changes) = self.withdraw_all();
        outputs.push(SessionOutput::Stored(Stored::new(&note_of(exit, expected, stderr.as_deref()))));
        let (asked, settled) = self.settle_sent(end.write_states);
        outputs.extend(asked);
        changes.extend(settled);
        changes.push(SessionChange::Keeper(None));
        self.row.keeper = None;
        if let Some(stderr) = stderr.as_deref().filter(|stderr| !stderr.is_empty()) {
            trace::agent_stderr(&self.id, stderr);
        }
        if expected {
            let ended = exit.map_or("was killed".to_owned(), |exit| ended(exit.ended));
            trace::agent_ended(&self.id, &ended);
        } else {
            let was_killed = exit.is_none_or(|exit| matches!(exit.ended, AgentEnd::Signal(_)));
            let ended = exit.map_or("was killed".to_owned(), |exit| ended(exit.ended));
            let kind = if exit.is_some() { FailureKind::AgentCrash } else { FailureKind::KeeperLost };
            match end.keeper_failure {
                Some(reason) => self.report(kind, format_args!("the keeper failed: {reason}")),
                None => self.report(kind, format_args!("the agent {ended}")),
            }
            let last_words = stderr.as_deref().and_then(|stderr| stderr.lines().last()).unwrap_or_default();
            let message = match last_words.is_empty() {
                true => format!("the agent {ended}"),
                false => format!("the agent {ended}: {last_words}"),
            };
            // One that died at work is resumed for what waits.
            let has_worked = was_ready && self.has_worked;
            let continues =
                self.has_waiting() && (has_worked || self.may_start_again(was_killed || was_ready));
            if !continues {
                self.trouble = Some(message.clone());
            }
            if !was_ready && !continues {
                self.services.host.report_failure(&self.id, &Failure { stderr, ..Failure::agent(message) });
            }
        }
        self.append_and_publish(outputs, changes).await.is_ok()
    }

    /// The next agent is started the other way: it resumes, or begins anew.
    async fn turn(&mut self) -> bool {
        self.was_restarted = true;
        let begins_anew = self.details.can_resume;
        self.details.can_resume = !begins_anew;
        let message = "The agent has kept nothing of the conversation so far: it begins anew.";
        let mut outputs: Vec<SessionOutput> =
            begins_anew.then(|| SessionOutput::Stored(notice(message.to_owned()))).into_iter().collect();
        // The agent has reported that it took nothing: inputs that it was given go to the next one.
        let (asked, mut changes) = self.settle_sent(Some(&vec![WriteState::Not; self.sent.len()]));
        outputs.extend(asked);
        changes.extend([SessionChange::Keeper(None), SessionChange::Details(details::write(&self.details))]);
        self.row.keeper = None;
        self.append_and_publish(outputs, changes).await.is_ok()
    }

    /// Whether an agent has ended because there was nothing to resume, or something that had to be.
    fn is_resume_fault(&self, stderr: Option<&str>) -> bool {
        let outputs = stderr.unwrap_or_default();
        match self.details.can_resume {
            true => outputs.contains(NOTHING_TO_RESUME),
            false => outputs.contains("already in use") || outputs.contains("already exists"),
        }
    }

    /// The keeper is gone without a word: what it left behind is read.
    pub(super) async fn lost_keeper(&mut self, why: &str) {
        let Some(mut live) = self.live.take() else { return };
        for awaiting in live.abandoned() {
            awaiting.fail(Failure::agent(why));
        }
        self.was_ending = live.is_ending;
        self.was_brief = live.is_brief();
        drop(live);
        self.recover().await;
        self.pump().await;
    }

    /// The log names no keeper, so no agent has anything: inputs marked as sent are from a log that was set
    /// back.
    pub(super) async fn without_keeper(&mut self) {
        if self.sent.iter().all(|sent| sent.input.state == crate::log::StoredInputState::Returned) {
            return;
        }
        let (outputs, changes) = self.settle_sent(None);
        // If this can't be written, it is found out anew.
        let _ = self.append_and_publish(outputs, changes).await;
    }

    /// The folder of the session's keeper is gone, and the keeper with it.
    pub(super) async fn keeper_vanished(&mut self) {
        let expected = self.details.held;
        let end = ExitReport {
            exit: None,
            expected,
            was_ready: true,
            is_resume_fault: false,
            keeper_failure: None,
            write_states: None,
        };
        // If this can't be written, it is found out anew.
        self.gone(end).await;
    }

    /// Takes in what a dead keeper left behind, and notes what became of the inputs.
    pub(super) async fn process_remains(&mut self, folder: PathBuf, remains: KeeperRemains) {
        pass(FaultPoint::RemainsFound);
        let cursor = self.row.cursor;
        let anchor = self.details.anchor.min(cursor);
        let read = tokio::task::spawn_blocking(move || {
            // Before the log has it as ended: one that starts late must not start an agent.
            remains.close()?;
            remains.sweep();
            let lines = remains.lines(anchor)?;
            Ok::<_, std::io::Error>((remains, lines))
        });
        let (remains, lines) = match read.await.map_err(std::io::Error::other).flatten() {
            Ok(read) => read,
            Err(error) => {
                self.keeper_unusable(&error);
                return self.retry_later(format!("can't read what the agent left behind: {error}"));
            }
        };
        if let Err(failure) = self.recall_given(&folder, false).await {
            return self.retry_later(failure.advised());
        }
        let has_lines = match self.take_remaining(lines, cursor).await {
            Ok(has_lines) => has_lines,
            // What can't be read never will be: the session continues without it.
            Err(Some(error)) => {
                self.report(FailureKind::OutputUnreadable, &error);
                let message = format!("A part of the agent's output can't be read: {error}.");
                if self.note(notice(message), Vec::new()).await.is_err() {
                    return;
                }
                true
            }
            // The log can't be written: all of it is tried again from there.
            Err(None) => return,
        };
        pass(FaultPoint::RemainsRead);
        let ids = self.sent_ids();
        let known = tokio::task::spawn_blocking(move || {
            let (exit, write_states) = (remains.exit().ok().flatten(), remains.sent(&ids).ok());
            let failure = remains.failure().ok().flatten();
            (remains, exit, failure, write_states)
        });
        let (remains, exit, failure, write_states) = match known.await {
            Ok(known) => known,
            Err(error) => {
                self.keeper_unusable(&error);
                return self.retry_later(format!("can't read what the agent left behind: {error}"));
            }
        };
        let was_started =
            has_lines || exit.is_some() || remains.card().is_some_and(|card| card.agent.is_some());
        let is_done = match was_started {
            true => self.ended_meanwhile(exit.as_ref(), failure.as_deref(), write_states.as_deref()).await,
            false => self.never_started().await,
        };
        if is_done {
            pass(FaultPoint::RemainsStored);
            remove(folder).await;
        }
        drop(remains);
    }

    /// Processes the lines that an ended keeper left behind, a part at a time. Returns whether there were
    /// any.
    async fn take_remaining(
        &mut self,
        mut lines: RemainingLines,
        mut cursor: u64,
    ) -> Result<bool, Option<std::io::Error>> {
        let mut has_lines = false;
        loop {
            let part = tokio::task::spawn_blocking(move || {
                let part = some_lines(&mut lines);
                (lines, part)
            });
            let (rest, part) = part.await.map_err(|error| Some(std::io::Error::other(error)))?;
            let part = part.map_err(Some)?;
            lines = rest;
            if part.is_empty() {
                return Ok(has_lines);
            }
            has_lines = true;
            let batch = self.read(part, cursor);
            cursor = self.commit_remains(batch, cursor).await.map_err(|_| None)?;
            self.row.cursor = cursor;
        }
    }

    /// The keeper was killed, or the agent ended while no bridge was there.
    async fn ended_meanwhile(
        &mut self,
        exit: Option<&AgentExit>,
        keeper_failure: Option<&str>,
        write_states: Option<&[WriteState]>,
    ) -> bool {
        let is_cut = self.sent.iter().any(|sent| sent.input.state == crate::log::StoredInputState::Taken);
        if is_cut {
            let stored =
                notice("The agent ended while it was at work. It is resumed with the next input.".to_owned());
            if self.note(stored, Vec::new()).await.is_err() {
                return false;
            }
        }
        let end = ExitReport {
            exit,
            expected: self.details.held || self.was_ending || exit.is_some_and(|exit| exit.unattended),
            was_ready: true,
            is_resume_fault: false,
            keeper_failure,
            write_states,
        };
        self.gone(end).await
    }

    /// The bridge or the keeper died before there was an agent.
    async fn never_started(&mut self) -> bool {
        // Nothing is sent before an agent is ready: if something is, the folder has lost what it had.
        let (outputs, mut changes) = self.settle_sent(None);
        changes.push(SessionChange::Keeper(None));
        self.row.keeper = None;
        self.append_and_publish(outputs, changes).await.is_ok()
    }
}

/// The next lines, as many as are taken in with one commit.
fn some_lines(lines: &mut RemainingLines) -> std::io::Result<Vec<SpoolLine>> {
    let (mut some, mut bytes) = (Vec::new(), 0);
    while some.len() < REMAINING_LINES && bytes < REMAINING_BYTES {
        let Some(line) = lines.next() else { break };
        let line = line?;
        bytes += line.next - line.offset;
        some.push(line);
    }
    Ok(some)
}

/// The message that reports an agent's end.
fn note_of(exit: Option<&AgentExit>, expected: bool, stderr: Option<&str>) -> SystemNote<'static> {
    let mut note = SystemNote::new(SystemSubtype::AgentExited);
    note.expected = Some(expected);
    match exit.map(|exit| exit.ended) {
        Some(AgentEnd::Code(code)) => note.exit_code = Some(code.into()),
        Some(AgentEnd::Signal(signal)) => note.signal = Some(signal_name(signal).into()),
        None => note.message = Some("The agent was killed together with its keeper.".into()),
    }
    if exit.is_some_and(|exit| exit.unattended) {
        note.message = Some("The agent was ended because no bridge was there for it.".into());
    }
    note.stderr = stderr.filter(|stderr| !stderr.is_empty()).map(|stderr| stderr.to_owned().into());
    note
}

/// Lets a keeper go whose agent has ended, and removes its folder.
async fn dismiss(mut live: LiveAgent) {
    // One that is gone stores nothing that could be deleted. Keepers of earlier versions stay until they receive this.
    let _ = live.handle.ack(live.received);
    let _ = live.handle.end(ShutdownLadder::default()).await;
    let gone = async { while live.events.next().await.is_some() {} };
    let _ = tokio::time::timeout(DISMISSAL, gone).await;
    remove(live.folder).await;
}

fn ended(ended: AgentEnd) -> String {
    match ended {
        AgentEnd::Code(code) => format!("ended with code {code}"),
        AgentEnd::Signal(signal) => format!("was ended by {}", signal_name(signal)),
    }
}

fn signal_name(signal: i32) -> String {
    match signal {
        1 => "SIGHUP".to_owned(),
        2 => "SIGINT".to_owned(),
        3 => "SIGQUIT".to_owned(),
        6 => "SIGABRT".to_owned(),
        9 => "SIGKILL".to_owned(),
        11 => "SIGSEGV".to_owned(),
        13 => "SIGPIPE".to_owned(),
        15 => "SIGTERM".to_owned(),
        other => format!("signal {other}"),
    }
}
