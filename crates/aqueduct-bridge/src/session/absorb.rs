//! Processing of the agent's output.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::ResultFrame;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::{Json, Number, Raw, Str};
use aqueduct_wire::permission::PermissionMode;
use aqueduct_wire::system::{SessionState, SystemInit};
use tracing::Span;

use super::actor::{SentInput, SessionActor};
use super::decide::answered_calls;
use super::details::{self, RecordedUsage};
use super::live::Awaiting;
use super::translate::{self, FrameEffect, REMEMBERED_BYTES, SessionOutput, TurnCost};
use crate::failure::Failure;
use crate::failures::FailureKind;
use crate::fault::{FaultPoint, pass};
use crate::keeper::{Activity, KeeperEvent, LineContent, SpoolLine};
use crate::log::{SessionChange, StoredInputState, TokenCounts, TurnUsage};
use crate::message::bridge::{Actor as Who, PermissionRequest, SystemNote, SystemSubtype};
use crate::outbox::Stored;
use crate::telemetry::SessionEvent;
use crate::trace;

/// How many lines are taken in with one commit at most.
const BATCH_LINES: usize = 256;

/// How many bytes of lines are taken in with one commit, about: the last one may be larger.
const BATCH_BYTES: u64 = 256 * 1024;

/// How far the output is read without anything to store, before the place is noted: from there on it is read again
/// after a restart, and kept by the keeper.
const UNNOTED_BYTES: u64 = 8 << 20;

/// How much of a line that is not a frame is reported.
const NOISE_CHARS: usize = 200;

/// How much of the newest text lists show.
const LAST_TEXT_CHARS: usize = 200;

/// How many models are remembered that the agent's process has used. None uses more than a few.
const REMEMBERED_MODELS: usize = 64;

/// How agents report that a conversation does not exist.
pub(super) const NOTHING_TO_RESUME: &str = "No conversation found";

/// What lines come to, before it is committed.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) outputs: Vec<SessionOutput>,
    pub(super) changes: Vec<SessionChange>,
    /// Lines for the agent.
    pub(super) answers: Vec<String>,
    /// A caller waits for an answer that arrived.
    pub(super) answered: Vec<(Awaiting, Result<Raw<'static>, Failure>)>,
    /// Questions whose explanation is still to be made.
    pub(super) unexplained: Vec<Unexplained>,
    /// The row that lists show has changed.
    row_changed: bool,
    /// A turn has ended.
    has_result: bool,
    /// The end of the last line.
    to: u64,
}

/// A question in a batch that can be extended with what the call would do.
pub(super) struct Unexplained {
    /// Its position in the output.
    pub(super) outputs: usize,
    /// Its place in what changes.
    pub(super) change: usize,
    pub(super) message: PermissionRequest<'static>,
}

impl SessionActor {
    /// Processes the keeper's events.
    pub(super) async fn receive_event(&mut self, event: Option<KeeperEvent>) {
        match event {
            Some(KeeperEvent::Line(line)) => self.absorb_from(line).await,
            Some(KeeperEvent::Took(id) | KeeperEvent::Unconfirmed(id)) => self.took(&id).await,
            Some(KeeperEvent::Refused { id, reason }) => self.not_taken(&id, reason).await,
            Some(KeeperEvent::Exited(exit)) => self.agent_exited(exit).await,
            Some(KeeperEvent::Synced { .. }) => {}
            Some(KeeperEvent::Trouble(trouble)) => {
                if let Some(trouble) = &trouble {
                    self.report(FailureKind::KeeperStalled, &trouble.message);
                }
                self.trouble = trouble.map(|trouble| trouble.message);
                self.publish_live(self.status_message());
                self.pump().await;
            }
            Some(KeeperEvent::Closed(why)) => self.lost_keeper(&why.advised()).await,
            None => self.lost_keeper("the connection to the keeper is closed").await,
        }
    }

