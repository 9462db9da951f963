//! What a message needs beyond the shapes of its members.

use super::{ClientMessage, Constraint};

/// The member that is not as it has to be, and what it has to be.
pub(super) fn unmet(message: &ClientMessage<'_>, text: &str) -> Option<(&'static str, String)> {
    let missing = match message {
        ClientMessage::Input(input) => {
            let is_empty = input.text.trim().is_empty()
                && input.images.as_ref().is_none_or(Vec::is_empty)
                && input.blocks.as_ref().is_none_or(Vec::is_empty);
            is_empty.then_some(("text", "is empty, and there are neither images nor blocks"))
        }
        ClientMessage::Answer(answer) => {
            let has_answer = answer.result.is_some() || answer.answers.is_some() || answer.content.is_some();
            (!has_answer).then_some(("answers", "is missing, and so are `result` and `content`"))
        }
        _ => return Constraint::unmet(message.record()?, text),
    };
    missing.map(|(member, demand)| (member, demand.to_owned()))
}
