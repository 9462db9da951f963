//! The agent's start, and the requested end.

use std::path::PathBuf;
use std::time::Duration;

use aqueduct_wire::hint::HintedError as _;
use tokio::time::Instant;

use super::actor::{RETRY, SessionActor};
use super::connect::{find, kill};
use super::details::{self, Details};
use crate::failure::Failure;
use crate::failures::FailureKind;
use crate::fault::{FaultPoint, pass};
use crate::keeper::{self, Activity, KeeperStartError, KeeperState, ShutdownLadder, Unattended};
use crate::log::SessionChange;
use crate::message::ErrorCode;
use crate::message::bridge::{SystemNote, SystemSubtype};
use crate::outbox::Stored;
use crate::telemetry::SessionEvent;
use crate::trace;

/// How many agents in a row may end without having started a turn, until the next one must be requested.
const KILLED_STARTS: u8 = 3;

/// How an agent is ended that is not to finish anything: it is asked by a signal at once.
const LADDER: ShutdownLadder =
    ShutdownLadder { close: Duration::from_millis(500), terminate: Duration::from_secs(3) };

/// How long an agent and all that it started may take to end, until its keeper is killed.
const END_TIME: Duration = Duration::from_secs(10);

/// Why no agent runs.
struct NotStarted {
    failure: Failure,
    /// It was killed: that is not its fault, and the next one may work.
    was_killed: bool,
}

impl From<Failure> for NotStarted {
    fn from(failure: Failure) -> Self {
        NotStarted { failure, was_killed: false }
    }
}

impl SessionActor {
    /// Starts the agent. If that fails, the session reports it, and the queue waits.
    pub(super) async fn start_agent(&mut self) {
        self.is_starting = true;
        self.show_status();
        let started = self.try_start().await;
        self.is_starting = false;
        if let Err(not) = started {
            self.start_failed(not).await;
        }
    }

    async fn try_start(&mut self) -> Result<(), NotStarted> {
        let name = uuid::Uuid::new_v4().to_string();
        let folder = self.services.settings.data.join("keepers").join(&name);
        let agent = self.restrict(self.agent()?).await?;
        let job = self.job(agent, folder.clone())?;
        if let Err(failure) = make(folder.clone()).await {
            self.report(FailureKind::AgentStart, &failure.message);
            // A disk may have room again.
            self.retry_later(format!("the agent can't be started: {}", failure.advised()));
            return Err(failure.into());
        }
        // Written down before it is started, so that no agent is ever forgotten. The folder is there before that: one that
        // is missing later was removed.
        self.details.used.clear();
        self.details.calls.clear();
        self.translator.recall(Default::default());
        self.details.anchor = 0;
        self.details.reports_state = false;
        self.has_worked = false;
        self.was_brief = false;
        self.was_ending = false;
        let changes = vec![
            SessionChange::Keeper(Some(name.clone())),
            SessionChange::Details(details::write(&self.details)),
        ];
        self.append_and_publish(Vec::new(), changes).await?;
        (self.row.keeper, self.row.cursor) = (Some(name), 0);
        pass(FaultPoint::KeeperNamed);
        if let Err(error) = keeper::start(&self.services.settings.keeper, &job).await {
            let was_killed = matches!(error, KeeperStartError::Timeout | KeeperStartError::NoAnswer { .. });
            let message = format!("the agent can't be started: {error}");
            let failure = Failure::agent(message).hinted(error.hint());
            return Err(NotStarted { failure, was_killed });
        }
        pass(FaultPoint::KeeperStarted);
        self.services.metrics.started.add(1);
        trace::agent_started(&self.id, &self.row.agent, self.details.can_resume);
        self.connect(folder);
        Ok(())
    }

    async fn start_failed(&mut self, not: NotStarted) {
        let NotStarted { failure, was_killed } = not;
        if self.retry_at.is_some() {
            // The log could not be written: the session is read again from it, including whether a keeper was
            // named.
            return;
        }
        let folder = self.keeper_folder();
        // A keeper that could not report it may run nevertheless.
        let found = match &folder {
            Some(folder) => find(folder).await,
            None => Ok(KeeperState::Gone),
        };
        match (found, folder.clone()) {
            (Ok(KeeperState::Alive), Some(folder)) => return self.connect(folder),
            (Ok(KeeperState::Dead(remains)), _) => {
                remains.sweep();
                if let Err(error) = remains.close() {
                    return self.retry_later(format!("{}; and its folder: {error}", failure.advised()));
                }
            }
            _ => {}
        }
        // The folder is one that a user named.
        let reason = failure.message.replace(&self.row.project, "PROJECT");
        self.report(FailureKind::AgentStart, reason);
        trace::agent_not_started(&self.id, &failure.message);
        let continues = self.may_start_again(was_killed);
        if !continues {
            self.trouble = Some(failure.advised());
        }
        self.observe(SessionEvent::AgentNotStarted);
        let mut note = SystemNote::new(SystemSubtype::AgentExited);
        note.message = Some(failure.advised().into());
        note.expected = Some(false);
        self.row.keeper = None;
        // If even this can't be written, the status shows why.
        let is_noted = self.note(Stored::new(&note), vec![SessionChange::Keeper(None)]).await.is_ok();
        if let Some(folder) = folder.filter(|_| is_noted) {
            remove(folder).await;
        }
        if !continues {
            self.services.host.report_failure(&self.id, &failure);
        }
    }

