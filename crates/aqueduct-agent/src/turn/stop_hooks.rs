//! Hooks when the model is done: they may make it continue.

use super::{Interrupted, Turn, TurnEnd};
use crate::hook::FinalAnswer;

/// How often in a row hooks may make the model continue. A hook that always blocks would cause unlimited costs.
const MOST_REFUSALS: u32 = 8;

/// The variable that sets another number.
const REFUSALS: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

/// The key by which hosts identify the notification of a hook that made the model continue.
const STOP_HOOK: &str = "stop-hook-error";

impl Turn<'_> {
    /// Asks hooks whether the model may stop; `None` if it has to continue.
    pub(super) async fn stopped(&mut self) -> Option<TurnEnd> {
        let (session, is_active) = (self.session, self.stops_refused > 0);
        let history = &self.dialogue.history;
        let answer = FinalAnswer { text: &self.text, is_active, conversation: &|| history.messages() };
        let outcome = match self.by {
            // It is done when it has a verdict.
            Some(by) if by.identity.is_verifier => return Some(TurnEnd::Completed),
            Some(by) => {
                let (who, file) = (&by.identity, &by.transcript);
                session.subagent_stopping(who, file, answer, &self.cancel).await
            }
            None => session.stopping(answer, &self.cancel).await,
        };
        if outcome.interrupted {
            let reported = self.send_interruption(Interrupted::Streaming).await;
            return Some(reported.err().unwrap_or(TurnEnd::Interrupted(Interrupted::Streaming)));
        }
        let refusal = outcome.refusal();
        if outcome.stop.is_some() {
            if let Some(why) = refusal {
                self.text.clear();
                if let Err(end) = self.send_feedback(&why).await {
                    return Some(end);
                }
            }
            return Some(TurnEnd::StopPrevented);
        }
        if refusal.is_none() && outcome.contexts.is_empty() {
            return Some(TurnEnd::Completed);
        }
        self.stops_refused += 1;
        let set = self.session.environment.variable(REFUSALS).and_then(|text| text.parse().ok());
        let most: u32 = set.unwrap_or(MOST_REFUSALS);
        if self.stops_refused > most {
            self.text.clear();
            if let Some(why) = &refusal
                && let Err(end) = self.send_feedback(why).await
            {
                return Some(end);
            }
            let note = format!(
                "Stop hooks have blocked the end of the turn more than {most} times in a row: the turn ends now. A hook \
                 can see in stop_hook_active that it has blocked it before; {REFUSALS} sets another limit."
            );
            self.session.send_note(&note, "warning").await;
            return Some(TurnEnd::Completed);
        }
        self.add_contexts("Stop", &outcome, false);
        match refusal {
            Some(why) => {
                let reported = self.send_feedback(&why).await;
                if self.by.is_none() {
                    self.session.send_notification(STOP_HOOK, "A Stop hook made the model continue").await;
                }
                reported.err()
            }
            None => None,
        }
    }

    /// Has the model read why a hook makes it continue.
    async fn send_feedback(&mut self, why: &str) -> Result<(), TurnEnd> {
        let text = format!("Stop hook feedback:\n{why}");
        match self.by {
            Some(_) => self.say_to_subagent(&text),
            None => self.say_for_user(&text).await,
        }
    }
}
