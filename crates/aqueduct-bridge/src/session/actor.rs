use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::hint::HintedError as _;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tracing::Span;

use super::command::SessionCommand;
use super::connect::{Connecting, PATIENCE};
use super::details::{self, Details, StoredOptions};
use super::host::Services;
use super::live::{Awaiting, LiveAgent};
use super::timing::{self, SessionTiming};
use super::translate::{SessionOutput, Translator};
use super::watchers::{Watcher, Watchers};
use crate::failure::Failure;
use crate::failures::{FailureKind, FailureSubject};
use crate::keeper::{self, AttachError, AttachedKeeper, KeeperEvent};
use crate::log::{
    self, Append, AttachedSession, LogError, PageLimits, PagePosition, PendingState, SessionChange,
    StoredInputState, Time,
};
use crate::message::bridge::{SessionStatus, SessionUpdate, StatusChange};
use crate::message::{BridgeMessage, ErrorCode};
use crate::outbox::SharedText;
use crate::outbox::Stored;
use crate::telemetry::{ObservedSession, SessionObserver};
use crate::trace;

/// How many requests of clients wait for a session at most; further ones wait with those who ask.
pub(crate) const MAILBOX: usize = 64;

/// After how long a log that could not be written is tried again.
pub(super) const RETRY: Duration = Duration::from_secs(5);

/// The task of one session.
pub(crate) struct SessionActor {
    pub(super) id: Arc<str>,
    pub(super) services: Services,
    pub(super) mailbox: mpsc::Receiver<SessionCommand>,
    /// The session as the log has it.
    pub(super) row: log::SessionRecord,
    pub(super) options: StoredOptions,
    pub(super) details: Details,
    /// Inputs that wait.
    pub(super) queue: VecDeque<log::StoredInput>,
    /// Inputs that the agent has or is about to get.
    pub(super) sent: Vec<SentInput>,
    /// What is to be decided, or is decided and not yet with the agent.
    pub(super) pending: Vec<log::StoredRequest>,
    pub(super) live: Option<LiveAgent>,
    /// A keeper that lives and has not answered yet.
    pub(super) connecting: Option<Connecting>,
    pub(super) translator: Translator,
    pub(super) watchers: Watchers,
    pub(super) timing: SessionTiming,
    /// Makes traces and metrics of what happens.
    pub(super) observer: Option<Box<dyn SessionObserver>>,
    status: SessionStatus<'static>,
    since: Time,
    /// Why it failed, for people.
    pub(super) trouble: Option<String>,
    /// Since when the agent, or the actor, is unused.
    quiet_since: Option<Instant>,
    /// When to start over from the log, which could not be written.
    pub(super) retry_at: Option<Instant>,
    /// An agent is being started.
    pub(super) is_starting: bool,
    /// The keeper was lost while its agent was being ended.
    pub(super) was_ending: bool,
    /// The last connection to the keeper was closed at once: the next one is not tried at once.
    pub(super) was_brief: bool,
    /// How many agents ended in a row without having begun with anything.
    pub(super) killed_starts: u8,
    /// The agent has begun with an input.
    pub(super) has_worked: bool,
    /// Whether the agent was started anew because it would not resume, or the other way round.
    pub(super) was_restarted: bool,
    pub(super) turn_since: Option<Time>,
    /// The agent has begun a turn and not ended it.
    pub(super) is_in_turn: bool,
    /// The turn, for what collects spans.
    pub(super) turn_span: Span,
    pub(super) is_closing: bool,
}

/// An input that is the agent's.
#[derive(Debug)]
pub(super) struct SentInput {
    pub(super) input: log::StoredInput,
    /// It was given to the keeper that lives.
    pub(super) is_given: bool,
}

impl SentInput {
    /// As the log has it: whether a keeper got it is not known, unless the agent has begun with it.
    fn found(input: log::StoredInput) -> Self {
        SentInput { is_given: input.state == StoredInputState::Taken, input }
    }

    /// No agent has it: it is given to the next one.
    pub(super) fn return_to_queue(&mut self, changes: &mut Vec<SessionChange>) {
        self.is_given = false;
        if self.input.state != StoredInputState::Returned {
            self.input.state = StoredInputState::Returned;
            changes.push(SessionChange::Input { id: self.input.id.clone(), to: StoredInputState::Returned });
        }
    }
}

