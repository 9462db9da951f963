//! An answer that is written event by event: complete, broken, or no answer at all.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::EventStream;
use super::reply;

/// One step of a stream.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// `"start"`: the message opens.
    Start,
    /// `{…}`: an event as it is.
    Event(Value),
    /// `["text", TEXT]`
    Text(String),
    /// `["tool", NAME, JSON-TEXT]`: the input may be invalid.
    Tool { name: String, input: String },
    /// `["stop", REASON]`: the message ends.
    Stop(String),
    /// A number: a pause in seconds.
    Pause(Duration),
    /// `"cut"`: the connection breaks.
    Cut,
}

/// How a stream ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Complete,
    Cut,
}

impl Step {
    pub(super) fn read_all(steps: &Value) -> Option<Vec<Self>> {
        steps.as_array()?.iter().map(Self::read).collect()
    }

    fn read(step: &Value) -> Option<Self> {
        let word = |at: usize| step[at].as_str().map(str::to_owned);
        match (step, step[0].as_str()) {
            (Value::Object(_), _) => Some(Self::Event(step.clone())),
            (Value::Number(seconds), _) => {
                Duration::try_from_secs_f64(seconds.as_f64()?).ok().map(Self::Pause)
            }
            (Value::String(word), _) if word == "start" => Some(Self::Start),
            (Value::String(word), _) if word == "cut" => Some(Self::Cut),
            (_, Some("text")) => word(1).map(Self::Text),
            (_, Some("tool")) => Some(Self::Tool { name: word(1)?, input: word(2)? }),
            (_, Some("stop")) => word(1).map(Self::Stop),
            _ => None,
        }
    }
}

/// Performs the steps.
pub(super) fn stream<W: Write>(
    events: &mut EventStream<'_, W>,
    id: &str,
    model: &str,
    steps: &[Step],
    mut next_id: impl FnMut() -> String,
) -> io::Result<Ending> {
    let mut index = 0;
    for step in steps {
        match step {
            Step::Start => send(events, &reply::opening(id, model))?,
            Step::Event(event) => send(events, event)?,
            Step::Text(text) => {
                let block = json!({ "type": "text", "text": "" });
                self::block(events, index, &block, &json!({ "type": "text_delta", "text": text }))?;
                index += 1;
            }
            Step::Tool { name, input } => {
                let block = json!({ "type": "tool_use", "id": next_id(), "name": name, "input": {} });
                let delta = json!({ "type": "input_json_delta", "partial_json": input });
                self::block(events, index, &block, &delta)?;
                index += 1;
            }
            Step::Stop(reason) => {
                send(events, &reply::ending(reason))?;
                send(events, &json!({ "type": "message_stop" }))?;
            }
            Step::Pause(pause) => thread::sleep(*pause),
            Step::Cut => return Ok(Ending::Cut),
        }
    }
    Ok(Ending::Complete)
}

fn block<W: Write>(
    events: &mut EventStream<'_, W>,
    index: usize,
    opening: &Value,
    delta: &Value,
) -> io::Result<()> {
    send(events, &json!({ "type": "content_block_start", "index": index, "content_block": opening }))?;
    send(events, &json!({ "type": "content_block_delta", "index": index, "delta": delta }))?;
    send(events, &json!({ "type": "content_block_stop", "index": index }))
}

fn send<W: Write>(events: &mut EventStream<'_, W>, event: &Value) -> io::Result<()> {
    events.send(event["type"].as_str().unwrap_or_default(), &event.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_become_events_until_the_connection_is_cut() {
        let steps = Step::read_all(
            &json!(["start", ["text", "hi"], ["tool", "Bash", "{"], { "type": "error" }, 0, ["stop", "refusal"], "cut", "start"]),
        )
        .expect("reads");
        let mut out = Vec::new();
        let mut events = EventStream::open(&mut out, "req_1").expect("opens");
        let ending = stream(&mut events, "msg_1", "model", &steps, || "toolu_1".to_owned()).expect("sends");
        assert_eq!(ending, Ending::Cut);
        let text = String::from_utf8(out).expect("is text");
        let kinds: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
        let block = ["content_block_start", "content_block_delta", "content_block_stop"];
        let expected =
            [&["message_start"], &block[..], &block[..], &["error", "message_delta", "message_stop"]]
                .concat();
        assert_eq!(kinds, expected);
        assert!(text.contains(r#""index":1"#) && text.contains(r#""stop_reason":"refusal""#), "{text}");
        assert_eq!(Step::read_all(&json!(["no such step"])), None);
    }
}
