//! Sessions of all times.

mod adopting;
mod exporting;
mod histories;
mod lists;
mod searches;

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use aqueduct_bridge::log::{Append, Log, NewEvent, NewSession, Time};
use aqueduct_bridge::message::bridge::{Actor, ActorKind};
use aqueduct_bridge::recent::Recents;
use aqueduct_bridge::workspace::Roots;
use aqueduct_wire::transcript::folder_name;
use serde_json::{Value, json};
use tempfile::TempDir;

/// When the first session was last written to, in seconds; each further one a second later.
const BEGINNING: u64 = 1_790_000_000;

/// A log, a root with a project, and a terminal's configuration folder.
struct Scene {
    recents: Recents,
    log: Log,
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["root/proj", "outside"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let log = Log::open(&folder.path().join("data")).unwrap();
        let roots = Roots::new([folder.path().join("root")]);
        let transcripts = ["claude", "second"].map(|name| folder.path().join(name));
        Scene { recents: Recents::new(log.clone(), transcripts, roots), log, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// The project's folder, as clients write it.
    fn project(&self) -> String {
        self.path("root/proj").to_str().unwrap().to_owned()
    }

    /// A session from a terminal, in the project's folder.
    fn terminal(&self, number: u64, lines: &[Value]) {
        self.terminal_in("claude", &self.project(), number, lines);
    }

    fn terminal_in(&self, store: &str, cwd: &str, number: u64, lines: &[Value]) {
        let folder = self.path(store).join("projects").join(folder_name(cwd));
        fs::create_dir_all(&folder).unwrap();
        let mut text = String::new();
        for line in lines {
            let mut line = line.clone();
            if line.get("uuid").is_some() {
                line["cwd"] = cwd.into();
                line["sessionId"] = id(number).into();
            }
            text += &format!("{line}\n");
        }
        let path = folder.join(format!("{}.jsonl", id(number)));
        fs::write(&path, text).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(BEGINNING + number);
        File::open(&path).unwrap().set_modified(time).unwrap();
    }

    /// A subagent of a session in a terminal.
    fn subagent(&self, number: u64, call: &str, lines: &[Value]) {
        let folder = self.path("claude/projects").join(folder_name(&self.project()));
        let folder = folder.join(id(number)).join("subagents");
        fs::create_dir_all(&folder).unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(folder.join("agent-x.jsonl"), text).unwrap();
        fs::write(folder.join("agent-x.meta.json"), json!({"toolUseId": call}).to_string()).unwrap();
    }

    /// A session of the bridge's own, which had its only event so many seconds after the beginning.
    async fn own(&self, number: u64, agent_number: u64, seconds: u64) {
        let mut session = NewSession::new(id(number), self.project(), "builtin", "stopped");
        session.agent_id = Some(id(agent_number));
        session.name = Some(format!("own {number}"));
        let text = format!(r#"{{"type":"user_input","text":"apples of {number}"}}"#);
        let time = Time(((BEGINNING + seconds) * 1000) as i64);
        let append = Append::new(time).event(NewEvent::new("user_input", text).searchable());
        self.log.create_session(session, append).await.unwrap();
        self.log.settle().await.unwrap();
    }
}

/// A session's id by its number.
fn id(number: u64) -> String {
    format!("{number:08x}-e29b-41d4-a716-446655440000")
}

fn ada() -> Actor<'static> {
    let mut actor = Actor::new(ActorKind::Device);
    actor.device_id = Some("d-1".into());
    actor
}

/// A line of a transcript, `number` seconds into the conversation; it hangs behind the line before.
fn line(kind: &str, number: u64, message: Value) -> Value {
    let parent = (number > 1).then(|| format!("u{}", number - 1));
    json!({"type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "isSidechain": false,
        "timestamp": format!("2026-03-04T05:06:{number:02}.000Z"), "version": "2.1.325", "gitBranch": "main",
        "message": message})
}

fn user_line(number: u64, content: impl Into<Value>) -> Value {
    line("user", number, json!({"role": "user", "content": content.into()}))
}

fn answered(number: u64, message: &str, block: Value) -> Value {
    let message =
        json!({"id": message, "role": "assistant", "model": "claude-sonnet-4-5", "content": [block]});
    line("assistant", number, message)
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// One question and one answer.
fn talk(question: &str) -> Vec<Value> {
    vec![user_line(1, question), answered(2, "m1", text("Because it is so."))]
}

/// A conversation with everything in it.
fn day() -> Vec<Value> {
    let picture =
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}});
    vec![
        user_line(1, json!([text("What is in here?"), picture])),
        answered(2, "m1", text("I look.")),
        answered(
            3,
            "m1",
            json!({"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/proj/a"}}),
        ),
        user_line(
            4,
            json!([{"type": "tool_result", "tool_use_id": "t1", "content": [text("seen"), picture]}]),
        ),
        answered(
            5,
            "m2",
            json!({"type": "tool_use", "id": "t2", "name": "Agent", "input": {"prompt": "dig"}}),
        ),
        user_line(
            6,
            json!([{"type": "tool_result", "tool_use_id": "t2", "content": "dug", "is_error": true}]),
        ),
        answered(7, "m3", text("All is well with the strawberries.")),
        json!({"type": "ai-title", "aiTitle": "A look inside", "sessionId": id(1)}),
    ]
}

/// The text of its subagent.
fn digging() -> Vec<Value> {
    let side = |mut line: Value| {
        line["isSidechain"] = true.into();
        line["agentId"] = "x".into();
        line
    };
    vec![side(user_line(1, "dig")), side(answered(2, "s1", text("I dig.")))]
}

/// Stored messages in a few words: number, kind, who, what.
fn reported(message: &Value) -> String {
    let kind = message["type"].as_str().unwrap();
    let what = match kind {
        "user_input" => {
            format!("{} {}", message["source"].as_str().unwrap(), message["text"].as_str().unwrap())
        }
        "assistant" => {
            let block = &message["message"]["content"][0];
            let text = block["text"].as_str().or(block["name"].as_str()).unwrap();
            format!("{} {text}", message["index"])
        }
        "tool_result" => {
            format!("{} {}", message["toolName"].as_str().unwrap(), message["content"].as_str().unwrap())
        }
        _ => message["subtype"].as_str().unwrap().to_owned(),
    };
    let call = message["parentToolUseId"].as_str().map(|call| format!(" in {call}")).unwrap_or_default();
    format!("{} {kind}{call}: {what}", message["seq"])
}

/// The conversation of [`day`] with its subagent.
const DAY: &[&str] = &[
    "1 user_input: terminal What is in here?",
    "2 assistant: 0 I look.",
    "3 assistant: 1 Read",
    "4 tool_result: Read seen",
    "5 assistant: 0 Agent",
    "6 user_input in t2: agent dig",
    "7 assistant in t2: 0 I dig.",
    "8 tool_result: Agent dug",
    "9 assistant: 0 All is well with the strawberries.",
];
