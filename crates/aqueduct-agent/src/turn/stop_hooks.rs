//! Hooks when the model is done: they may make it go on.

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::message::UserMessage;

use super::{End, Interrupted, Turn};
use crate::json_text::to_raw;
use crate::moment::fresh_uuid;
use crate::transcript::UserLine;

/// How often hooks may make the model go on, one time after the other. A hook that never lets go would cost
/// money for ever.
const MOST_REFUSALS: u32 = 8;

/// The variable that sets another number.
const REFUSALS: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

impl Turn<'_> {
    /// Asks hooks whether the model may be done; `None` where it is to go on.
    pub(super) async fn stopped(&mut self) -> Option<End> {
        let (session, is_active) = (self.session, self.stops_refused > 0);
        let outcome = match self.by {
            Some(by) => {
                let (who, file) = (&by.identity, &by.transcript);
                session.subagent_stopping(who, file, is_active, &self.text, &self.cancel).await
            }
            None => session.stopping(is_active, &self.text, &self.cancel).await,
        };
        if outcome.interrupted {
            let told = self.tell_interruption(Interrupted::Streaming).await;
            return Some(told.err().unwrap_or(End::Interrupted(Interrupted::Streaming)));
        }
        if outcome.stop.is_some() {
            return Some(End::StopPrevented);
        }
        let refusal = outcome.refusal();
        if refusal.is_none() && outcome.contexts.is_empty() {
            return Some(End::Completed);
        }
        self.stops_refused += 1;
        let set = self.session.environment.variable(REFUSALS).and_then(|text| text.parse().ok());
        let most: u32 = set.unwrap_or(MOST_REFUSALS);
        if self.stops_refused > most {
            let note = format!(
                "Stop hooks have made the model go on {most} times, one after the other: the turn ends now. A hook \
                 can see in stop_hook_active that it was heard; {REFUSALS} sets another limit."
            );
            self.session.send_note(&note, "warning").await;
            return Some(End::Completed);
        }
        self.hear("Stop", &outcome, false);
        match refusal {
            Some(why) => self.tell_feedback(&why).await.err(),
            None => None,
        }
    }

    /// Keeps and tells why a hook wants the model to go on.
    async fn tell_feedback(&mut self, why: &str) -> Result<(), End> {
        let block = ContentBlock::Text(TextBlock::new(format!("Stop hook feedback:\n{why}")));
        let mut message = UserMessage::new(Content::Blocks(vec![block]));
        message.role = Some("user".into());
        let (uuid, raw) = (fresh_uuid(), to_raw(&message));
        let mut line = UserLine::new(&uuid, &raw);
        line.is_meta = true;
        self.dialogue.user(&line)?;
        self.steps += 1;
        let mut frame = self.user_frame(message, &uuid);
        frame.is_synthetic = Some(true);
        self.tell(FromAgent::User(Box::new(frame))).await;
        Ok(())
    }
}
