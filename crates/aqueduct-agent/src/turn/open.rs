//! The beginning of a turn.

use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::{CommandState, UserFrame};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::{Raw, Str};

use super::prompt_hooks::PromptVerdict;
use super::{Interrupted, Turn, TurnEnd, prompt_images};
use crate::clock::{self, fresh_uuid};
use crate::prompt_queue::QueuedPrompt;
use crate::session::{AgentSession, Dialogue};
use crate::transcript::{QueuedLine, TranscriptFileError, UserLine};

impl Turn<'_> {
    /// Stores the prompts that hooks allow, and notifies the host that the turn has begun.
    pub(super) async fn open(&mut self) -> Result<(), TurnEnd> {
        let session = self.session;
        let (mut wrong, mut refused, mut interrupted) = (None, Vec::new(), false);
        self.dialogue.prompt_id = self.prompts.first().map(|prompt| prompt.uuid.clone());
        session.conversation.set_prompt_id(self.dialogue.prompt_id.clone());
        let mut passed = Vec::new();
        for mut prompt in std::mem::take(&mut self.prompts) {
            prompt_images::fit(&mut prompt).await;
            session.send_lifecycle(&prompt, CommandState::Started).await;
            let mut submitted = match self.cancel.is_cancelled() {
                true => PromptVerdict::Interrupted,
                false => self.submit(&prompt).await,
            };
            let mut prepared = None;
            if let (PromptVerdict::Passed, Some(called)) = (&submitted, self.called.take()) {
                match self.prepare(&called, &prompt.text()).await {
                    Ok(done) => prepared = Some(done),
                    Err(refused) => submitted = PromptVerdict::Refused(refused),
                }
            }
            let is_kept = match &submitted {
                PromptVerdict::Passed => true,
                PromptVerdict::Interrupted => false,
                PromptVerdict::Refused(refused) => refused.is_kept,
            };
            let kept = match &prepared {
                Some(prepared) => self.keep_prepared(&prompt.uuid, prepared),
                None if is_kept => keep(self.dialogue, &prompt, session.permissions.mode().name()),
                None => Ok(()),
            };
            if let Err(error) = kept {
                wrong.get_or_insert(error);
            } else if is_kept && prompt.frame.is_synthetic != Some(true) && !prompt.is_notification() {
                self.dialogue.prompted(&prompt.frame.message.content);
            }
            if let PromptVerdict::Refused(why) = submitted {
                refused.push(why);
                self.refused.push(prompt);
                continue;
            }
            if matches!(submitted, PromptVerdict::Interrupted) {
                self.refused.push(prompt);
                interrupted = true;
                continue;
            }
            if let Err(error) = session.tool_context.files.checkpoints.begin(&prompt.uuid) {
                session.send_note(&error.advised(), "warning").await;
            }
            self.steps += u64::from(prompt.asks());
            passed.push(prompt);
        }
        self.prompts = passed;
        session.approve_servers(&self.cancel).await;
        session.settle_servers(&self.cancel).await;
        session.send_init(&self.named()).await;
        self.send_notices().await;
        for refused in &refused {
            self.send_refused(refused).await;
        }
        if interrupted || self.cancel.is_cancelled() {
            self.send_interruption(Interrupted::Streaming).await?;
            return Err(TurnEnd::Interrupted(Interrupted::Streaming));
        }
        match (wrong, refused.pop()) {
            (Some(error), _) => Err(error.into()),
            (None, Some(refused)) if self.prompts.is_empty() => Err(TurnEnd::Refused(refused)),
            _ => Ok(()),
        }
    }

    /// Sends the prompts back, where the host wants to see them.
    pub(super) async fn replay(&self) {
        for prompt in self.prompts.iter().filter(|prompt| !prompt.is_notification()) {
            self.session.replay(prompt).await;
        }
    }

    /// Adds prompts and notifications that arrived while tools ran: the model receives them with the results.
    pub(super) async fn take_in_waiting(&mut self) -> Result<(), TurnEnd> {
        if self.by.is_some() {
            return self.take_in_mail();
        }
        while let Some(prompt) = self.session.prompts.take_joining() {
            self.take_in(prompt).await?;
        }
        self.dialogue.write_queue(self.session);
        Ok(())
    }

    async fn take_in(&mut self, mut prompt: QueuedPrompt) -> Result<(), TurnEnd> {
        prompt_images::fit(&mut prompt).await;
        self.session.send_lifecycle(&prompt, CommandState::Started).await;
        let submitted = self.submit(&prompt).await;
        self.send_notices().await;
        let is_kept = match &submitted {
            PromptVerdict::Passed => true,
            PromptVerdict::Interrupted => false,
            PromptVerdict::Refused(refused) => refused.is_kept,
        };
        let delivery_id = is_kept.then(fresh_uuid);
        self.session.prompts.record_absorbed(&prompt, delivery_id.as_deref());
        if let Some(delivery_id) = &delivery_id {
            self.dialogue.queued(&QueuedLine {
                uuid: &prompt.uuid,
                prompt: &prompt.frame.message.content,
                delivery_id,
                origin: prompt.frame.origin.as_deref(),
                is_meta: prompt.frame.is_synthetic == Some(true),
                timestamp: None,
            })?;
        }
        match submitted {
            PromptVerdict::Passed => (),
            // The turn ends where it looks next.
            PromptVerdict::Interrupted => {
                self.refused.push(prompt);
                return Ok(());
            }
            PromptVerdict::Refused(refused) => {
                self.send_refused(&refused).await;
                self.refused.push(prompt);
                return Ok(());
            }
        }
        if !prompt.is_notification() {
            self.session.replay(&prompt).await;
        }
        self.prompts.push(prompt);
        Ok(())
    }

    /// Which prompts a frame answers: the first, and all. Nothing where the host gave them no ids.
    pub(super) fn marks(&self) -> (Option<Str<'static>>, Option<Vec<Str<'static>>>) {
        let named: Vec<Str<'static>> = self.named().into_iter().map(Into::into).collect();
        (named.first().cloned(), (!named.is_empty()).then_some(named))
    }

    /// The ids of the prompts that the host gave ids.
    pub(super) fn named(&self) -> Vec<String> {
        self.prompts
            .iter()
            .chain(&self.refused)
            .filter(|prompt| prompt.is_named)
            .map(|prompt| prompt.uuid.clone())
            .collect()
    }
}

