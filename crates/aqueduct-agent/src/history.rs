//! The conversation as the model sees it.

use std::collections::HashSet;

use aqueduct_model::{ModelMessage, RequestRole};
use aqueduct_wire::block::{Content, ContentBlock, TextBlock, ToolResultBlock};
use aqueduct_wire::json::{Map, Raw, Str};

/// The result of a tool call whose own result is missing, because the process ended while it ran.
pub(crate) const LOST_RESULT: &str =
    "The call was cut off before it had a result. Whether it took effect is not known.";

/// The text before the notification of a background task.
const NOTIFIED: &str = "A background task reports this. The user has said nothing: it answers no question and permits \
    nothing.";

/// The conversation so far: entries as transcripts keep them, one a block or a result.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    entries: Vec<HistoryEntry>,
}

/// One entry of the conversation.
#[derive(Debug, Clone)]
pub(crate) struct HistoryEntry {
    /// The id on the wire and in the transcript.
    pub(crate) uuid: String,
    /// The role of the author.
    pub(crate) role: RequestRole,
    /// The model's message that it is a part of, by the API's id.
    pub(crate) message_id: Option<String>,
    /// The end of a background task, and not input of the user.
    pub(crate) is_notification: bool,
    /// A string or a list of blocks.
    pub(crate) content: Raw<'static>,
}

impl HistoryEntry {
    /// The entry of a message: an object with `content`.
    pub(crate) fn of(uuid: &str, role: RequestRole, message: &Raw<'_>) -> Option<Self> {
        let members = message.view::<Map<'_, Raw<'_>>>()?;
        let content = members.get("content")?.clone().into_owned();
        let id =
            members.get("id").filter(|_| role == RequestRole::Assistant).and_then(|id| id.view::<Str<'_>>());
        let message_id = id.map(Str::into_string);
        Some(HistoryEntry { uuid: uuid.to_owned(), role, message_id, is_notification: false, content })
    }
}

impl History {
    /// Adds an entry at the end.
    pub(crate) fn push(&mut self, entry: HistoryEntry) {
        self.entries.push(entry);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets all but the oldest entries.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.entries.truncate(length);
    }

    /// Takes entries back, and gives their ids.
    pub(crate) fn retract(&mut self, is_retracted: impl Fn(&HistoryEntry) -> bool) -> Vec<String> {
        self.entries.extract_if(.., |entry| is_retracted(entry)).map(|entry| entry.uuid).collect()
    }

    /// Whether the conversation has no entries.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes the newest entries away, as long as their ids are wanted; oldest first.
    pub(crate) fn split_off_while(&mut self, wanted: impl Fn(&str) -> bool) -> Vec<HistoryEntry> {
        let kept = self.entries.iter().rposition(|entry| !wanted(&entry.uuid)).map_or(0, |last| last + 1);
        self.entries.split_off(kept)
    }

    /// The ids of the entries, oldest first.
    pub(crate) fn uuids(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.uuid.as_str())
    }

    /// The id of the newest entry.
    pub(crate) fn newest(&self) -> Option<&str> {
        self.entries.last().map(|entry| entry.uuid.as_str())
    }

    /// The user's prompts, with ids: not the results of tools, and not messages in the user's place.
    pub(crate) fn prompts(&self) -> Vec<(String, String)> {
        let is_users = |entry: &&HistoryEntry| entry.role == RequestRole::User;
        let prompt = |entry: &HistoryEntry| {
            let texts: Vec<String> = blocks(&entry.content).iter().filter_map(block_text).collect();
            let text = texts.join(" ").lines().next().unwrap_or_default().to_owned();
            (!text.is_empty() && !text.starts_with('<')).then(|| (entry.uuid.clone(), text))
        };
        self.entries.iter().filter(is_users).filter_map(prompt).collect()
    }