    /// Takes in a line and those behind it that are there already.
    async fn absorb_from(&mut self, first: SpoolLine) {
        self.timing.lines_read();
        let end = first.offset + BATCH_BYTES;
        let mut lines = vec![first];
        let mut after = None;
        while lines.len() < BATCH_LINES && lines.last().is_some_and(|line| line.next < end) {
            let Some(live) = &mut self.live else { break };
            match now_or_never(live.events.next()) {
                Some(Some(KeeperEvent::Line(line))) => lines.push(line),
                Some(other) => {
                    after = Some(other);
                    break;
                }
                None => break,
            }
        }
        self.absorb(lines).await;
        self.timing.lines_done();
        if let Some(event) = after {
            Box::pin(self.receive_event(event)).await;
        }
    }

    /// Takes in lines, all with one commit.
    async fn absorb(&mut self, lines: Vec<SpoolLine>) {
        let Some(live) = &mut self.live else { return };
        live.received = lines.last().map_or(live.received, |line| line.next);
        // The keeper has read them too, and may take them for work.
        live.plan = live.plan.filter(|plan| plan.activity == Activity::Working);
        let cursor = live.cursor;
        let batch = self.read(lines, cursor);
        self.commit(batch, cursor).await;
    }

    /// What lines result in. Those below the cursor are in the log, and only show what is being written.
    pub(super) fn read(&mut self, lines: Vec<SpoolLine>, cursor: u64) -> Batch {
        let mut batch = Batch::default();
        for line in lines {
            if line.next <= cursor {
                self.remember(line);
            } else {
                batch.to = line.next;
                self.line(line, &mut batch);
            }
        }
        batch
    }

    /// Writes down what lines came to, and does what follows from it.
    async fn commit(&mut self, mut batch: Batch, cursor: u64) {
        pass(FaultPoint::OutputRead);
        let has_result = batch.has_result;
        self.explain(&mut batch).await;
        let read = self.translator.anchor().unwrap_or(batch.to).min(batch.to);
        let stores = batch.outputs.iter().any(|outputs| matches!(outputs, SessionOutput::Stored(_)))
            || !batch.changes.is_empty()
            || read > cursor.saturating_add(UNNOTED_BYTES);
        if stores {
            // What grows is not kept: it is read again from where the answer begins.
            batch.changes.push(SessionChange::Cursor { from: cursor, to: batch.to });
            self.details.anchor = read;
            self.details.calls.clone_from(self.translator.calls());
            batch.changes.push(SessionChange::Details(details::write(&self.details)));
        }
        if self.append_and_publish(batch.outputs, batch.changes).await.is_err() {
            return;
        }
        pass(FaultPoint::OutputStored);
        if let Some(live) = &mut self.live
            && stores
        {
            live.cursor = batch.to;
            // Where this bridge continues if it has to attach again.
            self.row.cursor = batch.to;
            // A keeper that is gone stores nothing that could be deleted.
            let _ = live.handle.ack(self.details.anchor);
            pass(FaultPoint::OutputAcknowledged);
        }
        if has_result {
            pass(FaultPoint::ResultStored);
        }
        for (awaiting, answer) in batch.answered {
            self.answered(awaiting, answer).await;
        }
        for line in batch.answers {
            self.write(line).await;
        }
        if batch.row_changed {
            self.show_row();
        }
        self.pump().await;
    }

    /// The same for what a keeper left behind: no client has to be notified.
    pub(super) async fn commit_remains(&mut self, mut batch: Batch, cursor: u64) -> Result<u64, Failure> {
        self.explain(&mut batch).await;
        let to = batch.to.max(cursor);
        if to > cursor {
            batch.changes.push(SessionChange::Cursor { from: cursor, to });
            batch.changes.push(SessionChange::Details(details::write(&self.details)));
        }
        batch.answers.clear();
        self.append_and_publish(batch.outputs, batch.changes).await?;
        Ok(to)
    }