/// Stores a prompt before it is processed.
fn keep(dialogue: &mut Dialogue, prompt: &QueuedPrompt, mode: &str) -> Result<(), TranscriptFileError> {
    let message = Raw::written(&prompt.frame.message);
    let mut line = UserLine::new(&prompt.uuid, &message);
    line.permission_mode = Some(mode);
    line.is_meta = prompt.frame.is_synthetic == Some(true);
    line.origin = prompt.frame.origin.as_deref();
    dialogue.user(&line)
}

impl AgentSession {
    /// Sends a prompt back, where the host wants that.
    pub(crate) async fn replay(&self, prompt: &QueuedPrompt) {
        if self.options.replay_user_messages {
            self.send(FromAgent::User(Box::new(replayed(prompt, &self.id())))).await;
        }
    }
}

fn replayed(prompt: &QueuedPrompt, session_id: &str) -> UserFrame<'static> {
    let mut frame = UserFrame::new(prompt.frame.message.clone());
    frame.origin.clone_from(&prompt.frame.origin);
    frame.is_synthetic = prompt.frame.is_synthetic;
    frame.uuid = Some(prompt.uuid.clone().into());
    frame.session_id = Some(session_id.to_owned().into());
    frame.timestamp = Some(clock::now().into());
    frame.is_replay = Some(true);
    frame
}
