//! The keeper's loop.

use std::io;
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use aqueduct_os::file_watch::FileWatch;

use super::agent::AgentProcess;
use super::attendance::Attendance;
use super::connection::BridgeConnection;
use super::ending::AgentEnding;
use super::frame_head::FrameHeads;
use super::inputs::Inputs;
use super::output::UnspooledOutput;
use super::ready::{PollSet, PollSource, ReadySources};
use super::signals::KeeperSignals;
use super::tail::Tail;
use crate::keeper::folder::{FolderLock, KeeperFolder};
use crate::keeper::job::KeeperLimits;
use crate::keeper::protocol::{AgentExit, ShutdownLadder, Trouble, TroubleKind, Unattended};
use crate::keeper::spool::Spool;
use crate::keeper::stderr::StderrWriter;

/// How long after a write that failed it is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// How often the keeper wakes up only to see whether its folder is still there.
const LOOK: Duration = Duration::from_secs(60);

/// What a keeper begins with.
pub(super) struct KeeperParts {
    pub(super) folder: KeeperFolder,
    pub(super) lock: FolderLock,
    pub(super) limits: KeeperLimits,
    pub(super) agent: AgentProcess,
    pub(super) spool: Spool,
    pub(super) inputs: Inputs,
    pub(super) listener: UnixListener,
    pub(super) signals: KeeperSignals,
    pub(super) removal: FileWatch,
    pub(super) unattended: Unattended,
}

/// A keeper at work.
pub(super) struct KeeperLoop {
    pub(super) folder: KeeperFolder,
    lock: FolderLock,
    pub(super) limits: KeeperLimits,
    pub(super) agent: AgentProcess,
    pub(super) spool: Spool,
    pub(super) inputs: Inputs,
    pub(super) listener: UnixListener,
    signals: KeeperSignals,
    removal: FileWatch,
    pub(super) attendance: Attendance,
    /// What kinds of frames the agent writes.
    pub(super) heads: FrameHeads,
    /// The agent is ended because no bridge came.
    pub(super) is_unattended: bool,
    /// Output of the agent that is not in the spool yet.
    pub(super) output: UnspooledOutput,
    pub(super) tail: Tail,
    /// The same for those who look while the agent runs.
    pub(super) stderr: StderrWriter,
    pub(super) ending: AgentEnding,
    /// How the agent ended, when its whole output is in the spool and this is in the folder.
    pub(super) exit: Option<AgentExit>,
    /// When that was.
    exited: Option<Instant>,
    /// What the bridge has remembered.
    pub(super) acked: u64,
    /// Whether the keeper is to go without waiting for a bridge.
    is_shutting_down: bool,
    /// The bridge that has attached.
    pub(super) holder: Option<BridgeConnection>,
    /// One that has come and not attached yet.
    pub(super) newcomer: Option<BridgeConnection>,
    /// Why the agent has to wait.
    pub(super) trouble: Option<Trouble>,
    /// When to try again what could not be written, and the system's error.
    retry: Option<(Instant, String)>,
    /// When to look after the folder.
    look: Instant,
}

impl KeeperLoop {
    pub(super) fn new(parts: KeeperParts) -> KeeperLoop {
        let KeeperParts {
            folder,
            lock,
            limits,
            agent,
            spool,
            inputs,
            listener,
            signals,
            removal,
            unattended,
        } = parts;
        let now = Instant::now();
        KeeperLoop {
            acked: spool.oldest(),
            stderr: StderrWriter::new(folder.path()),
            folder,
            lock,
            limits,
            agent,
            spool,
            inputs,
            listener,
            signals,
            removal,
            attendance: Attendance::new(unattended, now),
            heads: FrameHeads::default(),
            is_unattended: false,
            output: UnspooledOutput::default(),
            tail: Tail::default(),
            ending: AgentEnding::Running,
            exit: None,
            exited: None,
            is_shutting_down: false,
            holder: None,
            newcomer: None,
            trouble: None,
            retry: None,
            look: now + LOOK,
        }
    }

    /// Runs until the keeper is no longer needed.
    pub(super) fn run(mut self) -> io::Result<()> {
        while !self.is_over() {
            let ready = self.sleep()?;
            let now = Instant::now();
            if ready.has(PollSource::Requests) {
                self.signals.forget_requests();
                self.shut_down(now);
            }
            if ready.has(PollSource::Deaths) {
                self.signals.forget_deaths();
                self.agent.reap();
            }
            if ready.has(PollSource::Listener) {
                self.accept();
            }
            if ready.has(PollSource::Newcomer) {
                self.read_newcomer(now);
            }
            if ready.has(PollSource::Holder) {
                self.read_holder(now);
            }
            if ready.has(PollSource::Removal) {
                self.removal.clear();
            }
            self.look_after_folder(now);
            self.advance(&ready, now);
            self.serve();
            self.attendance.attended(self.holder.is_some(), Instant::now());
        }
        // No bridge should connect to a socket without a keeper. If it can't be removed, the lock shows that none runs.
        let _ = self.folder.forget_socket();
        Ok(())
    }

    /// Everything that continues by itself: the agent's output, its input, its end.
    fn advance(&mut self, ready: &ReadySources, now: Instant) {
        self.retry.take_if(|(time, _)| now >= *time);
        self.end_unattended(now);
        self.ending.advance(self.agent.group(), now);
        self.see_to_end(now);
        if ready.has(PollSource::Stderr) {
            self.read_stderr();
        }
        if self.retry.is_none() {
            let kept = self.write_input().and_then(|()| self.take_output(ready));
            if let Err(error) = kept.and_then(|()| self.conclude(now)) {
                self.retry = Some((now + RETRY, error.to_string()));
            }
        }
        self.name_trouble();
    }