    fn line(&mut self, line: SpoolLine, batch: &mut Batch) {
        let text = match line.content {
            LineContent::Whole(bytes) => String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            LineContent::TooLong { bytes } => {
                let message =
                    format!("The agent sent a line of {bytes} bytes, which is too long to be kept.");
                batch.outputs.push(SessionOutput::Stored(notice(message)));
                return;
            }
            LineContent::Damaged(_) => {
                let message = "A line of the agent was damaged when the machine went down.".to_owned();
                batch.outputs.push(SessionOutput::Stored(notice(message)));
                return;
            }
        };
        if text.trim().is_empty() {
            return;
        }
        let mut answered = Vec::new();
        let meaning = match FromAgent::parse_kept(&text) {
            Ok(kept) => {
                if !self.pending.is_empty() {
                    answered = answered_calls(&kept.frame);
                }
                self.observe(SessionEvent::Frame(&kept.frame));
                self.translator.frame(kept, line.offset, &mut batch.outputs)
            }
            Err(error) => {
                let beginning: String = text.chars().take(NOISE_CHARS).collect();
                let message = format!("The agent printed a line that is not a frame ({error}): {beginning}");
                batch.outputs.push(SessionOutput::Stored(notice(message)));
                return;
            }
        };
        // The content of a long line is in memory once from here on.
        drop(text);
        if let Some(meaning) = meaning {
            self.apply_meaning(meaning, batch);
        }
        self.withdraw_answered(&answered, batch);
    }

    /// A line that is in the log already: what it began may continue.
    fn remember(&mut self, line: SpoolLine) {
        let LineContent::Whole(bytes) = &line.content else { return };
        let text = String::from_utf8_lossy(bytes);
        if let Ok(kept) = FromAgent::parse_kept(&text) {
            self.translator.frame(kept, line.offset, &mut Vec::new());
        }
    }

    fn apply_meaning(&mut self, meaning: FrameEffect, batch: &mut Batch) {
        match meaning {
            FrameEffect::Control(frame) => self.control(*frame, batch),
            FrameEffect::Init(init) => {
                self.is_at_work(batch);
                for id in init.user_message_uuids.iter().flatten() {
                    self.began(id, batch);
                }
                self.init(&init, batch);
            }
            FrameEffect::Replayed(id) => self.replayed(&id, batch),
            FrameEffect::Lifecycle(id, state) => self.lifecycle(&id, &state, batch),
            FrameEffect::Result(frame) => match &mut self.live {
                // The oldest agents report it this way, and end: that is not a turn, and answers no input.
                Some(live) if !live.is_ready && has_nothing_to_resume(&frame) => live.is_resume_fault = true,
                _ => self.result(&frame, batch),
            },
            FrameEffect::SessionOutput { text, usage } => {
                self.is_at_work(batch);
                self.outputs(&text, usage, batch);
            }
            FrameEffect::Asks(question) => self.question_seen(*question, batch),
            FrameEffect::State(state) => {
                let is_idle = state == SessionState::Idle;
                self.details.reports_state = true;
                if let Some(live) = &mut self.live {
                    live.is_running = !is_idle;
                }
                match is_idle {
                    true => self.end_turn(batch),
                    false => self.is_at_work(batch),
                }
            }
            FrameEffect::Compacting(is_compacting) => {
                if let Some(live) = &mut self.live {
                    live.is_compacting = is_compacting;
                }
            }
            FrameEffect::Mode(mode) => self.mode_changed(mode, None, batch),
            FrameEffect::Reset(id) => {
                self.row.agent_id = Some(id.clone());
                batch.changes.push(SessionChange::AgentId(id));
            }
            FrameEffect::Title(title) => {
                self.row.title = Some(title.clone());
                batch.row_changed = true;
                batch.changes.push(SessionChange::Title(title));
            }
            FrameEffect::Limit(info) => {
                let kind = info.rate_limit_type.as_ref().map_or("unknown", |kind| kind.as_str()).to_owned();
                let mut payload = String::new();
                info.write(&mut payload);
                self.services.host.rate_limit_changed(*info, &self.id, &self.row.agent);
                batch.changes.push(SessionChange::RateLimit { kind, payload });
            }
        }
    }

