//! What the user might say next: a guess of the model, where the host wants one.

use aqueduct_model::{ModelMessage, Request, RequestRole};
use aqueduct_rules::Mode;
use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::PromptSuggestion;
use aqueduct_wire::json::{Raw, Str};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Turn, TurnEnd};
use crate::clock::fresh_uuid;
use crate::session::AgentSession;
use crate::trace;

/// How many answers there must be before a guess is more than a guess.
const ANSWERS: usize = 2;

/// How many words a suggestion may have, and how many letters.
const MOST_WORDS: usize = 12;
const MOST_LETTERS: usize = 100;

/// What the model is asked.
const ASK: &str = "(Not from the user.) Predict what the user writes next: consider their original request, \
    their last message and what is done so far, and write the one line that they would find obvious to type \
    next, in their own style, in two to twelve words. Only what follows from their own requests: no thanks, \
    no questions to them, no ideas of yours, nothing harmful. If nothing is obvious, write nothing at all. \
    Call no tools. Write only that line.";

impl Turn<'_> {
    /// What to ask for a guess of what comes next, where one is wanted and can be made. It is the conversation
    /// with a question behind it, so that nearly all of it is in the model's cache.
    pub(super) async fn guess(&self, end: &TurnEnd) -> Option<Box<Request>> {
        if !matches!(end, TurnEnd::Completed) || self.mode() == Mode::Plan || !self.session.suggests() {
            return None;
        }
        let mut request = self.request().await;
        let answers =
            request.messages.iter().filter(|message| message.role == RequestRole::Assistant).count();
        if answers < ANSWERS {
            return None;
        }
        request
            .messages
            .push(ModelMessage { role: RequestRole::User, content: Raw::written(&Str::from(ASK)) });
        Some(Box::new(request))
    }
}

impl AgentSession {
    fn suggests(&self) -> bool {
        const VARIABLE: &str = "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION";
        let wanted = self.options.prompt_suggestions || self.host_options.suggests();
        if !wanted || !self.outbox.wants_frames() || self.environment.denies(VARIABLE) {
            return false;
        }
        let setting = self.configuration().get("promptSuggestionEnabled").and_then(Value::as_bool);
        self.environment.flag(VARIABLE) || setting != Some(false)
    }

    /// Asks for a guess, and sends it if it is of use. Who types meanwhile needs none.
    pub(crate) async fn suggest(&self, request: Request, cancel: CancellationToken) {
        let answer = match self.ask_aside(request, &cancel).await {
            Ok(answer) => answer,
            Err(why) => return trace::prompt_not_suggested(format_args!("{why}")),
        };
        let Some(suggestion) = usable(&answer) else {
            return trace::prompt_not_suggested(format_args!("the answer is of no use"));
        };
        let mut frame = PromptSuggestion::new(suggestion.to_owned());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::PromptSuggestion(Box::new(frame))).await;
    }
}

/// The line that people can be shown, if what the model said is one.
fn usable(answer: &str) -> Option<&str> {
    let line = answer.trim().trim_matches(['"', '`']).trim();
    let words = line.split_whitespace().count();
    let fits = words <= MOST_WORDS && line.chars().count() <= MOST_LETTERS && !line.contains('\n');
    // One word is a guess only where it is a command.
    let is_prompt = words > 1 || (words == 1 && line.starts_with('/'));
    (fits && is_prompt && !line.starts_with('<')).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::usable;

    #[test]
    fn only_a_short_line_is_of_use() {
        assert_eq!(usable(" \"run the tests\" \n"), Some("run the tests"));
        assert_eq!(usable("/compact"), Some("/compact"));
        for answer in
            ["", "  ", "yes", "one\ntwo", "<nothing to say>", &"word ".repeat(13), &"ab ".repeat(60)]
        {
            assert_eq!(usable(answer), None, "{answer:?}");
        }
    }
}
