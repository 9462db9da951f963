//! A line of the log of a session.

use std::time::{Duration, SystemTime};

use aqueduct_bridge::message::BridgeMessage;
use aqueduct_bridge::message::bridge::{
    Actor, ActorKind, Assistant, PermissionResolved, SystemNote, SystemSubtype, TurnResult,
};
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::Number;
use serde_json::{Value, json};

use crate::bridge::StoredEvent;
use crate::output::TerminalInfo;
use crate::terminal::{Ink, Tone, fit, plain, seconds, summary_line, title};

/// How wide the name of a kind is.
const KIND: usize = 9;

/// Something that happened in a session.
#[derive(Debug, Clone)]
pub(super) enum LogItem {
    /// A stored message.
    Event {
        event: StoredEvent,
        /// The last line of the agent's stderr that was shown before.
        shown: Option<String>,
    },
    /// A line that the agent wrote to stderr.
    Stderr {
        /// In milliseconds since 1970.
        time: u64,
        text: String,
    },
}

/// A part of an event: what it is, and its text.
type LinePart = (Tone, &'static str, String);

impl LogItem {
    /// The lines for it, each with its end.
    pub(super) fn line(&self, is_json: bool, screen: &TerminalInfo) -> anyhow::Result<String> {
        let (time, parts) = match self {
            LogItem::Event { event, .. } if is_json => return Ok(format!("{}\n", event.text)),
            LogItem::Stderr { time, text } if is_json => {
                return Ok(format!("{}\n", json!({ "type": "stderr", "time": time, "text": text })));
            }
            LogItem::Event { event, shown } => (event.time, parts(&event.text, shown.as_deref())),
            LogItem::Stderr { time, text } => (*time, vec![(Tone::Yellow, "stderr", text.clone())]),
        };
        let ink = Ink::new(screen.colour);
        let mut lines = String::new();
        for (tone, kind, text) in parts {
            let line = format!("{kind:<KIND$} {}", plain(&first_line(&text)));
            let clock = clock(time);
            let line = match screen.is_terminal {
                true => fit(&line, screen.width.saturating_sub(clock.len() + 2)),
                false => line,
            };
            let (begin, end) = (ink.begin(tone), ink.end(tone));
            lines.push_str(&format!("{}  {begin}{}{end}\n", ink.dim(&clock), line.trim_end()));
        }
        Ok(lines)
    }
}

/// What an event consists of. One that this version does not know is shown by its type.
fn parts(text: &str, shown: Option<&str>) -> Vec<LinePart> {
    use BridgeMessage as M;
    let message = BridgeMessage::parse(text);
    match &message {
        Ok(M::UserInput(input)) => {
            let by = by(input.by.as_ref());
            vec![(Tone::Bold, "input", format!("{}{by}", input.text))]
        }
        Ok(M::Assistant(assistant)) => answer(assistant),
        Ok(M::ToolResult(result)) => {
            let name = result.tool_name.as_deref().map(|name| format!("{}: ", title(name)));
            let text = format!("{}{}", name.unwrap_or_default(), result.content);
            match result.is_error {
                Some(true) => vec![(Tone::Red, "error", text)],
                _ => vec![(Tone::Dim, "result", text)],
            }
        }
        Ok(M::Result(result)) => vec![turn(result)],
        Ok(M::PermissionRequest(request)) => {
            let what = summary_line(&request.tool_name, &request.input, None);
            vec![(Tone::Yellow, "asked", format!("{}: {what}", title(&request.tool_name)))]
        }
        Ok(M::PermissionResolved(resolved)) => vec![decision(resolved)],
        Ok(M::System(note)) => system(note, shown),
        _ => {
            let value: Value = serde_json::from_str(text).unwrap_or_default();
            let name = |value: &Value, member: &str| value[member].as_str().unwrap_or_default().to_owned();
            let event = &value["event"];
            let names = [name(&value, "type"), name(event, "type"), name(event, "subtype")];
            let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
            vec![(Tone::Dim, "event", names.join(" "))]
        }
    }
}

fn answer(assistant: &Assistant<'_>) -> Vec<LinePart> {
    let parts = assistant.message.content.iter().filter_map(|block| match block {
        ContentBlock::Text(block) if !block.text.trim().is_empty() => {
            Some((Tone::Plain, "answer", block.text.as_str().to_owned()))
        }
        ContentBlock::ToolUse(call) => {
            let what = summary_line(&call.name, &call.input, None);
            Some((Tone::Cyan, "call", format!("{}: {what}", title(&call.name))))
        }
        _ => None,
    });
    parts.collect()
}

fn turn(result: &TurnResult<'_>) -> LinePart {
    let number = |number: &Option<Number<'_>>| number.as_ref().map(Number::as_f64);
    let facts = [
        Some(match result.interrupted {
            Some(true) => "interrupted".to_owned(),
            _ => result.subtype.as_str().to_owned(),
        }),
        number(&result.duration).map(|duration| seconds(duration / 1000.0)),
        number(&result.cost).filter(|cost| *cost > 0.0).map(|cost| format!("${cost:.4}")),
        result.error.as_deref().map(str::to_owned),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let tone = if result.is_error == Some(true) { Tone::Red } else { Tone::Green };
    (tone, "turn", facts.join(", "))
}

fn decision(resolved: &PermissionResolved<'_>) -> LinePart {
    let message = resolved.message.as_deref().map(|message| format!(": {message}"));
    let text =
        format!("{}{}{}", resolved.decision.as_str(), by(resolved.by.as_ref()), message.unwrap_or_default());
    (Tone::Yellow, "decided", text)
}

/// A note of the bridge. The exit of an agent has the end of its stderr, of which lines may have been shown before.
fn system(note: &SystemNote<'_>, shown: Option<&str>) -> Vec<LinePart> {
    let subtype = note.subtype.as_str().replace('_', " ");
    if note.subtype != SystemSubtype::AgentExited {
        let message = note.message.as_deref().map(|message| format!(": {message}"));
        let text = format!("{subtype}{}{}", by(note.by.as_ref()), message.unwrap_or_default());
        return vec![(Tone::Dim, "session", text)];
    }
    let by_what = match (&note.exit_code, &note.signal) {
        (Some(code), _) => format!(" with code {code}"),
        (None, Some(signal)) => format!(" by {signal}"),
        (None, None) => String::new(),
    };
    let is_failure = note.expected == Some(false);
    let tone = if is_failure { Tone::Red } else { Tone::Dim };
    let stderr: Vec<&str> = note.stderr.as_deref().unwrap_or_default().lines().collect();
    let known =
        shown.and_then(|shown| stderr.iter().rposition(|line| *line == shown)).map_or(0, |last| last + 1);
    let lines = stderr.iter().skip(known).map(|line| (Tone::Yellow, "stderr", (*line).to_owned()));
    lines.chain([(tone, "session", format!("{subtype}{by_what}"))]).collect()
}

fn by(actor: Option<&Actor<'_>>) -> String {
    match actor {
        Some(actor) if actor.kind == ActorKind::Bridge => String::new(),
        Some(actor) => actor.name.as_deref().map(|name| format!(" (by {name})")).unwrap_or_default(),
        None => String::new(),
    }
}

/// The first line that is not empty, and how many follow.
fn first_line(text: &str) -> String {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    match lines.count() {
        0 => first.to_owned(),
        1 => format!("{first} (+1 line)"),
        more => format!("{first} (+{more} lines)"),
    }
}

/// A time in the user's time zone.
fn clock(milliseconds: u64) -> String {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds);
    let zoned = jiff::Timestamp::try_from(time).map(|time| time.to_zoned(jiff::tz::TimeZone::system()));
    zoned.map(|time| time.strftime("%b %d %H:%M:%S").to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(messages: &[Value], stderr: Option<&str>) -> String {
        let screen = TerminalInfo {
            is_terminal: false,
            colour: false,
            notes_colour: false,
            width: 80,
            notes_are_terminal: false,
            progress: false,
            is_dumb: false,
            links: false,
        };
        let lines = messages.iter().map(|message| {
            let event = StoredEvent { seq: 1, time: 0, text: message.to_string() };
            let item = LogItem::Event { event, shown: stderr.map(str::to_owned) };
            let line = item.line(false, &screen).unwrap();
            // The time depends on the time zone of the machine.
            line.lines().map(|line| format!("{}\n", &line["Jan 01 00:00:00  ".len()..])).collect::<String>()
        });
        lines.collect()
    }

    #[test]
    fn each_kind_has_a_line() {
        let by = json!({"kind": "device", "name": "Ada's phone"});
        let call = json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls -l"}});
        let text = json!({"type": "text", "text": "I look.\n\nThen I fix it."});
        let messages = [
            json!({"type": "user_input", "text": "Fix it\x1b[2J", "by": by}),
            json!({"type": "assistant", "message": {"role": "assistant", "content": [text, call]}}),
            json!({"type": "permission_request", "id": "q", "toolUseId": "t", "toolName": "Bash", "input": {"command": "ls -l"}}),
            json!({"type": "permission_resolved", "id": "q", "decision": "denied", "by": by, "message": "not now"}),
            json!({"type": "tool_result", "toolUseId": "t", "toolName": "Bash", "content": "total 0\na\nb\n"}),
            json!({"type": "tool_result", "toolUseId": "t", "content": "no such file", "isError": true}),
            json!({"type": "result", "subtype": "success", "isError": false, "duration": 8100, "cost": 0.02}),
            json!({"type": "system", "subtype": "model_changed", "by": by}),
            json!({"type": "agent_event", "event": {"type": "system", "subtype": "task_started"}}),
            json!({"type": "of_tomorrow"}),
        ];
        insta::assert_snapshot!(shown(&messages, None), @r"
        input     Fix it\x1b[2J (by Ada's phone)
        answer    I look. (+1 line)
        call      Bash: ls -l
        asked     Bash: ls -l
        decided   denied (by Ada's phone): not now
        result    Bash: total 0 (+2 lines)
        error     no such file
        turn      success, 8.1 s, $0.0200
        session   model changed (by Ada's phone)
        event     agent_event system task_started
        event     of_tomorrow
        ");
    }

    #[test]
    fn an_exit_shows_what_was_not_shown_of_stderr() {
        let exit = json!({"type": "system", "subtype": "agent_exited", "exitCode": 3, "expected": false, "stderr": "one\ntwo\nthree"});
        insta::assert_snapshot!(shown(std::slice::from_ref(&exit), None), @r"
        stderr    one
        stderr    two
        stderr    three
        session   agent exited with code 3
        ");
        insta::assert_snapshot!(shown(&[exit], Some("two")), @r"
        stderr    three
        session   agent exited with code 3
        ");
    }
}
