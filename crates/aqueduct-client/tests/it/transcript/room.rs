//! A configuration folder with sessions in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aqueduct_client::transcript::{Store, StoredSession, Transcript};
use aqueduct_wire::transcript::folder_name;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A session's id by its number.
pub(crate) fn id(number: usize) -> String {
    format!("{number:08x}-e29b-41d4-a716-446655440000")
}

pub(crate) struct Room {
    folder: TempDir,
    pub(crate) store: Store,
}

impl Room {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::new(folder.path());
        Room { folder, store }
    }

    /// A room with one session.
    pub(crate) fn holding(lines: &[Value]) -> Self {
        let room = Room::new();
        room.session(1, lines);
        room
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn project(&self, cwd: &str) -> PathBuf {
        self.path().join("projects").join(folder_name(cwd))
    }

    pub(crate) fn file(&self, number: usize) -> PathBuf {
        self.project("/proj").join(format!("{}.jsonl", id(number)))
    }

    /// Writes a session of `/proj`. Those with a higher number are newer.
    pub(crate) fn session(&self, number: usize, lines: &[Value]) -> PathBuf {
        self.write(number, lines.iter().map(|line| format!("{line}\n")).collect::<String>())
    }

    pub(crate) fn write(&self, number: usize, bytes: impl AsRef<[u8]>) -> PathBuf {
        self.write_in("/proj", number, bytes)
    }

    pub(crate) fn write_in(&self, cwd: &str, number: usize, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::create_dir_all(self.project(cwd)).unwrap();
        let path = self.project(cwd).join(format!("{}.jsonl", id(number)));
        fs::write(&path, bytes).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + number as u64);
        fs::File::open(&path).unwrap().set_modified(time).unwrap();
        path
    }

    /// Writes the file of a subagent of the first session.
    pub(crate) fn subagent(&self, place: &str, meta: Option<Value>, lines: &[Value]) {
        let path = self.project("/proj").join(id(1)).join("subagents").join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        if let Some(meta) = meta {
            fs::write(path.with_extension("meta.json"), meta.to_string()).unwrap();
        }
    }

    pub(crate) fn first(&self) -> StoredSession {
        self.store.find(&id(1)).unwrap()
    }

    pub(crate) fn open(&self) -> Transcript {
        self.first().open().unwrap()
    }

    pub(crate) fn text(&self, number: usize) -> String {
        fs::read_to_string(self.file(number)).unwrap()
    }
}

fn chained(kind: &str, uuid: &str, parent: Option<&str>) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": false, "sessionId": id(1),
        "timestamp": "2026-03-04T05:06:07.089Z", "cwd": "/proj", "version": "2.1.325", "gitBranch": "main",
        "entrypoint": "sdk-py", "userType": "external"})
}

pub(crate) fn user(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    with(chained("user", uuid, parent), json!({"message": {"role": "user", "content": text}}))
}

pub(crate) fn assistant(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    let message =
        json!({"id": format!("m-{uuid}"), "role": "assistant", "content": [{"type": "text", "text": text}]});
    with(chained("assistant", uuid, parent), json!({ "message": message }))
}

pub(crate) fn call(uuid: &str, parent: Option<&str>, tool_use: &str, name: &str, input: Value) -> Value {
    let block = json!({"type": "tool_use", "id": tool_use, "name": name, "input": input});
    let message = json!({"id": format!("m-{uuid}"), "role": "assistant", "content": [block]});
    with(chained("assistant", uuid, parent), json!({ "message": message }))
}

pub(crate) fn result(uuid: &str, parent: &str, tool_use: &str, text: &str) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": tool_use, "content": text});
    let more = json!({"message": {"role": "user", "content": [block]}, "sourceToolAssistantUUID": parent,
        "toolUseResult": {"stdout": text}});
    with(chained("user", uuid, Some(parent)), more)
}

pub(crate) fn boundary(uuid: &str, before: &str) -> Value {
    let more = json!({"subtype": "compact_boundary", "logicalParentUuid": before, "content": "Compacted",
        "compactMetadata": {"trigger": "manual", "preTokens": 900}});
    with(chained("system", uuid, None), more)
}

pub(crate) fn side(line: Value) -> Value {
    with(line, json!({"isSidechain": true, "agentId": "a1"}))
}

pub(crate) fn title(text: &str) -> Value {
    json!({"type": "custom-title", "customTitle": text, "sessionId": id(1)})
}

pub(crate) fn with(mut line: Value, more: Value) -> Value {
    let Value::Object(more) = more else { panic!("an object") };
    line.as_object_mut().unwrap().extend(more);
    line
}

/// A short conversation.
pub(crate) fn talk() -> Vec<Value> {
    vec![user("u1", None, "Why is the build red?"), assistant("a1", Some("u1"), "A test fails.")]
}
