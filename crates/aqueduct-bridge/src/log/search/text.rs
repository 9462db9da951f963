//! What of an event can be found.

use aqueduct_wire::json::{Fault, Reader};

use super::EventHit;

/// The version of what this file does. With another one the index is made again: it can only be taken back
/// by the very text that it was made from.
pub(super) const VERSION: i64 = 2;
/// How much of an event can be found, in bytes.
const EVENT_LIMIT: usize = 16 << 10;
/// How much of one string can be found, in bytes: so a long one does not hide those behind it.
const STRING_LIMIT: usize = 8 << 10;
/// A longer string of ASCII without white space is not text: an image, a signature, a program made small.
const WORD_LIMIT: usize = 512;
/// Separates characters of scripts that are written without spaces, so that each is a word. It is not
/// visible, and it is not part of a word.
pub(super) const SEAM: char = '\u{200b}';

/// Members whose values are names for programs, not words for people; or repeat other members.
const PASSED_OVER: &[&str] = &[
    "caller",
    "clientMessageId",
    "id",
    "media_type",
    "model",
    "parentToolUseId",
    "parent_tool_use_id",
    "requestId",
    "request_id",
    "role",
    "sessionId",
    "session_id",
    "signature",
    "stop_reason",
    "timestamp",
    "toolUseId",
    "tool_use_id",
    "tool_use_result",
    "type",
    "usage",
    "uuid",
];

/// The same for members of the message itself. In a tool's input they are content.
const PASSED_OVER_OUTSIDE: &[&str] = &[
    "agentId",
    "by",
    "decision",
    "inputHash",
    "kind",
    "mode",
    "modes",
    "parts",
    "reason",
    "reasonType",
    "rules",
    "source",
    "subtype",
    "suggestions",
    "updates",
];

/// The words of an event: all strings in its JSON but for those that no person would look for, each on a line
/// of its own. Text that is not JSON has none.
pub(in super::super) fn searchable_text(payload: &str) -> String {
    let mut text = SearchText { out: String::new(), room: EVENT_LIMIT, depth: 0 };
    // What was found before a fault is still good.
    let _ = text.value(&mut Reader::new(payload));
    text.out
}

struct SearchText {
    out: String,
    /// How many more bytes of the event count.
    room: usize,
    /// In how many objects the reader is.
    depth: usize,
}

impl SearchText {
    fn value(&mut self, reader: &mut Reader<'_>) -> Result<(), Fault> {
        match reader.peek() {
            _ if self.room == 0 => {}
            Some(b'{') => {
                reader.open_object()?;
                self.depth += 1;
                let mut first = true;
                while let Some(key) = reader.next_key(first)? {
                    first = false;
                    if self.passes_over(&key) {
                        reader.skip()?;
                    } else {
                        self.value(reader)?;
                    }
                    if self.room == 0 {
                        return Ok(());
                    }
                }
                self.depth -= 1;
            }
            Some(b'[') => {
                reader.open_array()?;
                let mut first = true;
                while reader.next_item(first)? {
                    first = false;
                    self.value(reader)?;
                    if self.room == 0 {
                        return Ok(());
                    }
                }
            }
            Some(b'"') => self.string(&reader.string()?),
            _ => reader.skip()?,
        }
        Ok(())
    }

    fn passes_over(&self, key: &str) -> bool {
        PASSED_OVER.binary_search(&key).is_ok()
            || self.depth == 1 && PASSED_OVER_OUTSIDE.binary_search(&key).is_ok()
    }

    fn string(&mut self, string: &str) {
        let string = &string[..string.floor_char_boundary(STRING_LIMIT.min(self.room))];
        if string.is_empty() || is_not_text(string) {
            return;
        }
        self.room -= string.len();
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        for char in string.chars() {
            push(&mut self.out, char);
        }
    }
}