    /// Whether another agent is started after one that never got ready. One that ends by itself would end again; one
    /// that was killed is replaced, but not for ever.
    pub(super) fn may_start_again(&mut self, was_killed: bool) -> bool {
        self.killed_starts = if was_killed { self.killed_starts.saturating_add(1) } else { 0 };
        was_killed && self.killed_starts <= KILLED_STARTS
    }

    /// Ends the agent. Its exit comes as an event.
    pub(super) async fn end_agent(&mut self) {
        if let Some(live) = &mut self.live {
            live.is_ending = true;
            live.end_by.get_or_insert_with(|| Instant::now() + END_TIME);
            // A lost keeper is reported by its events.
            let _ = live.handle.end(LADDER).await;
        }
    }

    /// A client stops the session: its agent ends, and what waits is held until a client continues.
    pub(super) async fn stop(&mut self) -> Result<(), Failure> {
        // First of all: a log that can't be written must not keep an agent going.
        match self.live {
            Some(_) => self.end_agent().await,
            // One that answers in time is ended when it does.
            None if self.is_answering() => {}
            None => self.kill_keeper().await,
        }
        if !self.details.held {
            let details = Details { held: true, ..self.details.clone() };
            if let Err(failure) = self
                .append_and_publish(Vec::new(), vec![SessionChange::Details(details::write(&details))])
                .await
            {
                // The agent may not know that it has to end, so its keeper is killed.
                if let Some(folder) = self.keeper_folder() {
                    // What it left behind is read when the log can be written.
                    let _ = kill(folder).await;
                }
                return Err(failure);
            }
            self.details.held = true;
        }
        Ok(())
    }

    /// What is appended when a stopped session is resumed.
    pub(super) fn release(&self) -> Option<SessionChange> {
        let details = Details { held: false, ..self.details.clone() };
        self.details.held.then(|| SessionChange::Details(details::write(&details)))
    }

    /// Clears the hold and earlier failures, once that is stored.
    pub(super) fn released(&mut self) {
        self.details.held = false;
        self.trouble = None;
        self.killed_starts = 0;
    }

    /// Lifts the hold of a stopped session.
    pub(super) async fn lift_hold(&mut self) -> Result<(), Failure> {
        if let Some(change) = self.release() {
            self.append_and_publish(Vec::new(), vec![change]).await?;
        }
        self.released();
        Ok(())
    }

    /// Sends the keeper what to do if this bridge ends: with every change of what the agent is doing.
    pub(super) async fn plan_unattended(&mut self) {
        let is_asking = self.is_asked_by_agent();
        let is_working = !self.sent.is_empty();
        let plan = self.services.settings.unattended;
        let Some(live) = self.live.as_mut().filter(|live| live.takes_plans) else { return };
        let activity = match () {
            () if is_asking => Activity::Deciding,
            () if is_working || live.is_running => Activity::Working,
            () => Activity::Idle,
        };
        let plan = Unattended { activity, ..plan };
        if live.plan != Some(plan) {
            live.plan = Some(plan);
            // A lost keeper is reported by its events.
            let _ = live.handle.unattended(plan).await;
        }
    }

    /// Lets go of the keeper, which continues.
    pub(super) fn detach(&mut self) {
        if let Some(mut live) = self.live.take() {
            for awaiting in live.abandoned() {
                awaiting.fail(Failure::new(ErrorCode::StorageFailed, "the event log can't be written"));
            }
        }
    }

    /// Tries again later what could not be done now.
    pub(super) fn retry_later(&mut self, trouble: String) {
        self.trouble = Some(trouble);
        self.retry_at = Some(Instant::now() + RETRY);
    }
}

/// Makes the folder of a keeper that is to be started.
async fn make(folder: PathBuf) -> Result<(), Failure> {
    let made = tokio::task::spawn_blocking(move || keeper::make(&folder)).await;
    made.map_err(|error| Failure::agent(error.to_string()))?
        .map_err(|error| Failure::of(ErrorCode::AgentFailed, &error))
}

/// Removes an unused folder. One that can't be removed is removed when the bridge starts.
pub(super) async fn remove(folder: PathBuf) {
    let _ = tokio::task::spawn_blocking(move || keeper::delete(&folder)).await;
}