    /// A turn begins: what the agent reports about the session. Differences are sent to clients.
    fn init(&mut self, init: &SystemInit<'static>, batch: &mut Batch) {
        let mut differs = false;
        let agent_id = init.session_id.as_str();
        if self.row.agent_id.as_deref() != Some(agent_id) {
            self.row.agent_id = Some(agent_id.to_owned());
            batch.changes.push(SessionChange::AgentId(agent_id.to_owned()));
            differs = true;
        }
        let model = init.model.as_ref().map(|model| model.as_str().to_owned());
        if model.is_some() && self.row.model != model {
            self.row.model = model.clone();
            batch.changes.push(SessionChange::Model(model));
            differs = true;
        }
        let mode = init.permission_mode.as_ref().map(|mode| mode.as_str().to_owned());
        if mode.is_some() && self.row.permission_mode != mode {
            self.row.permission_mode = mode.clone();
            batch.changes.push(SessionChange::PermissionMode(mode));
            differs = true;
        }
        self.details.agent_version = init.claude_code_version.as_deref().map(str::to_owned);
        if let Some(live) = &mut self.live {
            live.is_ready = true;
            differs |= !std::mem::replace(&mut live.was_introduced, true);
        }
        if differs {
            let mut note = SystemNote::new(SystemSubtype::Init);
            note.model = init.model.clone();
            note.permission_mode = init.permission_mode.clone();
            note.agent = Some(self.row.agent.clone().into());
            note.agent_version = init.claude_code_version.clone();
            note.agent_session_id = (agent_id != &*self.id).then(|| init.session_id.clone());
            note.project_path = Some(self.row.project.clone().into());
            note.tools = init.tools.clone();
            note.mcp_servers = init.mcp_servers.clone();
            note.slash_commands = init.slash_commands.clone();
            note.agents = init.agents.clone();
            note.skills = init.skills.clone();
            batch.outputs.push(SessionOutput::Stored(Stored::new(&note)));
            batch.row_changed = true;
        }
    }

    /// An answer of the model: lists show its beginning, and how full the context is.
    fn outputs(&mut self, text: &str, usage: Option<u64>, batch: &mut Batch) {
        self.details.can_resume = true;
        if !text.trim().is_empty() {
            self.details.last_text = Some(text.chars().take(LAST_TEXT_CHARS).collect());
        }
        if let Some(tokens) = usage {
            self.details.context_tokens = Some(tokens);
        }
        batch.row_changed = true;
    }

    fn result(&mut self, frame: &ResultFrame<'static>, batch: &mut Batch) {
        let before = self.row.cost;
        let was_interrupted =
            self.live.as_mut().is_some_and(|live| std::mem::take(&mut live.was_interrupted));
        let interrupted = translate::is_interrupted(frame, was_interrupted);
        let spent = self.spent(frame);
        self.observe(SessionEvent::TurnEnded { result: frame, usage: &spent, interrupted });
        for usage in spent {
            self.row.cost += usage.cost;
            self.row.turns += usage.turns;
            batch.changes.push(SessionChange::Usage(usage));
        }
        trace::turn_ended(&self.id, frame.is_error == Some(true));
        self.turn_span = Span::none();
        self.details.can_resume = true;
        self.has_worked = true;
        self.killed_starts = 0;
        self.is_in_turn = false;
        self.note_answered(frame, batch);
        let window = frame
            .model_usage
            .iter()
            .flat_map(|usage| usage.iter())
            .filter_map(|(_, usage)| usage.context_window.as_ref().and_then(Number::as_u64));
        self.details.context_window = window.max().or(self.details.context_window);
        let cost = TurnCost { turn: self.row.cost - before, total: self.row.cost };
        batch.outputs.push(SessionOutput::Stored(translate::result(frame, cost, interrupted)));
        if !self.details.reports_state {
            self.end_turn(batch);
        }
        batch.row_changed = true;
        batch.has_result = true;
        self.check_budget(batch);
        self.offer_retries(frame, batch);
    }