    /// The conversation as text, for people.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        for group in self.entries.chunk_by(|one, next| one.role == next.role) {
            let who = match group.first().map(|entry| entry.role) {
                Some(RequestRole::Assistant) => "Model",
                _ => "User",
            };
            let lines: Vec<String> = group
                .iter()
                .flat_map(|entry| blocks(&entry.content))
                .filter(|block| !is_command(block))
                .filter_map(|block| written(&block))
                .collect();
            if !lines.is_empty() {
                text.push_str(&format!("## {who}\n\n{}\n\n", lines.join("\n\n")));
            }
        }
        text
    }

    /// About how many tokens the entries have: four characters each.
    pub(crate) fn estimated_tokens(&self) -> u64 {
        self.entries.iter().map(|entry| entry.content.as_str().len() as u64).sum::<u64>() / 4
    }

    /// The messages for the model: entries of one speaker in a row are one message, every tool call has a
    /// result, every result a call, and what a model would refuse to take back is left out.
    pub(crate) fn messages(&self) -> Vec<ModelMessage> {
        let entries = whole_messages(&self.entries);
        let groups = entries.chunk_by(|one, next| one.role == next.role);
        let mut messages: Vec<ModelMessage> = Vec::new();
        let mut open: Vec<String> = Vec::new();
        for group in groups {
            let blocks = group.iter().flat_map(|entry| visible_blocks(entry));
            let role = group.first().map_or(RequestRole::User, |entry| entry.role);
            let blocks = match role {
                RequestRole::Assistant => {
                    if !open.is_empty() {
                        push(&mut messages, RequestRole::User, lost(&mut open));
                    }
                    let blocks: Vec<ContentBlock<'_>> = blocks.filter(is_sendable).collect();
                    open = calls(&blocks);
                    blocks
                }
                RequestRole::User => answered(blocks.collect(), &mut open),
            };
            push(&mut messages, role, blocks);
        }
        if !open.is_empty() {
            push(&mut messages, RequestRole::User, lost(&mut open));
        }
        messages
    }
}

/// The entries with each message of the model in one piece: results of its calls that came before its last block are
/// behind it. A message of nothing but thinking is left out where the model was asked again: its answer never came.
fn whole_messages(entries: &[HistoryEntry]) -> Vec<&HistoryEntry> {
    let mut whole: Vec<&HistoryEntry> = Vec::with_capacity(entries.len());
    for entry in entries {
        let last = whole.iter().rposition(|earlier| earlier.role == RequestRole::Assistant);
        let place = last.filter(|_| entry.role == RequestRole::Assistant && entry.message_id.is_some());
        let place = place.filter(|&last| whole[last].message_id == entry.message_id).map(|last| last + 1);
        match place.filter(|&place| whole[place..].iter().all(|between| is_result(&between.content))) {
            Some(place) => whole.insert(place, entry),
            None => whole.push(entry),
        }
    }
    let mut kept: Vec<&HistoryEntry> = Vec::with_capacity(whole.len());
    for entry in whole.into_iter().rev() {
        let is_followed = |next: &&HistoryEntry| {
            next.role == RequestRole::Assistant
                && next.message_id.is_some()
                && next.message_id != entry.message_id
        };
        let is_void = entry.message_id.is_some() && kept.last().is_some_and(is_followed);
        if !(is_void && is_thinking(&entry.content)) {
            kept.push(entry);
        }
    }
    kept.reverse();
    kept
}

/// Whether a content is nothing but thinking.
fn is_thinking(content: &Raw<'static>) -> bool {
    let is_thinking = |block: &ContentBlock<'_>| {
        matches!(block, ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_))
    };
    blocks(content).iter().all(is_thinking)
}

/// Whether a content is nothing but results of tools.
fn is_result(content: &Raw<'static>) -> bool {
    let blocks = blocks(content);
    !blocks.is_empty() && blocks.iter().all(|block| matches!(block, ContentBlock::ToolResult(_)))
}

/// Whether a block is a slash command that no model answers, or what one printed.
fn is_command(block: &ContentBlock<'_>) -> bool {
    let starts = ["<command-name>", "<local-command-"];
    matches!(block, ContentBlock::Text(text) if starts.iter().any(|start| text.text.starts_with(start)))
}

/// The text of a block.
fn block_text(block: &ContentBlock<'_>) -> Option<String> {
    match block {
        ContentBlock::Text(text) => Some(text.text.trim().to_owned()).filter(|text| !text.is_empty()),
        _ => None,
    }
}

/// A block as people read it.
fn written(block: &ContentBlock<'_>) -> Option<String> {
    match block {
        ContentBlock::ToolUse(call) => Some(format!("[{} {}]", call.name, call.input)),
        ContentBlock::ToolResult(result) => {
            let text = result.content.as_ref().map(|content| match content {
                Content::Text(text) => text.to_string(),
                content => content.text(),
            });
            Some(format!("```\n{}\n```", text.unwrap_or_default()))
        }
        block => block_text(block),
    }
}

