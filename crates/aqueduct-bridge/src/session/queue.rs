//! Inputs: taken, queued, changed, and given to the agent one after the other.

use aqueduct_wire::ToAgent;
use aqueduct_wire::block::{Content, ContentBlock, MediaBlock, TextBlock};
use aqueduct_wire::frame::{Priority, UserFrame};
use aqueduct_wire::json::{IntoOwned, Json, Raw};
use aqueduct_wire::media::{Base64Source, MediaSource};
use aqueduct_wire::message::UserMessage;

use tokio::time::Instant;

use super::actor::{RETRY, SentInput, SessionActor};
use super::translate::SessionOutput;
use crate::failure::Failure;
use crate::fault::{FaultPoint, pass};
use crate::keeper::{InputId, InputRefusal};
use crate::log::{self, Append, EditOutcome, EnqueueOutcome, NewInput, SessionChange, Time};
use crate::message::ErrorCode;
use crate::message::bridge::{
    Actor as Who, ImageContent, InputAck, InputState, Queue, QueuedInput, UserInput, UserInputSource,
};
use crate::message::client::{InputImage, InputPriority, SendInput};
use crate::outbox::Stored;
use crate::telemetry::SessionEvent;

/// How much of the first prompt lists show.
const FIRST_PROMPT_CHARS: usize = 200;