impl SessionActor {
    /// An actor for a session as the log has it, watched by these clients from the beginning.
    pub(crate) fn new(
        services: Services,
        found: AttachedSession,
        mailbox: mpsc::Receiver<SessionCommand>,
        watchers: Vec<Watcher>,
    ) -> Self {
        let id: Arc<str> = found.session.id.as_str().into();
        let observed = ObservedSession { id: &id, agent: &found.session.agent };
        let observer = services.settings.telemetry.as_ref().map(|telemetry| telemetry.observe(&observed));
        let mut actor = SessionActor {
            watchers: Watchers::new(id.clone(), watchers),
            id,
            services,
            mailbox,
            since: found.session.updated,
            status: SessionStatus::Stopped,
            options: StoredOptions::default(),
            details: Details::default(),
            row: found.session.clone(),
            queue: VecDeque::new(),
            sent: Vec::new(),
            pending: Vec::new(),
            live: None,
            connecting: None,
            translator: Translator::default(),
            timing: SessionTiming::default(),
            observer,
            trouble: None,
            quiet_since: None,
            retry_at: None,
            is_starting: false,
            was_ending: false,
            was_brief: false,
            killed_starts: 0,
            has_worked: false,
            was_restarted: false,
            turn_since: None,
            is_in_turn: false,
            turn_span: Span::none(),
            is_closing: false,
        };
        actor.load(found);
        actor
    }

    /// Serves the session until it is closed. `opening` was committed before and is sent first.
    pub(crate) async fn run(mut self, opening: Vec<Stored>) {
        let first = (self.row.last_seq + 1).saturating_sub(opening.len() as u64);
        self.show(opening.into_iter().map(SessionOutput::Stored).collect(), first, Time::now());
        self.show_row();
        self.recover().await;
        self.announce_open();
        self.pump().await;
        while !self.is_closing {
            self.end_unreachable().await;
            self.show_status();
            self.plan_unattended().await;
            self.note_quiet();
            let (deadline, quiet_end) = (self.live.as_ref().and_then(LiveAgent::deadline), self.quiet_end());
            let patience_end = self.connecting.as_ref().and_then(Connecting::patience_end);
            let end_by = self.live.as_ref().and_then(|live| live.end_by);
            tokio::select! {
                ask = self.mailbox.recv() => match ask {
                    Some(ask) => self.serve(ask).await,
                    None => self.close(),
                },
                event = next_event(&mut self.live) => self.receive_event(event).await,
                attached = next_answer(&mut self.connecting) => self.connected(attached).await,
                // The status shows that the agent does not answer.
                () = sleep_until(patience_end) => {}
                () = sleep_until(end_by) => self.kill_keeper().await,
                () = sleep_until(deadline) => self.expire().await,
                () = sleep_until(quiet_end) => self.end_quiet().await,
                () = sleep_until(self.retry_at) => {
                    self.start_over().await;
                    self.pump().await;
                }
            }
        }
        self.services.host.release(&self.id);
        // What was asked meanwhile is asked again of the next actor.
        self.mailbox.close();
        while self.mailbox.recv().await.is_some() {}
    }

    pub(super) fn close(&mut self) {
        self.is_closing = true;
    }

    /// Gives up on answers of the agent that are too late.
    async fn expire(&mut self) {
        let expired = self.live.as_mut().map(LiveAgent::expire).unwrap_or_default();
        for awaiting in expired {
            match (&awaiting, &mut self.live) {
                // Some agents don't know the request and don't report it.
                (Awaiting::Start, Some(live)) => live.is_ready = true,
                _ => self.report(FailureKind::AgentTimeout, awaiting.name()),
            }
            awaiting.fail(
                Failure::new(ErrorCode::AgentTimeout, "the agent did not answer in time")
                    .sentence("Interrupt it, or stop and resume the session"),
            );
        }
        self.pump().await;
    }

    /// Appends to the log, and sends it to watchers in order once it is committed.
    pub(super) async fn append_and_publish(
        &mut self,
        outputs: Vec<SessionOutput>,
        changes: Vec<SessionChange>,
    ) -> Result<(), Failure> {
        let now = Time::now();
        let events: Vec<log::NewEvent> = outputs
            .iter()
            .filter_map(|outputs| match outputs {
                SessionOutput::Stored(stored) => Some(stored.event()),
                _ => None,
            })
            .collect();
        let mut first = 0;
        if !events.is_empty() || !changes.is_empty() {
            let used = timing::usage_in(&changes);
            let mut append = Append::new(now);
            append.events = events;
            append.changes = changes;
            let appended = match self.services.log.append(&*self.id, append).await {
                Ok(appended) => appended,
                Err(error) => return Err(self.schedule_recovery(error)),
            };
            self.count_usage(&used);
            self.row.last_seq = appended.last_seq;
            first = *appended.seqs().start();
        }
        self.publish(outputs, first, now);
        Ok(())
    }

