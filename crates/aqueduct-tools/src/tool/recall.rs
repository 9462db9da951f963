//! What tools know from an earlier process, for conversations that are resumed.

use std::path::Path;
use std::time::SystemTime;

use aqueduct_wire::json::Raw;
use serde::Deserialize;

use super::row::ReplayedCall;
use super::{BuiltInTool, ToolContext};

/// Where results of the file tools name the file.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Touched {
    #[serde(rename = "filePath")]
    file_path: Option<String>,
    file: Option<TouchedFile>,
    notebook_path: Option<String>,
}

#[derive(Deserialize)]
struct TouchedFile {
    #[serde(rename = "filePath")]
    file_path: String,
}

impl ToolContext {
    /// Takes note of a call that succeeded in an earlier process.
    pub fn replay(&self, tool: &str, input: &Raw<'_>, result: &Raw<'_>, at: SystemTime) {
        if let Some(replay) = BuiltInTool::called(tool).and_then(|tool| tool.facts.replay) {
            replay(self, &ReplayedCall { input, result, at });
        }
    }
}

/// Takes note of a file that was read or changed.
pub(super) fn note_file(tool_context: &ToolContext, call: &ReplayedCall<'_>) {
    let touched = call.result.to::<Touched>().unwrap_or_default();
    let file = touched.file.map(|file| file.file_path);
    if let Some(path) = touched.file_path.or(file).or(touched.notebook_path) {
        tool_context.files.read_state.note_read(Path::new(&path), call.at);
    }
}