impl SessionActor {
    /// Takes an input: when this comes back it is safe, and runs once whatever happens.
    pub(super) async fn take_input(
        &mut self,
        mut input: SendInput<'static>,
        client: Option<u64>,
        by: Who<'static>,
    ) -> Result<InputAck<'static>, Failure> {
        let is_empty = input.text.trim().is_empty()
            && input.images.as_ref().is_none_or(Vec::is_empty)
            && input.blocks.as_ref().is_none_or(Vec::is_empty);
        if is_empty {
            return Err(Failure::new(ErrorCode::InvalidMessage, "the input is empty")
                .clause("give it a text or an image"));
        }
        if self.queue.len() >= self.services.settings.limits.queued_inputs {
            return Err(Failure::new(ErrorCode::QueueFull, "as many inputs wait as may")
                .clause("cancel one, or wait until the agent has taken one"));
        }
        let priority = input.priority.clone();
        let client_id = input.client_message_id.take().map(|id| id.into_string());
        input.session_id = None;
        input.request_id = None;
        let is_urgent = priority == Some(InputPriority::Interrupt);
        let new = new_input(&input, client_id, &by, is_urgent.then_some(0));
        pass(FaultPoint::InputReceived);
        let now = Time::now();
        let mut append = Append::new(now);
        append.changes.extend(self.release());
        let beginning: String = input.text.trim().chars().take(FIRST_PROMPT_CHARS).collect();
        let first_prompt = Some(beginning).filter(|text| self.row.first_prompt.is_none() && !text.is_empty());
        append.changes.extend(first_prompt.clone().map(SessionChange::FirstPrompt));
        let id = new.id.clone();
        if let EnqueueOutcome::Known(known) =
            self.logged(self.services.log.enqueue(&*self.id, new.clone(), append).await)?
        {
            return Ok(self.acknowledge(&known));
        }
        // A client continues: what failed before is tried again.
        self.released();
        self.row.first_prompt = self.row.first_prompt.take().or(first_prompt);
        let queued = self.queued(new, now);
        if let Some(client) = client {
            self.watchers.attend(client);
        }
        pass(FaultPoint::InputQueued);
        let ack = self.acknowledge(&queued);
        match priority {
            Some(InputPriority::Steer) => self.steer(&id).await,
            Some(InputPriority::Interrupt) => self.stop_turn(by).await,
            _ => {}
        }
        Ok(ack)
    }

    /// Notes an input that the log has queued.
    pub(super) fn queued(&mut self, new: NewInput, now: Time) -> log::StoredInput {
        self.services.metrics.inputs.add(1);
        let NewInput { id, client_id, sender, content, position } = new;
        let state = log::StoredInputState::Queued;
        let input = log::StoredInput { id, client_id, sender, content, state, created: now, changed: now };
        let place = position.map_or(self.queue.len(), |position| position.min(self.queue.len()));
        self.queue.insert(place, input.clone());
        self.show_queue();
        input
    }

    fn acknowledge(&self, input: &log::StoredInput) -> InputAck<'static> {
        let state = match input.state {
            log::StoredInputState::Queued => InputState::Queued,
            log::StoredInputState::Sent | log::StoredInputState::Taken | log::StoredInputState::Returned => {
                InputState::Sent
            }
            log::StoredInputState::Unconfirmed => InputState::Unconfirmed,
            log::StoredInputState::Done => InputState::Done,
            log::StoredInputState::Cancelled => InputState::Cancelled,
        };
        let mut ack = InputAck::new(self.id.to_string(), input.id.clone(), state);
        ack.client_message_id = input.client_id.clone().map(Into::into);
        ack.position = self.queue.iter().position(|queued| queued.id == input.id).map(|place| place as u64);
        ack
    }

    /// The turn is stopped, so that the first of the queue is next.
    async fn stop_turn(&mut self, by: Who<'static>) {
        let (reply, _) = tokio::sync::oneshot::channel();
        self.interrupt(false, by, reply).await;
    }

    /// Gives a waiting input to the agent although it is at work.
    async fn steer(&mut self, id: &str) {
        let is_ready = self.live.as_ref().is_some_and(|live| live.is_ready && !live.is_ending);
        let is_stopped = self.details.held || self.is_paused() || self.retry_at.is_some();
        if !is_ready || is_stopped || self.sent.iter().any(|sent| !sent.is_given) {
            // It is next anyway.
            return;
        }
        if let Some(place) = self.queue.iter().position(|queued| queued.id == id) {
            self.send(place).await;
        }
    }

    /// Where an input waits, by its id or its sender's.
    fn place_of(&self, id: &str) -> Result<usize, Failure> {
        let found =
            self.queue.iter().position(|input| input.id == id || input.client_id.as_deref() == Some(id));
        found.ok_or_else(|| {
            Failure::new(ErrorCode::InputNotFound, "no such input waits: it was sent or cancelled meanwhile")
        })
    }

    pub(super) async fn update_queued(
        &mut self,
        id: &str,
        text: String,
        images: Option<Vec<InputImage<'static>>>,
    ) -> Result<(), Failure> {
        let place = self.place_of(id)?;
        let mut input = words(&self.queue[place].content);
        input.text = text.into();
        if images.is_some() {
            input.images = images;
        }
        let mut content = String::new();
        input.write(&mut content);
        let id = self.queue[place].id.clone();
        let edited = self.logged(
            self.services.log.edit_input(&*self.id, id, content.clone(), Append::new(Time::now())).await,
        )?;
        done(edited)?;
        self.queue[place].content = content;
        self.show_queue();
        Ok(())
    }

    pub(super) async fn cancel_queued(&mut self, id: &str) -> Result<(), Failure> {
        let place = self.place_of(id)?;
        let id = self.queue[place].id.clone();
        done(self.logged(self.services.log.cancel_input(&*self.id, id, Append::new(Time::now())).await)?)?;
        self.queue.remove(place);
        self.show_queue();
        Ok(())
    }

    pub(super) async fn move_queued(&mut self, id: &str, position: usize) -> Result<(), Failure> {
        let place = self.place_of(id)?;
        let id = self.queue[place].id.clone();
        done(self.logged(
            self.services.log.move_input(&*self.id, id, position, Append::new(Time::now())).await,
        )?)?;
        if let Some(input) = self.queue.remove(place) {
            self.queue.insert(position.min(self.queue.len()), input);
        }
        self.show_queue();
        Ok(())
    }

    pub(super) async fn send_queued(
        &mut self,
        id: &str,
        priority: &InputPriority<'static>,
        by: Who<'static>,
    ) -> Result<(), Failure> {
        let place = self.place_of(id)?;
        let id = self.queue[place].id.clone();
        self.lift_hold().await?;
        match priority {
            InputPriority::Steer => self.steer(&id).await,
            _ => {
                self.move_queued(&id, 0).await?;
                self.stop_turn(by).await;
            }
        }
        Ok(())
    }

    /// Whether something waits for an agent.
    pub(super) fn has_waiting(&self) -> bool {
        !self.queue.is_empty() || self.sent.iter().any(|sent| !sent.is_given)
    }

    /// Gives the agent the next input, if it is its turn, and starts it if it does not run.
    pub(super) async fn pump(&mut self) {
        loop {
            // A log that could not be written is read again before anything is done.
            let is_stopped = self.details.held || self.trouble.is_some() || self.retry_at.is_some();
            if !self.has_waiting() || is_stopped || self.is_closing {
                return;
            }
            let Some(live) = &self.live else {
                let is_paused = self.is_paused() && self.sent.is_empty();
                if self.connecting.is_some() || is_paused {
                    return;
                }
                if self.row.keeper.is_some() {
                    // Whether it lives is not known: nothing else may be started beside it.
                    self.retry_at.get_or_insert_with(|| Instant::now() + RETRY);
                    return;
                }
                self.start_agent().await;
                continue;
            };
            if live.is_ending || !live.is_ready {
                return;
            }
            if self.sent.iter().any(|sent| !sent.is_given) {
                if !self.give_again().await {
                    return;
                }
                continue;
            }
            let is_free = self.sent.is_empty() && !live.is_running;
            if self.queue.is_empty() || !is_free || self.is_paused() {
                return;
            }
            if live.is_stale {
                return self.end_agent().await;
            }
            if !self.send(0).await {
                return;
            }
        }
    }

    /// Gives the agent what was sent before and is not known to have been given. What another agent never got is noted
    /// as sent again first: this one's journal decides from now on.
    async fn give_again(&mut self) -> bool {
        let open = self.sent.iter().filter(|sent| sent.input.state == log::StoredInputState::Returned);
        let changes: Vec<SessionChange> = open
            .map(|sent| SessionChange::Input { id: sent.input.id.clone(), to: log::StoredInputState::Sent })
            .collect();
        if !changes.is_empty() && self.append_and_publish(Vec::new(), changes).await.is_err() {
            return false;
        }
        let mut lines = Vec::new();
        for sent in self.sent.iter_mut().filter(|sent| !sent.is_given) {
            sent.input.state = log::StoredInputState::Sent;
            sent.is_given = true;
            lines.push((sent.input.id.clone(), line(&sent.input)));
        }
        pass(FaultPoint::InputSent);
        for (id, line) in lines {
            self.give(&id, line).await;
        }
        true
    }

    /// Gives the agent an input: it is written down first, together with the message that reports it.
    async fn send(&mut self, place: usize) -> bool {
        let Some(mut input) = self.queue.get(place).cloned() else { return false };
        input.state = log::StoredInputState::Sent;
        let changes = vec![SessionChange::Input { id: input.id.clone(), to: log::StoredInputState::Sent }];
        let stored = Stored::new(&user_input(&input));
        if self.append_and_publish(vec![SessionOutput::Stored(stored)], changes).await.is_err() {
            return false;
        }
        self.queue.remove(place);
        let (id, line) = (input.id.clone(), line(&input));
        self.sent.push(SentInput { input, is_given: true });
        self.show_queue();
        pass(FaultPoint::InputSent);
        self.give(&id, line).await;
        true
    }

    async fn give(&mut self, id: &str, line: String) {
        if !self.is_in_turn {
            self.timing.turn_begins();
        }
        let sent = self.sent.iter().find(|sent| sent.input.id == id);
        if let Some(accepted) = sent.map(|sent| sent.input.created) {
            self.observe(SessionEvent::InputSent { accepted });
        }
        if let (Some(live), Ok(id)) = (&self.live, InputId::new(id)) {
            // A lost keeper is reported by its events.
            let _ = live.write(id, line).await;
        }
    }

    /// The keeper has given an input to the agent: one that was a decision is over.
    pub(super) async fn took(&mut self, id: &InputId) {
        if self.sent.iter().any(|sent| sent.input.id == id.as_str()) {
            pass(FaultPoint::InputGiven);
            return;
        }
        if let Some(change) = self.decision_delivered(id.as_str()) {
            pass(FaultPoint::DecisionTaken);
            // If this can't be written, it is reported again after a restart, under the same name.
            let _ = self.append_and_publish(Vec::new(), vec![change]).await;
            pass(FaultPoint::DecisionSettled);
        }
    }

    /// The keeper could not give an input to the agent: the next agent gets it.
    pub(super) async fn not_taken(&mut self, id: &InputId, reason: InputRefusal) {
        let Some(sent) = self.sent.iter_mut().find(|sent| sent.input.id == id.as_str()) else { return };
        sent.is_given = false;
        if reason == InputRefusal::Closed {
            // An agent that reads no more is of no use.
            self.end_agent().await;
        }
    }

    /// Sends what waits, also in lists of sessions.
    pub(super) fn show_queue(&self) {
        self.publish_live(Queue::new(self.queued_inputs()).into());
        self.show_row();
    }

    /// What waits, as clients see it.
    pub(super) fn queued_inputs(&self) -> Vec<QueuedInput<'static>> {
        self.queue.iter().map(queued).collect()
    }
}

