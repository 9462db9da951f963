//! How a turn begins.

use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::{CommandState, UserFrame};
use aqueduct_wire::json::Str;

use super::prompt_hooks::Submitted;
use super::{End, Interrupted, Turn};
use crate::json_text::to_raw;
use crate::moment;
use crate::prompt_queue::Prompt;
use crate::session::Dialogue;
use crate::transcript::{TranscriptError, UserLine};

impl Turn<'_> {
    /// Keeps the prompts that hooks let pass, and tells the host that the turn has begun.
    pub(super) async fn open(&mut self) -> Result<(), End> {
        let session = self.session;
        let (mut wrong, mut refused, mut interrupted) = (None, Vec::new(), false);
        session.state().prompt_id = self.prompts.first().map(|prompt| prompt.uuid.clone());
        self.dialogue.prompt_id.clone_from(&session.state().prompt_id);
        let mut passed = Vec::new();
        for prompt in std::mem::take(&mut self.prompts) {
            session.send_lifecycle(&prompt, CommandState::Started).await;
            let mut submitted = match self.cancel.is_cancelled() {
                true => Submitted::Interrupted,
                false => self.submit(&prompt).await,
            };
            let mut prepared = None;
            if let (Submitted::Passed, Some(called)) = (&submitted, self.called.take()) {
                match self.prepare(&called, &prompt.text()).await {
                    Ok(done) => prepared = Some(done),
                    Err(refused) => submitted = Submitted::Refused(refused),
                }
            }
            let is_kept = match &submitted {
                Submitted::Passed => true,
                Submitted::Hidden | Submitted::Interrupted => false,
                Submitted::Refused(refused) => refused.is_kept,
            };
            let kept = match &prepared {
                Some(prepared) => self.keep_prepared(&prompt.uuid, prepared),
                None if is_kept => keep(self.dialogue, &prompt, session.mode().name()),
                None => Ok(()),
            };
            if let Err(error) = kept {
                wrong.get_or_insert(error);
            } else if is_kept && prompt.frame.is_synthetic != Some(true) {
                self.dialogue.prompted(&prompt.frame.message.content);
            }
            if let Submitted::Refused(why) = submitted {
                refused.push(why);
                self.refused.push(prompt);
                continue;
            }
            if matches!(submitted, Submitted::Interrupted) {
                self.refused.push(prompt);
                interrupted = true;
                continue;
            }
            if let Err(error) = session.workshop.checkpoints.begin(&prompt.uuid) {
                session.send_note(&error.to_string(), "warning").await;
            }
            self.steps += u64::from(prompt.asks());
            passed.push(prompt);
        }
        self.prompts = passed;
        session.approve_servers(&self.cancel).await;
        session.settle_servers(&self.cancel).await;
        session.send_init(&self.named()).await;
        for refused in &refused {
            self.tell_refused(refused).await;
        }
        if interrupted || self.cancel.is_cancelled() {
            self.tell_interruption(Interrupted::Streaming).await?;
            return Err(End::Interrupted(Interrupted::Streaming));
        }
        match (wrong, refused.pop()) {
            (Some(error), _) => Err(error.into()),
            (None, Some(refused)) if self.prompts.is_empty() => Err(End::Refused(refused)),
            _ => Ok(()),
        }
    }

    /// Sends the prompts back, where the host wants to see them.
    pub(super) async fn replay(&self) {
        if !self.session.options.replay_user_messages {
            return;
        }
        for prompt in &self.prompts {
            self.session.send(FromAgent::User(Box::new(replayed(prompt, &self.session.id())))).await;
        }
    }

    /// Takes prompts in that came while tools ran: the model hears them with the results.
    pub(super) async fn take_in_waiting(&mut self) -> Result<(), End> {
        loop {
            if self.by.is_some() {
                return self.take_in_mail();
            }
            if self.session.state().input_ended {
                // Who closes stdin behind several prompts wants an answer to each.
                return Ok(());
            }
            let Some(prompt) = self.session.queue().take_joining() else { return Ok(()) };
            self.session.send_lifecycle(&prompt, CommandState::Started).await;
            match self.submit(&prompt).await {
                Submitted::Passed => keep(self.dialogue, &prompt, self.session.mode().name())?,
                Submitted::Hidden => (),
                // The turn ends where it looks next.
                Submitted::Interrupted => {
                    self.refused.push(prompt);
                    continue;
                }
                Submitted::Refused(refused) => {
                    if refused.is_kept {
                        keep(self.dialogue, &prompt, self.session.mode().name())?;
                    }
                    self.tell_refused(&refused).await;
                    self.refused.push(prompt);
                    continue;
                }
            }
            if self.session.options.replay_user_messages {
                self.session.send(FromAgent::User(Box::new(replayed(&prompt, &self.session.id())))).await;
            }
            self.prompts.push(prompt);
        }
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

/// Keeps a prompt, before anything is done about it.
fn keep(dialogue: &mut Dialogue, prompt: &Prompt, mode: &str) -> Result<(), TranscriptError> {
    let message = to_raw(&prompt.frame.message);
    let mut line = UserLine::new(&prompt.uuid, &message);
    line.permission_mode = Some(mode);
    line.is_meta = prompt.frame.is_synthetic == Some(true);
    dialogue.user(&line)
}

fn replayed(prompt: &Prompt, session_id: &str) -> UserFrame<'static> {
    let mut frame = UserFrame::new(prompt.frame.message.clone());
    frame.origin.clone_from(&prompt.frame.origin);
    frame.is_synthetic = prompt.frame.is_synthetic;
    frame.uuid = Some(prompt.uuid.clone().into());
    frame.session_id = Some(session_id.to_owned().into());
    frame.timestamp = Some(moment::now().into());
    frame.is_replay = Some(true);
    frame
}
