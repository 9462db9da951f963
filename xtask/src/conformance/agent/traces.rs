//! What a conversation leaves behind the frames: the requests to the model and the transcript, reduced to
//! what a later turn depends on.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::super::stage::Stage;

/// Members of a block that are irrelevant to the conversation.
const ASIDE: &[&str] = &["cache_control", "citations", "caller"];
/// Context that a program adds in its own words begins with this.
const REMINDER: &str = "<system-reminder>";

/// The traces as frames: how the model was called, the conversation in the last call, and the transcripts.
pub(super) fn of(stage: &Stage) -> Result<Vec<Value>> {
    let bodies = stage.bodies();
    let mut models: Vec<&Value> = bodies.iter().map(|body| &body["model"]).collect();
    // How often a program asks again, and whether it wants a stream then, is its own affair.
    models.dedup();
    let mut traces = vec![json!({ "type": "model_calls", "models": models })];
    let messages = bodies.last().and_then(|body| body["messages"].as_array());
    traces.extend(messages.into_iter().flatten().filter_map(context));
    for path in transcripts(stage.home())? {
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        traces.extend(text.lines().filter_map(|line| kept(&serde_json::from_str(line).ok()?)));
    }
    Ok(traces)
}

/// A message of the conversation as the model gets it.
fn context(message: &Value) -> Option<Value> {
    let role = message["role"].as_str().filter(|role| *role != "system")?;
    let blocks = blocks(&message["content"]);
    (!blocks.is_empty()).then(|| json!({ "type": format!("context_{role}"), "content": blocks }))
}

/// A message of the transcript. Lines of other types are each program's own.
fn kept(line: &Value) -> Option<Value> {
    let role = line["type"].as_str().filter(|role| ["user", "assistant"].contains(role))?;
    let blocks = blocks(&line["message"]["content"]);
    (!blocks.is_empty()).then(|| {
        json!({
            "type": format!("transcript_{role}"), "content": blocks,
            "is_meta": line["isMeta"], "is_sidechain": line["isSidechain"],
            "is_api_error": line["isApiErrorMessage"], "stop_reason": line["message"]["stop_reason"],
            "has_parent": line["parentUuid"].is_string(),
        })
    })
}

fn blocks(content: &Value) -> Vec<Value> {
    let blocks = match content {
        Value::String(text) => vec![json!({ "type": "text", "text": text })],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    };
    let is_reminder = |block: &Value| block["text"].as_str().is_some_and(|text| text.starts_with(REMINDER));
    blocks.into_iter().filter(|block| !is_reminder(block)).map(plain).collect()
}

fn plain(mut block: Value) -> Value {
    if let Some(members) = block.as_object_mut() {
        members.retain(|name, _| !ASIDE.contains(&name.as_str()));
        members.remove("tool_use_id");
        // A program may put a line break between prompts that it joins.
        if let Some(text) = members.get("text").and_then(Value::as_str).map(str::trim_end) {
            members.insert("text".to_owned(), json!(text));
        }
        if members.get("content").is_some_and(Value::is_string) {
            let text = members["content"].take();
            members.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
        }
    }
    block
}

/// The transcripts of all sessions, oldest first.
fn transcripts(home: &Path) -> Result<Vec<PathBuf>> {
    let Ok(folders) = fs::read_dir(home.join(".claude/projects")) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for folder in folders {
        let folder = folder.context("cannot read the projects")?.path();
        for file in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = file.context("cannot read a project")?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                let made = fs::metadata(&path).and_then(|metadata| metadata.created()).ok();
                found.push((made, path));
            }
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}
