//! From a request's messages to the script line whose turn it is, and from that to a reply.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::steps::Step;

/// What the model does next.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    Message(Vec<Block>),
    Failure { status: u16 },
    Response { status: u16, headers: Vec<(String, String)>, body: String },
    Steps(Vec<Step>),
}

#[derive(Debug, PartialEq)]
pub(super) enum Block {
    Text(String),
    Thinking(String),
    ToolUse { name: String, input: Value },
    Slow { words: usize, pause: Duration },
}

/// How often each `@fail` line has failed.
#[derive(Default)]
pub(super) struct Failures {
    times: HashMap<String, usize>,
}

/// How much of a tool result the model repeats.
const ECHO: usize = 80;

/// The reply to a request body.
pub(super) fn reply(body: &Value, failures: &mut Failures) -> Reply {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some((script, since)) = newest_script(messages) else {
        return say("the prompt has no script");
    };
    let turns = since.iter().filter(|message| message["role"] == "assistant").count();
    match script.get(turns) {
        Some(line) => perform(line, failures),
        None => say(format!("after: {}", last_result(messages))),
    }
}

/// The script lines of the newest user message that has any, and the messages after it.
fn newest_script(messages: &[Value]) -> Option<(Vec<String>, &[Value])> {
    let users = messages.iter().enumerate().rev().filter(|(_, message)| message["role"] == "user");
    users
        .map(|(at, message)| (script_lines(message), &messages[at + 1..]))
        .find(|(script, _)| !script.is_empty())
}

/// A program may put prompts that got no answer into one message, a text block each: the last counts.
fn script_lines(message: &Value) -> Vec<String> {
    let texts: Vec<&str> = match &message["content"] {
        Value::String(text) => vec![text],
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        _ => Vec::new(),
    };
    let script = |text: &&str| text.lines().filter(|line| line.starts_with('@')).map(str::to_owned).collect();
    texts.iter().rev().map(script).find(|lines: &Vec<String>| !lines.is_empty()).unwrap_or_default()
}