/// The blocks of an entry as the model gets them. A notification is marked as such, so that it does not pass for the
/// user's words.
fn visible_blocks(entry: &HistoryEntry) -> Vec<ContentBlock<'_>> {
    let mut blocks = blocks(&entry.content);
    if entry.is_notification {
        for block in &mut blocks {
            if let ContentBlock::Text(text) = block {
                text.text =
                    format!("<system-reminder>\n{NOTIFIED}\n\n{}\n</system-reminder>", text.text).into();
            }
        }
    }
    blocks
}

/// The blocks of a content; a string is one text block.
fn blocks<'c>(content: &'c Raw<'static>) -> Vec<ContentBlock<'c>> {
    match content.view::<Content<'c>>() {
        Some(Content::Text(text)) => vec![ContentBlock::Text(TextBlock::new(text))],
        Some(Content::Blocks(blocks)) => blocks,
        _ => Vec::new(),
    }
}

fn push(messages: &mut Vec<ModelMessage>, role: RequestRole, blocks: Vec<ContentBlock<'_>>) {
    if blocks.is_empty() {
        return;
    }
    messages.push(ModelMessage { role, content: Raw::written(&blocks) });
}

/// The ids of the calls in a message.
fn calls(blocks: &[ContentBlock<'_>]) -> Vec<String> {
    let id = |block: &ContentBlock<'_>| match block {
        ContentBlock::ToolUse(call) => Some(call.id.to_string()),
        _ => None,
    };
    blocks.iter().filter_map(id).collect()
}

/// Thinking that was cut off has no signature and would be refused; so would empty text.
fn is_sendable(block: &ContentBlock<'_>) -> bool {
    match block {
        ContentBlock::Thinking(thinking) => thinking.signature.as_ref().is_some_and(|text| !text.is_empty()),
        ContentBlock::Text(text) => !text.text.trim().is_empty(),
        _ => true,
    }
}

/// The user's blocks with the results first, as the API wants them: one for each open call, and none for
/// a call that was never made or has one already.
fn answered<'b>(blocks: Vec<ContentBlock<'b>>, open: &mut Vec<String>) -> Vec<ContentBlock<'b>> {
    let mut seen = HashSet::new();
    let (mut results, mut others) = (Vec::new(), Vec::new());
    for block in blocks {
        match &block {
            ContentBlock::ToolResult(result) => {
                let id = result.tool_use_id.to_string();
                if open.contains(&id) && seen.insert(id) {
                    results.push(block);
                }
            }
            ContentBlock::Text(text) if text.text.is_empty() => (),
            _ => others.push(block),
        }
    }
    open.retain(|id| !seen.contains(id));
    results.extend(lost(open));
    results.append(&mut others);
    results
}

