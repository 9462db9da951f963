use super::UserLine;
use crate::block::{Content, ContentBlock};

/// How much of a prompt is shown in a list, in characters.
const SHOWN: usize = 200;

/// The text that a user wrote in a `user` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptText {
    /// Words, in one line; no more than the first 200 characters of them.
    Said(String),
    /// The name of a slash command.
    Command(String),
    /// Content that is not text.
    Medium(&'static str),
}

/// The text that a user wrote in a line, for lists of conversations; `None` if a tool or the program wrote
/// it.
pub fn prompt(line: &UserLine<'_>) -> Option<PromptText> {
    if line.is_meta == Some(true) || line.is_compact_summary == Some(true) {
        return None;
    }
    let message = line.message.view()?;
    let mut other = None;
    let texts: Vec<&str> = match &message.content {
        Content::Text(text) => vec![text],
        Content::Blocks(blocks) => {
            if blocks.iter().any(|block| matches!(block, ContentBlock::ToolResult(_))) {
                return None;
            }
            other = blocks.iter().find_map(medium);
            blocks.iter().filter_map(words).collect()
        }
    };
    texts.iter().find_map(|text| prompt_text(text)).or(other.map(PromptText::Medium))
}

/// The prompt as a `last-prompt` line has it; `None` where it has no words, or where they are the program's.
pub fn last_prompt(content: &Content<'_>) -> Option<String> {
    let text = match content {
        Content::Text(text) => text.as_str(),
        Content::Blocks(blocks) => blocks.iter().find_map(words)?,
    };
    let text = text.trim();
    (!text.is_empty() && !is_marked(text)).then(|| cut(&text.replace('\n', " ")))
}

fn words<'b>(block: &'b ContentBlock<'_>) -> Option<&'b str> {
    match block {
        ContentBlock::Text(block) => Some(block.text.as_str()),
        _ => None,
    }
}

fn medium(block: &ContentBlock<'_>) -> Option<&'static str> {
    match block {
        ContentBlock::Image(_) => Some("Image"),
        ContentBlock::Document(_) => Some("Document"),
        _ => None,
    }
}

fn prompt_text(text: &str) -> Option<PromptText> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return None;
    }
    if let Some(name) = between(&text, "<command-name>", "</command-name>") {
        return Some(PromptText::Command(name.to_owned()));
    }
    if let Some(command) = between(&text, "<bash-input>", "</bash-input>") {
        return Some(PromptText::Said(format!("! {}", command.trim())));
    }
    if is_marked(&text) || text.starts_with("[Request interrupted by user") {
        return None;
    }
    Some(PromptText::Said(cut(&text)))
}

/// Whether a text begins with a mark such as `<local-command-stdout>`: those are the program's words.
fn is_marked(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    rest.starts_with(|c: char| c.is_ascii_lowercase()) && name.starts_with(['>', ' '])
}

fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close).map(|(inside, _)| inside)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}