/// An input as the log takes it.
pub(super) fn new_input(
    input: &SendInput<'static>,
    client_id: Option<String>,
    by: &Who<'static>,
    position: Option<usize>,
) -> NewInput {
    let (mut content, mut sender) = (String::new(), String::new());
    input.write(&mut content);
    by.write(&mut sender);
    NewInput { id: uuid::Uuid::new_v4().to_string(), client_id, sender: Some(sender), content, position }
}

fn done(edited: EditOutcome) -> Result<(), Failure> {
    match edited {
        EditOutcome::Now(_) => Ok(()),
        _ => Err(Failure::new(
            ErrorCode::InputNotFound,
            "no such input waits: it was sent or cancelled meanwhile",
        )),
    }
}

/// The text of an input.
pub(super) fn text_of(input: &log::StoredInput) -> String {
    words(&input.content).text.into_string()
}

/// The content, as the log stores it.
fn words(content: &str) -> SendInput<'static> {
    let raw = Raw::parse(content).ok();
    let input = raw.as_ref().and_then(|raw| raw.view::<SendInput<'_>>().map(IntoOwned::into_owned));
    input.unwrap_or_else(|| SendInput::new(""))
}

fn sender(input: &log::StoredInput) -> Option<Who<'static>> {
    let raw = Raw::parse(input.sender.as_deref()?).ok()?;
    raw.view::<Who<'_>>().map(IntoOwned::into_owned)
}