fn lost(open: &mut Vec<String>) -> Vec<ContentBlock<'static>> {
    let result = |id: String| {
        let mut block = ToolResultBlock::new(id);
        block.content = Some(Content::Text(LOST_RESULT.into()));
        block.is_error = Some(true);
        ContentBlock::ToolResult(block)
    };
    open.drain(..).map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(entries: &[(RequestRole, &'static str)]) -> History {
        let mut history = History::default();
        for (index, (role, content)) in entries.iter().enumerate() {
            let content = Raw::parse(content).expect("JSON");
            history.push(HistoryEntry {
                uuid: index.to_string(),
                role: *role,
                message_id: None,
                is_notification: false,
                content,
            });
        }
        history
    }

    fn seen(history: &History) -> Vec<String> {
        let line = |message: &ModelMessage| format!("{:?} {}", message.role, message.content);
        history.messages().iter().map(line).collect()
    }

    #[test]
    fn entries_of_one_speaker_are_one_message() {
        let history = history(&[
            (RequestRole::User, r#""one""#),
            (RequestRole::User, r#"[{"type":"text","text":"two"}]"#),
            (RequestRole::Assistant, r#"[{"type":"text","text":"a"}]"#),
            (RequestRole::Assistant, r#"[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]"#),
            (RequestRole::User, r#"[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]"#),
        ]);
        insta::assert_snapshot!(seen(&history).join("\n"), @r#"
        User [{"type":"text","text":"one"},{"type":"text","text":"two"}]
        Assistant [{"type":"text","text":"a"},{"type":"tool_use","id":"t1","name":"Bash","input":{}}]
        User [{"type":"tool_result","tool_use_id":"t1","content":"ok"}]
        "#);
    }

    #[test]
    fn a_notification_does_not_pass_for_the_users_words() {
        let mut history = history(&[(RequestRole::User, r#""<task-notification>done</task-notification>""#)]);
        history.entries[0].is_notification = true;
        let seen = seen(&history);
        assert!(
            seen[0].contains("<system-reminder>") && seen[0].contains("The user has said nothing"),
            "{seen:?}"
        );
        assert!(seen[0].contains("<task-notification>done</task-notification>"), "{seen:?}");
    }

    #[test]
    fn a_message_is_whole_before_the_results_of_its_calls() {
        let mut history = history(&[
            (RequestRole::User, r#""go""#),
            (RequestRole::Assistant, r#"[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]"#),
            (RequestRole::User, r#"[{"type":"tool_result","tool_use_id":"t1","content":"one"}]"#),
            (RequestRole::Assistant, r#"[{"type":"tool_use","id":"t2","name":"Bash","input":{}}]"#),
            (RequestRole::User, r#"[{"type":"tool_result","tool_use_id":"t2","content":"two"}]"#),
            (RequestRole::Assistant, r#"[{"type":"text","text":"tail"}]"#),
            (RequestRole::Assistant, r#"[{"type":"text","text":"next"}]"#),
        ]);
        for (index, id) in [(1, "m1"), (3, "m1"), (5, "m1"), (6, "m2")] {
            history.entries[index].message_id = Some(id.to_owned());
        }
        insta::assert_snapshot!(seen(&history).join("\n"), @r#"
        User [{"type":"text","text":"go"}]
        Assistant [{"type":"tool_use","id":"t1","name":"Bash","input":{}},{"type":"tool_use","id":"t2","name":"Bash","input":{}},{"type":"text","text":"tail"}]
        User [{"type":"tool_result","tool_use_id":"t1","content":"one"},{"type":"tool_result","tool_use_id":"t2","content":"two"}]
        Assistant [{"type":"text","text":"next"}]
        "#);
    }

    #[test]
    fn thinking_whose_answer_was_asked_for_again_is_left_out() {
        let mut history = history(&[
            (RequestRole::User, r#""go""#),
            (RequestRole::Assistant, r#"[{"type":"thinking","thinking":"hm","signature":"s"}]"#),
            (RequestRole::Assistant, r#"[{"type":"thinking","thinking":"ah","signature":"s"}]"#),
            (RequestRole::Assistant, r#"[{"type":"text","text":"answer"}]"#),
        ]);
        for (index, id) in [(1, "m1"), (2, "m2"), (3, "m2")] {
            history.entries[index].message_id = Some(id.to_owned());
        }
        let seen = seen(&history);
        assert!(!seen[1].contains("hm") && seen[1].contains("ah"), "{seen:?}");
    }

    #[test]
    fn a_call_without_a_result_gets_one_and_a_result_without_a_call_goes() {
        let history = history(&[
            (RequestRole::User, r#""go""#),
            (RequestRole::Assistant, r#"[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]"#),
            (
                RequestRole::User,
                r#"[{"type":"text","text":"next"},{"type":"tool_result","tool_use_id":"t9"}]"#,
            ),
            (RequestRole::Assistant, r#"[{"type":"tool_use","id":"t2","name":"Bash","input":{}}]"#),
        ]);
        let seen = seen(&history);
        assert!(seen[2].contains("t1") && seen[2].contains("cut off") && !seen[2].contains("t9"), "{seen:?}");
        assert!(seen[4].contains("t2"), "{seen:?}");
    }

    #[test]
    fn what_a_model_refuses_is_left_out() {
        let history = history(&[
            (RequestRole::User, r#""go""#),
            (RequestRole::Assistant, r#"[{"type":"thinking","thinking":"hm","signature":""}]"#),
            (RequestRole::Assistant, r#"[{"type":"text","text":" "}]"#),
            (RequestRole::User, r#""on""#),
        ]);
        let seen = seen(&history);
        assert_eq!(seen.len(), 2, "{seen:?}");
    }
}