fn last_result(messages: &[Value]) -> String {
    // A program may send the model more in a message of another role.
    let newest = messages.iter().rev().find(|message| message["role"] == "user");
    let blocks = newest.and_then(|message| message["content"].as_array());
    let results = blocks.into_iter().flatten().filter(|block| block["type"] == "tool_result");
    let text = |result: &Value| match &result["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    };
    results.map(text).collect::<String>().chars().take(ECHO).collect()
}

fn perform(line: &str, failures: &mut Failures) -> Reply {
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    let reply = match command {
        "@say" => Some(say(rest)),
        "@think" => rest.split_once('|').map(|(thought, text)| {
            Reply::Message(vec![
                Block::Thinking(thought.trim().to_owned()),
                Block::Text(text.trim().to_owned()),
            ])
        }),
        "@tool" => tool(rest).map(|tool| Reply::Message(vec![tool])),
        "@saytool" => rest.split_once('|').and_then(|(text, call)| {
            Some(Reply::Message(vec![Block::Text(text.trim().to_owned()), tool(call.trim())?]))
        }),
        "@tools" => tools(rest).map(Reply::Message),
        "@toolslow" => rest
            .rsplit_once('|')
            .and_then(|(call, pace)| Some(Reply::Message(vec![tool(call.trim())?, slow_text(pace.trim())?]))),
        "@slow" => slow(rest),
        "@fail" => failures.next(line, rest),
        "@http" => failures.described(line, rest, response),
        "@events" => failures.described(line, rest, |steps| Step::read_all(steps).map(Reply::Steps)),
        _ => None,
    };
    // A person reads this in the recording: a script that cannot be read must not look like an answer.
    reply.unwrap_or_else(|| say(format!("the script line cannot be read: {line}")))
}

fn say(text: impl Into<String>) -> Reply {
    Reply::Message(vec![Block::Text(text.into())])
}

fn tool(call: &str) -> Option<Block> {
    let (name, input) = call.split_once(' ').unwrap_or((call, "{}"));
    Some(Block::ToolUse { name: name.to_owned(), input: serde_json::from_str(input).ok()? })
}

fn tools(calls: &str) -> Option<Vec<Block>> {
    let calls: Vec<(String, Value)> = serde_json::from_str(calls).ok()?;
    Some(calls.into_iter().map(|(name, input)| Block::ToolUse { name, input }).collect())
}

fn slow(rest: &str) -> Option<Reply> {
    Some(Reply::Message(vec![slow_text(rest)?]))
}

fn slow_text(rest: &str) -> Option<Block> {
    let (words, pause) = rest.split_once(' ')?;
    let pause = Duration::try_from_secs_f64(pause.trim().parse().ok()?).ok()?;
    Some(Block::Slow { words: words.parse().ok()?, pause })
}

fn response(description: &Value) -> Option<Reply> {
    let members = description["headers"].as_object().into_iter().flatten();
    let headers = members.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    let body = match &description["body"] {
        Value::String(text) => text.clone(),
        body => body.to_string(),
    };
    let status = description["status"].as_u64()?.try_into().ok()?;
    Some(Reply::Response { status, headers: headers.collect(), body })
}

impl Failures {
    /// A line `TIMES JSON TEXT`.
    fn described(
        &mut self,
        line: &str,
        rest: &str,
        read: impl FnOnce(&Value) -> Option<Reply>,
    ) -> Option<Reply> {
        let (times, rest) = rest.split_once(' ')?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let description = values.next()?.ok()?;
        let text = rest.get(values.byte_offset()..)?.trim();
        match self.is_due(line, times.parse().ok()?) {
            true => read(&description),
            false => Some(say(text)),
        }
    }

    fn next(&mut self, line: &str, rest: &str) -> Option<Reply> {
        let mut parts = rest.splitn(3, ' ');
        let (status, times, text) = (parts.next()?, parts.next()?, parts.next()?);
        if !self.is_due(line, times.parse().ok()?) {
            return Some(say(text));
        }
        Some(Reply::Failure { status: status.parse().ok()? })
    }

    /// Whether a line fails once more; counts it.
    fn is_due(&mut self, line: &str, times: usize) -> bool {
        let so_far = self.times.entry(line.to_owned()).or_default();
        let is_due = *so_far < times;
        *so_far += usize::from(is_due);
        is_due
    }
}

impl Block {
    /// The block as it is in a complete message.
    pub(super) fn complete(&self, id: &str) -> Value {
        match self {
            Self::Text(text) => json!({ "type": "text", "text": text }),
            Self::Thinking(thought) => {
                json!({ "type": "thinking", "thinking": thought, "signature": "c2ln" })
            }
            Self::ToolUse { name, input } => {
                json!({ "type": "tool_use", "id": id, "name": name, "input": input })
            }
            Self::Slow { words, .. } => {
                json!({ "type": "text", "text": Self::slow_words(*words).collect::<String>() })
            }
        }
    }

    pub(super) fn slow_words(words: usize) -> impl Iterator<Item = String> {
        (0..words).map(|word| format!("w{word} "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(messages: Value) -> Reply {
        reply(&json!({ "messages": messages }), &mut Failures::default())
    }

    #[test]
    fn each_model_turn_takes_the_next_line() {
        let prompt =
            json!({ "role": "user", "content": "please\n@tool Bash {\"command\":\"ls\"}\n@say done" });
        let call = Block::ToolUse { name: "Bash".into(), input: json!({ "command": "ls" }) };
        assert_eq!(ask(json!([prompt])), Reply::Message(vec![call]));

        let called = json!({ "role": "assistant", "content": [] });
        let result = json!({ "role": "user", "content": [{ "type": "tool_result", "content": "a.txt" }] });
        assert_eq!(ask(json!([prompt, called, result])), say("done"));
        assert_eq!(ask(json!([prompt, called, result, called, result])), say("after: a.txt"));
    }

    #[test]
    fn the_newest_script_counts() {
        let old = json!({ "role": "user", "content": "@say old" });
        let assistant = json!({ "role": "assistant", "content": "old" });
        let new = json!({ "role": "user", "content": [{ "type": "text", "text": "@say new" }] });
        assert_eq!(ask(json!([old, assistant, new])), say("new"));
    }

    #[test]
    fn of_prompts_in_one_message_the_last_counts() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let blocks = [text("@slow 200 0.05"), text("[Request interrupted by user]"), text("@say alive")];
        assert_eq!(ask(json!([{ "role": "user", "content": blocks }])), say("alive"));
    }

    #[test]
    fn a_failure_ends_after_its_times() {
        let body = json!({ "messages": [{ "role": "user", "content": "@fail 529 2 recovered" }] });
        let mut failures = Failures::default();
        let replies: Vec<_> = (0..3).map(|_| reply(&body, &mut failures)).collect();
        let failure = || Reply::Failure { status: 529 };
        assert_eq!(replies, [failure(), failure(), say("recovered")]);
    }

    #[test]
    fn a_described_answer_ends_after_its_times() {
        let line = r#"@http 1 {"status":429,"headers":{"retry-after":"1"},"body":"wait"} continued"#;
        let body = json!({ "messages": [{ "role": "user", "content": line }] });
        let mut failures = Failures::default();
        let headers = vec![("retry-after".to_owned(), "1".to_owned())];
        let limited = Reply::Response { status: 429, headers, body: "wait".to_owned() };
        assert_eq!([(); 2].map(|()| reply(&body, &mut failures)), [limited, say("continued")]);
        let body =
            json!({ "messages": [{ "role": "user", "content": r#"@events 1 ["start","cut"] again"# }] });
        assert_eq!(
            [(); 2].map(|()| reply(&body, &mut failures)),
            [Reply::Steps(vec![Step::Start, Step::Cut]), say("again")]
        );
    }

    #[test]
    fn a_line_that_cannot_be_read_is_an_error() {
        let Reply::Message(blocks) = ask(json!([{ "role": "user", "content": "@tool Bash {oops" }])) else {
            panic!("a message was expected");
        };
        assert_eq!(blocks, [Block::Text("the script line cannot be read: @tool Bash {oops".into())]);
    }
}