    /// The log can't be written. The state of this actor may differ from the log: it detaches from the agent, which
    /// continues, and starts over from the log when that can be written again.
    pub(super) fn schedule_recovery(&mut self, error: LogError) -> Failure {
        if self.retry_at.is_none() {
            self.report(FailureKind::of_storage(&error).unwrap_or(FailureKind::StorageError), &error);
        }
        let failure = Failure::from(error);
        self.trouble = Some(failure.advised());
        self.connecting = None;
        self.detach();
        self.retry_at = Some(Instant::now() + RETRY);
        failure
    }

    /// Starts over from what the log knows.
    pub(super) async fn start_over(&mut self) {
        self.connecting = None;
        let nothing = PageLimits { count: 1, bytes: 1 };
        match self.services.log.attach(&*self.id, PagePosition::After(u64::MAX), nothing).await {
            Ok(found) => {
                trace::session_reread(&self.id);
                self.retry_at = None;
                self.trouble = None;
                self.load(found);
                self.recover().await;
            }
            // It was deleted meanwhile: no other task knows of its agent.
            Err(LogError::NoSession { .. }) => {
                if let Some(folder) = self.keeper_folder() {
                    tokio::spawn(keeper::discard(folder));
                }
                self.close();
            }
            Err(error) => drop(self.schedule_recovery(error)),
        }
    }

    fn load(&mut self, found: AttachedSession) {
        let (queue, sent): (Vec<_>, Vec<_>) =
            found.inputs.into_iter().partition(|input| input.state == StoredInputState::Queued);
        self.options = details::read(found.session.options.as_deref());
        self.details = details::read(found.session.details.as_deref());
        self.translator.recall(self.details.calls.clone());
        self.row = found.session;
        self.queue = queue.into();
        self.sent = sent.into_iter().map(SentInput::found).collect();
        self.is_in_turn = self.sent.iter().any(|sent| sent.is_given);
        self.pending = found.pending;
    }

    /// Sends messages to watching clients, and to the others those that they need. The stored ones have
    /// numbers from `seq` on.
    pub(super) fn publish(&mut self, outputs: Vec<SessionOutput>, seq: u64, now: Time) {
        self.announce(&outputs);
        self.show(outputs, seq, now);
    }

    fn show(&mut self, outputs: Vec<SessionOutput>, mut seq: u64, now: Time) {
        for outputs in outputs {
            match outputs {
                SessionOutput::Stored(stored) => {
                    let event = stored.event();
                    self.row.updated = self.row.updated.max(now);
                    self.services.metrics.stored.add(1);
                    if !self.watchers.is_empty() {
                        let time = event.time.unwrap_or(now);
                        self.watchers.stored(seq, &SharedText::stored(event.payload, &self.id, seq, time));
                    }
                    seq += 1;
                }
                SessionOutput::Grew(delta) => {
                    self.services.metrics.deltas.add(1);
                    self.watchers.delta(delta);
                    self.timing.delta_queued(&self.services.metrics, !self.watchers.is_empty());
                }
                SessionOutput::Live(message) => self.publish_live(message),
            }
        }
    }

    /// Sends watching clients a message that is not stored.
    pub(super) fn publish_live(&self, mut message: BridgeMessage<'static>) {
        if !self.watchers.is_empty() {
            message.stamp(self.id.to_string(), || (0, 0));
            self.watchers.live(&message.to_json().into());
        }
    }

    /// Appends one message.
    pub(super) async fn note(&mut self, stored: Stored, changes: Vec<SessionChange>) -> Result<(), Failure> {
        self.append_and_publish(vec![SessionOutput::Stored(stored)], changes).await
    }