    /// Ends an agent to which no bridge attached in time.
    fn end_unattended(&mut self, now: Instant) {
        let is_due = self.attendance.deadline().is_some_and(|deadline| now >= deadline);
        if is_due && !self.ending.has_begun() && self.agent.ended().is_none() {
            self.is_unattended = true;
            self.ending.begin(ShutdownLadder::default(), now);
        }
    }

    /// What follows from the agent's end, or from the wish for it.
    fn see_to_end(&mut self, now: Instant) {
        if self.agent.ended().is_some() && !self.agent.is_gone() {
            self.ending.end_leftovers(self.agent.group(), now);
            // Those whom only the signal ended are waited for here at once.
            self.agent.reap();
        }
        let closing = self.ending.has_begun() && self.inputs.writing().is_none();
        if closing || !self.ending.may_write() {
            self.agent.stdin = None;
        }
    }

    fn write_input(&mut self) -> io::Result<()> {
        let answer = self.inputs.advance(&mut self.agent.stdin)?;
        if let (Some(answer), Some(holder)) = (answer, &mut self.holder) {
            holder.send_message(&answer);
        }
        Ok(())
    }

    /// Someone asks the keeper itself to end: the agent ends first.
    fn shut_down(&mut self, now: Instant) {
        self.is_shutting_down = true;
        self.ending.begin(ShutdownLadder::default(), now);
    }

    /// No bridge can reach a keeper whose folder was deleted.
    fn look_after_folder(&mut self, now: Instant) {
        self.look = now + LOOK;
        if !self.is_shutting_down && !self.lock.is_there() {
            self.shut_down(now);
        }
    }

    /// Whether the keeper is no longer needed: its state is in its folder.
    fn is_over(&self) -> bool {
        if self.exit.is_none() {
            // Its folder is gone or can't be written, and it was asked to go: waiting would be for ever.
            return self.is_shutting_down && self.agent.is_gone() && self.retry.is_some();
        }
        // A keeper that exits while the bridge still sends would discard its own last messages.
        let is_delivered =
            self.holder.as_ref().is_some_and(BridgeConnection::knows_all) && self.acked >= self.spool.next();
        is_delivered || self.is_shutting_down || self.linger_end().is_some_and(|end| Instant::now() >= end)
    }

    /// Until when a bridge is waited for after the agent's end, where none is there.
    fn linger_end(&self) -> Option<Instant> {
        let exited = self.exited?;
        let alone = self.attendance.alone_since()?;
        exited.max(alone).checked_add(self.limits.linger)
    }

    /// The agent's end is complete.
    pub(super) fn exited(&mut self, exit: AgentExit, now: Instant) {
        self.exit = Some(exit);
        self.exited = Some(now);
    }

    /// Whether the agent has to wait, because the spool is full of unacknowledged output.
    pub(super) fn is_full(&self) -> bool {
        self.spool.size() >= self.limits.spool && self.acked < self.spool.next()
    }

    /// What could not be written is tried again at once: there may be room now.
    pub(super) fn try_again(&mut self) {
        self.retry = None;
    }

    /// Why the agent has to wait, if it has to.
    fn name_trouble(&mut self) {
        self.trouble = if let Some((_, message)) = &self.retry {
            let message =
                format!("the session's folder can't be written: {message}. Free some space; the agent waits");
            Some(Trouble { kind: TroubleKind::Storage, message })
        } else if self.is_full() && self.agent.stdout.is_some() {
            let waiting = self.spool.next() - self.acked;
            let message = format!("{waiting} bytes of output wait to be acknowledged; the agent waits too");
            Some(Trouble { kind: TroubleKind::Full, message })
        } else {
            None
        };
    }

    /// Sleeps until there is something to do.
    fn sleep(&self) -> io::Result<ReadySources> {
        let mut wanted = PollSet::default();
        wanted.read(PollSource::Deaths, &self.signals.deaths);
        wanted.read(PollSource::Requests, &self.signals.requests);
        wanted.read(PollSource::Listener, &self.listener);
        if let Some(events) = self.removal.events() {
            wanted.read(PollSource::Removal, events);
        }
        let can_write = self.retry.is_none();
        if let Some(stdin) = self.agent.stdin.as_ref().filter(|_| can_write && self.inputs.wants_pipe()) {
            wanted.write(PollSource::Stdin, stdin);
        }
        if let Some(stdout) = self.agent.stdout.as_ref().filter(|_| can_write && !self.is_full()) {
            wanted.read(PollSource::Stdout, stdout);
        }
        if let Some(stderr) = &self.agent.stderr {
            wanted.read(PollSource::Stderr, stderr);
        }
        if let Some(newcomer) = &self.newcomer {
            wanted.either(PollSource::Newcomer, newcomer.stream(), true, newcomer.is_behind());
        }
        if let Some(holder) = &self.holder {
            wanted.either(
                PollSource::Holder,
                holder.stream(),
                holder.is_received(),
                holder.is_owed(&self.spool, self.exit.is_some()),
            );
        }
        let now = Instant::now();
        let times = [
            Some(self.look),
            self.ending.deadline().filter(|_| self.exit.is_none()),
            self.retry.as_ref().map(|(time, _)| *time),
            self.attendance.deadline().filter(|_| !self.ending.has_begun() && self.agent.ended().is_none()),
            self.linger_end(),
        ];
        let next = times.into_iter().flatten().min().unwrap_or(now);
        wanted.wait(next.saturating_duration_since(now))
    }
}