fn queued(input: &log::StoredInput) -> QueuedInput<'static> {
    let words = words(&input.content);
    let mut queued = QueuedInput::new(input.id.clone(), words.text.clone(), input.created.0.unsigned_abs());
    queued.client_message_id = input.client_id.clone().map(Into::into);
    queued.images = words.images.map(images);
    queued.by = sender(input);
    queued.priority = words.priority;
    queued
}

/// The message that reports an input when the agent gets it.
pub(super) fn user_input(input: &log::StoredInput) -> UserInput<'static> {
    let words = words(&input.content);
    let mut user_input = UserInput::new(words.text);
    user_input.id = Some(input.id.clone().into());
    user_input.client_message_id = input.client_id.clone().map(Into::into);
    user_input.images = words.images.map(images);
    user_input.blocks = words.blocks;
    user_input.by = sender(input);
    user_input.source = Some(UserInputSource::Client);
    user_input.priority = words.priority;
    user_input
}

fn images(images: Vec<InputImage<'static>>) -> Vec<ImageContent<'static>> {
    let image = |image: InputImage<'static>| {
        let mut content = ImageContent::new(image.media_type);
        content.data = Some(image.data);
        content.name = image.name;
        content
    };
    images.into_iter().map(image).collect()
}

/// The frame that gives an input to the agent.
fn line(input: &log::StoredInput) -> String {
    let words = words(&input.content);
    let images = words.images.unwrap_or_default();
    let mut blocks = words.blocks.unwrap_or_default();
    let content = match images.is_empty() && blocks.is_empty() {
        true => Content::Text(words.text),
        false => {
            blocks.extend(images.into_iter().map(|image| {
                let mut source = Base64Source::new(image.data);
                source.media_type = Some(image.media_type);
                ContentBlock::Image(Box::new(MediaBlock::new(MediaSource::Base64(source))))
            }));
            if !words.text.is_empty() {
                blocks.push(ContentBlock::Text(TextBlock::new(words.text)));
            }
            Content::Blocks(blocks)
        }
    };
    let mut message = UserMessage::new(content);
    message.role = Some("user".into());
    let mut frame = UserFrame::new(message);
    frame.uuid = Some(input.id.clone().into());
    frame.session_id = Some("".into());
    frame.priority = (words.priority == Some(InputPriority::Steer)).then_some(Priority::Next);
    ToAgent::User(Box::new(frame)).to_line()
}
