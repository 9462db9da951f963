//! A program's output in one session, read from the file that `aqueduct record` wrote.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

#[derive(Debug, Default)]
pub(in crate::conformance) struct Recording {
    /// Every frame of the agent, in order. A line that is not a JSON object is a frame of the type `text`.
    pub(in crate::conformance) frames_out: Vec<Value>,
    /// The recorder's note on how the process ended: `exit 0`.
    pub(in crate::conformance) ending: Option<String>,
    /// Whether anything was written for people on stderr.
    pub(in crate::conformance) has_stderr: bool,
}

impl Recording {
    pub(in crate::conformance) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self::parse(&text))
    }

    /// A recorder that was killed may leave half a line at the end: it is skipped.
    pub(in crate::conformance) fn parse(text: &str) -> Self {
        let mut recording = Self::default();
        for entry in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            match entry["dir"].as_str() {
                Some("out") => recording.frames_out.push(match entry.get("msg") {
                    Some(frame) => frame.clone(),
                    None => json!({ "type": "text", "text": entry["text"] }),
                }),
                Some("err") => recording.has_stderr = true,
                Some("note") => {
                    let note = entry["text"].as_str().or(entry["note"].as_str());
                    if let Some(note) = note.filter(|note| note.starts_with("exit ")) {
                        recording.ending = Some(note.to_owned());
                    }
                }
                _ => {}
            }
        }
        recording
    }

    /// The frames, and the end of the process as one more.
    pub(super) fn into_frames(self) -> Vec<Value> {
        let mut frames = self.frames_out;
        frames.push(json!({ "type": "exit", "code": self.ending, "stderr": self.has_stderr }));
        frames
    }
}