    /// The status of the session.
    pub(super) fn status(&self) -> SessionStatus<'static> {
        if self.pending.iter().any(|pending| pending.state == PendingState::Open) {
            return SessionStatus::WaitingApproval;
        }
        match &self.live {
            _ if self.is_starting => SessionStatus::Starting,
            Some(live) if !live.is_ready && self.sent.is_empty() => SessionStatus::Starting,
            Some(live) if live.is_compacting => SessionStatus::Compacting,
            Some(live) if live.is_running || !self.sent.is_empty() => SessionStatus::Running,
            Some(_) => SessionStatus::Idle,
            None if self.is_unreachable() => SessionStatus::Unreachable,
            None if self.connecting.is_some() && !self.sent.is_empty() => SessionStatus::Running,
            None if self.connecting.is_some() => SessionStatus::Starting,
            // The log can't be written or the keeper not be reached; what runs continues.
            None if self.retry_at.is_some() => SessionStatus::Unreachable,
            None if self.trouble.is_some() => SessionStatus::Failed,
            None => SessionStatus::Stopped,
        }
    }

    /// Sends the session's status if it has changed. It is not stored: after a restart it is determined again.
    pub(super) fn show_status(&mut self) {
        let status = self.status();
        if status == self.status {
            return;
        }
        self.status = status;
        self.since = Time::now();
        self.turn_since = match self.status {
            SessionStatus::Running | SessionStatus::WaitingApproval | SessionStatus::Compacting => {
                self.turn_since.or(Some(self.since))
            }
            _ => None,
        };
        if self.is_unreachable() {
            self.report(
                FailureKind::KeeperUnreachable,
                format_args!("no answer in {} s", PATIENCE.as_secs()),
            );
        }
        self.publish_live(self.status_message());
        self.show_row();
    }

    /// What the log has answered. If the log failed, that is reported to the operator too.
    pub(super) fn logged<T>(&self, answer: Result<T, LogError>) -> Result<T, Failure> {
        answer.map_err(|error| {
            self.services.failures.report_storage(&error, FailureSubject::Session(&self.id));
            error.into()
        })
    }

    /// Reports a failure of this session to the operator.
    pub(super) fn report(&self, kind: FailureKind, error: impl Display) {
        self.services.failures.report(kind, FailureSubject::Session(&self.id), error);
    }

    /// Why it is as it is, for people.
    pub(super) fn reason(&self) -> Option<String> {
        let frozen = "the process that holds the agent does not answer: it may be suspended. Inputs wait; \
                      stop the session to end it";
        self.trouble.clone().or_else(|| self.is_unreachable().then(|| frozen.to_owned()))
    }

    /// The session's status, as a message.
    pub(super) fn status_message(&self) -> BridgeMessage<'static> {
        let mut change = StatusChange::new(self.status());
        change.since = Some(self.since.0.unsigned_abs());
        change.message = self.reason().map(Into::into);
        change.into()
    }

    /// Sends every client the session's current row in lists.
    pub(super) fn show_row(&self) {
        let info = self.info();
        self.services.host.update_info(&self.id, &info);
        self.services.host.broadcast(&self.row.project, &SessionUpdate::new(info).into());
    }

    /// Records since when the agent, or where none runs, the actor, is unused.
    fn note_quiet(&mut self) {
        let is_resting = match self.status {
            SessionStatus::Idle | SessionStatus::Stopped | SessionStatus::Failed => true,
            // What the bridge itself asks needs no agent.
            SessionStatus::WaitingApproval => {
                self.live.is_some() && self.sent.is_empty() && !self.is_asked_by_agent()
            }
            _ => false,
        };
        let is_needed = self.watchers.attending() > 0
            || self.retry_at.is_some()
            || !is_resting
            || (self.live.is_some() && !self.queue.is_empty());
        match is_needed {
            true => self.quiet_since = None,
            false => drop(self.quiet_since.get_or_insert_with(Instant::now)),
        }
    }

    /// Whether the agent waits for a decision.
    pub(super) fn is_asked_by_agent(&self) -> bool {
        let mut open = self.pending.iter().filter(|pending| pending.state == PendingState::Open);
        open.any(|pending| pending.request.agent_request_id.is_some())
    }

    /// When an unused agent or actor is ended.
    fn quiet_end(&self) -> Option<Instant> {
        let is_ending = self.live.as_ref().is_some_and(|live| live.is_ending);
        self.quiet_since.filter(|_| !is_ending).map(|at| at + self.services.settings.idle)
    }

    async fn end_quiet(&mut self) {
        self.quiet_since = None;
        match &self.live {
            Some(_) => self.end_agent().await,
            None => self.close(),
        }
    }
}

async fn next_event(live: &mut Option<LiveAgent>) -> Option<KeeperEvent> {
    match live {
        Some(live) => live.events.next().await,
        None => std::future::pending().await,
    }
}

async fn next_answer(connecting: &mut Option<Connecting>) -> Result<(AttachedKeeper, u64), AttachError> {
    match connecting {
        Some(connecting) => connecting.done().await,
        None => std::future::pending().await,
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