    /// The inputs that a turn has answered: those that it names, or all that the agent had. It is written down with the
    /// result, since the end of the turn may only be read after a restart.
    fn note_answered(&mut self, frame: &ResultFrame<'static>, batch: &mut Batch) {
        let named = frame.user_message_uuids.as_deref().unwrap_or_default();
        for sent in self.sent.iter_mut().filter(|sent| sent.is_given) {
            if named.is_empty() || named.iter().any(|uuid| *uuid == *sent.input.id) {
                sent.input.state = StoredInputState::Taken;
                batch
                    .changes
                    .push(SessionChange::Input { id: sent.input.id.clone(), to: StoredInputState::Taken });
            }
        }
    }

    /// The inputs that the agent has worked on are done. One that it was given meanwhile is of the next turn.
    pub(super) fn end_turn(&mut self, batch: &mut Batch) {
        let (taken, rest): (Vec<SentInput>, Vec<SentInput>) = std::mem::take(&mut self.sent)
            .into_iter()
            .partition(|sent| sent.input.state == StoredInputState::Taken);
        self.sent = rest;
        for sent in taken {
            batch.changes.push(SessionChange::Input { id: sent.input.id, to: StoredInputState::Done });
        }
        if let Some(live) = &mut self.live {
            live.is_running = false;
            live.is_compacting = false;
        }
        self.is_in_turn = false;
        self.timing.turn_ends();
        self.turn_since = None;
        batch.row_changed = true;
    }

    /// What a turn took of each model: the difference to what the process had taken before.
    fn spent(&mut self, frame: &ResultFrame<'static>) -> Vec<TurnUsage> {
        let day = jiff::Zoned::now().date().to_string();
        let number = |number: &Option<Number<'static>>| number.as_ref().map_or(0.0, Number::as_f64);
        let mut spent = Vec::new();
        for (model, usage) in frame.model_usage.iter().flat_map(|usage| usage.iter()) {
            let now = RecordedUsage(
                number(&usage.cost_usd),
                [
                    number(&usage.input_tokens),
                    number(&usage.output_tokens),
                    number(&usage.cache_read_input_tokens),
                    number(&usage.cache_creation_input_tokens),
                ],
            );
            let before = self.details.used.get(model).copied().unwrap_or_default();
            let is_known = self.details.used.contains_key(model);
            if is_known || (self.details.used.len() < REMEMBERED_MODELS && model.len() <= REMEMBERED_BYTES) {
                self.details.used.insert(model.to_owned(), now);
            }
            let tokens = |place: usize| (now.1[place] - before.1[place]).max(0.0) as u64;
            let tokens = TokenCounts {
                input: tokens(0),
                output: tokens(1),
                cache_read: tokens(2),
                cache_write: tokens(3),
            };
            spent.push(TurnUsage {
                day: day.clone(),
                model: model.to_owned(),
                turns: u64::from(spent.is_empty()),
                cost: (now.0 - before.0).max(0.0),
                tokens,
            });
        }
        spent
    }

    pub(super) fn mode_changed(&mut self, mode: String, by: Option<Who<'static>>, batch: &mut Batch) {
        if self.row.permission_mode.as_deref() == Some(&mode) {
            return;
        }
        self.row.permission_mode = Some(mode.clone());
        let mut note = SystemNote::new(SystemSubtype::PermissionModeChanged);
        note.permission_mode = Some(PermissionMode::from(Str::from(mode.clone())));
        note.by = by;
        batch.outputs.push(SessionOutput::Stored(Stored::new(&note)));
        batch.changes.push(SessionChange::PermissionMode(Some(mode)));
        batch.row_changed = true;
    }
}

fn has_nothing_to_resume(frame: &ResultFrame<'_>) -> bool {
    frame.errors.iter().flatten().any(|error| error.as_str().starts_with(NOTHING_TO_RESUME))
}

/// A notice for the user.
pub(super) fn notice(message: String) -> Stored {
    let mut note = SystemNote::new(SystemSubtype::Notice);
    note.message = Some(message.into());
    Stored::new(&note)
}

/// What a future gives if it is ready now.
fn now_or_never<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