fn is_not_text(string: &str) -> bool {
    string.len() > WORD_LIMIT && string.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Adds a character as it is indexed. The marks around hits must not come from anywhere else.
pub(super) fn push(out: &mut String, char: char) {
    match char {
        '\n' | '\t' => out.push(char),
        SEAM => {}
        EventHit::OPEN | EventHit::CLOSE => out.push(char::REPLACEMENT_CHARACTER),
        char if char.is_control() => out.push(' '),
        char => {
            out.push(char);
            if is_separate(char) {
                out.push(SEAM);
            }
        }
    }
}

/// Whether a character is of a script that is written without spaces: Chinese, Japanese, Korean.
fn is_separate(char: char) -> bool {
    matches!(char,
        '\u{3040}'..='\u{30ff}' // Hiragana, Katakana
        | '\u{31f0}'..='\u{31ff}' // Katakana extensions
        | '\u{3400}'..='\u{4dbf}' // Han
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' // Hangul
        | '\u{f900}'..='\u{faff}' // Han, for compatibility
        | '\u{ff66}'..='\u{ff9f}' // Katakana of half width
        | '\u{20000}'..='\u{3ffff}' // Han, the rarer ones
    )
}

#[cfg(test)]
mod tests {
    use super::{EVENT_LIMIT, PASSED_OVER, PASSED_OVER_OUTSIDE, STRING_LIMIT, searchable_text};

    #[test]
    fn what_is_passed_over_can_be_looked_up() {
        assert!(PASSED_OVER.is_sorted() && PASSED_OVER_OUTSIDE.is_sorted());
    }

    #[test]
    fn words_of_a_message_and_nothing_else() {
        let payload = r#"{"type":"assistant","uuid":"4f1c","session_id":"77aa","message":{"id":"msg_1","role":"assistant",
            "model":"opus","content":[{"type":"text","text":"I look into \"it\"."},
            {"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls -la","timeout":5000}}],
            "usage":{"service_tier":"standard"}}}"#;
        assert_eq!(searchable_text(payload), "I look into \"it\".\nBash\nls -la");
    }

    #[test]
    fn the_author_is_not_a_word_of_it() {
        let payload = r#"{"type":"user_input","by":{"deviceId":"d-1","name":"Ada's phone"},"source":"client",
            "text":"by whom?","blocks":[{"type":"note","source":"a book"}]}"#;
        assert_eq!(searchable_text(payload), "by whom?\na book");
        let payload = r#"{"type":"permission_request","id":"p-1","kind":"permission","inputHash":"4f2a","toolName":"Bash",
            "input":{"command":"make it","mode":"slow"},"rules":[{"rule":"Bash(make *)"}],"modes":["default"]}"#;
        assert_eq!(searchable_text(payload), "Bash\nmake it\nslow");
    }

    #[test]
    fn images_and_signatures_are_not_text() {
        let image = "iVBORw0KGgo".repeat(100);
        let payload = format!(
            r#"{{"content":[{{"source":{{"data":"{image}","media_type":"image/png"}}}},{{"text":"a cat"}}]}}"#
        );
        assert_eq!(searchable_text(&payload), "a cat");
    }

    #[test]
    fn a_long_string_does_not_hide_the_next() {
        let payload = format!(r#"{{"content":"{}","file_path":"/proj/main.rs"}}"#, "word ".repeat(10_000));
        let text = searchable_text(&payload);
        assert!(text.ends_with("\n/proj/main.rs"), "{}", text.len());
        assert!(text.len() < STRING_LIMIT + 20);
    }

    #[test]
    fn an_event_has_a_limit_and_characters_stay_whole() {
        let payload = format!(r#"["{0}","{0}","{0}"]"#, "ä b".repeat(STRING_LIMIT));
        let text = searchable_text(&payload);
        assert!(text.len() <= EVENT_LIMIT + 3, "{}", text.len());
    }

    #[test]
    fn what_is_broken_is_searched_up_to_there() {
        assert_eq!(searchable_text(r#"{"text":"whole","more":"bro"#), "whole");
        assert_eq!(searchable_text("no json"), "");
        assert_eq!(searchable_text(&"[".repeat(100_000)), "");
    }

    #[test]
    fn control_characters_are_spaces() {
        assert_eq!(
            searchable_text("{\"text\":\"a\\u0002b\\u0000c\\nd\\u200be\\ue000\"}"),
            "a b c\nde\u{fffd}"
        );
    }
}
