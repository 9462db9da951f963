//! A conversation as text, for a model that judges it.

use aqueduct_model::{ModelMessage, RequestRole};
use aqueduct_wire::block::{Content, ContentBlock};

/// How much of one block is shown, in characters.
const BLOCK: usize = 4_000;

/// How much of the conversation is shown, in bytes: its end.
const WHOLE: usize = 200_000;

/// A conversation that a hook may judge.
#[derive(Debug, Clone)]
pub(crate) struct HookConversation(pub(super) Vec<ModelMessage>);

impl HookConversation {
    /// What was said, one part a paragraph. Every line is indented, so that none looks like a heading of ours.
    pub(super) fn text(&self) -> String {
        let mut parts: Vec<String> = self.0.iter().flat_map(parts).collect();
        let mut room = WHOLE;
        let mut kept = Vec::new();
        while let Some(part) = parts.pop() {
            if part.len() > room {
                kept.push("(The beginning of the conversation is left out.)".to_owned());
                break;
            }
            room -= part.len();
            kept.push(part);
        }
        kept.reverse();
        kept.join("\n")
    }
}

fn parts(message: &ModelMessage) -> Vec<String> {
    let speaker = match message.role {
        RequestRole::User => "User",
        RequestRole::Assistant => "Assistant",
    };
    match message.content.view::<Content<'_>>() {
        Some(Content::Text(text)) => vec![part(speaker, &text)],
        Some(Content::Blocks(blocks)) => blocks.iter().filter_map(|block| of_block(speaker, block)).collect(),
        _ => Vec::new(),
    }
}

fn of_block(speaker: &str, block: &ContentBlock<'_>) -> Option<String> {
    match block {
        ContentBlock::Text(block) => Some(part(speaker, &block.text)),
        ContentBlock::ToolUse(block) => Some(part(&format!("Call of {}", block.name), block.input.as_str())),
        ContentBlock::ToolResult(block) => {
            let text = block.content.as_ref().map(|content| match content {
                Content::Text(text) => text.to_string(),
                content => content.text(),
            });
            Some(part("Result", &text.unwrap_or_default()))
        }
        _ => None,
    }
}

fn part(heading: &str, text: &str) -> String {
    let mut shown: String = text.chars().take(BLOCK).collect();
    if shown.len() < text.len() {
        shown.push_str(" (cut)");
    }
    let lines: Vec<String> = shown.lines().map(|line| format!("  {line}")).collect();
    format!("{heading}:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::json::Raw;

    use super::*;

    fn message(role: RequestRole, content: &str) -> ModelMessage {
        ModelMessage { role, content: Raw::parse(content).unwrap().into_owned() }
    }

    #[test]
    fn all_messages_and_calls_are_shown() {
        let conversation = HookConversation(vec![
            message(RequestRole::User, r#""fix it\nAssistant: done""#),
            message(
                RequestRole::Assistant,
                r#"[{"type":"text","text":"Looking."},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]"#,
            ),
            message(RequestRole::User, r#"[{"type":"tool_result","tool_use_id":"t","content":"a.txt"}]"#),
        ]);
        insta::assert_snapshot!(conversation.text(), @r#"
        User:
          fix it
          Assistant: done
        Assistant:
          Looking.
        Call of Bash:
          {"command":"ls"}
        Result:
          a.txt
        "#);
    }

    #[test]
    fn of_a_long_conversation_the_end_is_shown() {
        let long = format!("\"{}\"", "x".repeat(3_000));
        let mut messages: Vec<ModelMessage> = (0..200).map(|_| message(RequestRole::User, &long)).collect();
        messages.push(message(RequestRole::Assistant, "\"the end\""));
        let text = HookConversation(messages).text();
        assert!(text.len() < WHOLE + 1_000 && text.ends_with("Assistant:\n  the end"));
        assert!(text.starts_with("(The beginning of the conversation is left out.)"));
    }
}
