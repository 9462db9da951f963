//! What the agent is doing, read from the beginnings of the lines that it exchanges with its host.

use crate::keeper::protocol::Activity;

/// How much of a line is looked at: programs write a frame's kind first, or in alphabetical order.
const HEAD: usize = 16 << 10;

/// Cuts output into lines as far as is needed to see what kinds of frames they are.
#[derive(Debug, Default)]
pub(super) struct FrameHeads {
    /// The beginning of the line that is being read; at most [`HEAD`] bytes.
    head: Vec<u8>,
    /// The beginning of this line was looked at.
    is_seen: bool,
}

impl FrameHeads {
    /// What the agent is doing after these bytes, if they determine it.
    pub(super) fn read(&mut self, mut bytes: &[u8]) -> Option<Activity> {
        let mut activity = None;
        while !bytes.is_empty() {
            let end = memchr::memchr(b'\n', bytes);
            let line = &bytes[..end.unwrap_or(bytes.len())];
            if end.is_some() && !self.is_seen && self.head.is_empty() {
                activity = activity_after(&line[..line.len().min(HEAD)]).or(activity);
            } else if !self.is_seen {
                self.head.extend_from_slice(&line[..line.len().min(HEAD - self.head.len())]);
                if end.is_some() || self.head.len() == HEAD {
                    activity = activity_after(&self.head).or(activity);
                    self.head.clear();
                    self.is_seen = true;
                }
            }
            let Some(end) = end else { break };
            self.is_seen = false;
            bytes = &bytes[end + 1..];
        }
        activity
    }
}

/// Whether this line starts a turn.
pub(super) fn starts_turn(line: &[u8]) -> bool {
    member(&line[..line.len().min(HEAD)], "type") == Some(b"user")
}

/// What an agent is doing after it wrote a line that begins so.
fn activity_after(head: &[u8]) -> Option<Activity> {
    match member(head, "type")? {
        b"result" => Some(Activity::Idle),
        b"control_request" => Some(Activity::Deciding),
        b"assistant" | b"user" | b"stream_event" | b"control_cancel_request" => Some(Activity::Working),
        b"command_lifecycle" if member(head, "state") == Some(b"started") => Some(Activity::Working),
        b"system" => match member(head, "subtype")? {
            b"init" => Some(Activity::Working),
            b"session_state_changed" => match member(head, "state")? {
                b"idle" => Some(Activity::Idle),
                b"running" => Some(Activity::Working),
                b"requires_action" => Some(Activity::Deciding),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The text of a member of an object whose end may be missing. Names and texts with escapes are none that are
/// looked for.
fn member<'h>(head: &'h [u8], name: &str) -> Option<&'h [u8]> {
    let mut rest = head.trim_ascii_start().strip_prefix(b"{")?;
    loop {
        let (key, behind) = string(rest.trim_ascii_start())?;
        rest = behind.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        if key == name.as_bytes() {
            return string(rest).map(|(value, _)| value);
        }
        rest = skip_value(rest)?.strip_prefix(b",")?;
    }
}

/// A string at the beginning, without its quotes, and what follows it.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b"\"")?;
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some((&text[..at], &text[at + 1..]));
        }
        at += 2;
    }
}

/// What follows the value at the beginning: a comma, or the object's end.
fn skip_value(mut text: &[u8]) -> Option<&[u8]> {
    let mut depth = 0_usize;
    loop {
        match text.first()? {
            b'"' => {
                text = string(text)?.1;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b',' if depth == 0 => return Some(text),
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        text = &text[1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(text: &str) -> Option<Activity> {
        FrameHeads::default().read(text.as_bytes())
    }

    #[test]
    fn frames_show_what_the_agent_is_doing() {
        assert_eq!(after("{\"type\":\"result\",\"subtype\":\"success\"}\n"), Some(Activity::Idle));
        assert_eq!(
            after("{\"type\":\"assistant\"}\n{\"type\":\"control_request\"}\n"),
            Some(Activity::Deciding)
        );
        assert_eq!(after("{\"type\":\"control_response\"}\n"), None);
        let state = |state| {
            after(&format!(
                "{{\"type\":\"system\",\"subtype\":\"session_state_changed\",\"state\":\"{state}\"}}\n"
            ))
        };
        assert_eq!(state("idle"), Some(Activity::Idle));
        assert_eq!(state("running"), Some(Activity::Working));
        assert_eq!(after("not a frame\n[]\n{\"type\":7}\n"), None);
        assert!(starts_turn(b"{\"type\":\"user\",\"message\":{}}"));
        assert!(!starts_turn(b"{\"type\":\"control_response\"}"));
    }

    #[test]
    fn a_kind_inside_of_something_else_does_not_count() {
        let nested = "{\"message\":{\"type\":\"result\",\"a\":[{},\"]}\"]},\"note\":\"\\\",\\\"type\\\":\\\"result\",\"type\":\"assistant\"}\n";
        assert_eq!(after(nested), Some(Activity::Working));
    }

    #[test]
    fn pieces_of_any_size_give_the_same() {
        let long = "x".repeat(4 * HEAD);
        let text = format!(
            "{{\"type\":\"assistant\",\"text\":\"{long}\"}}\n{{\"type\":\"result\",\"result\":\"{long}\"}}\n{{\"type\":\"keep_alive\"}}\n"
        );
        for size in [1, 2, 7, 500, HEAD, 4096] {
            let mut heads = FrameHeads::default();
            let seen: Vec<Activity> =
                text.as_bytes().chunks(size).filter_map(|piece| heads.read(piece)).collect();
            assert_eq!(seen.last(), Some(&Activity::Idle), "{size}");
        }
    }
}
