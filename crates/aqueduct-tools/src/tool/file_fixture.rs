//! For tests of the file tools: a folder with real files, and calls as the model makes them.

use std::fs;
use std::path::PathBuf;

use aqueduct_wire::json::Raw;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::file_call::FileCall;
use super::{CallOutput, ToolFailure};
use crate::checkpoint::Checkpoints;
use crate::file::FileStates;

/// A folder to work in, and what the tools of a conversation share.
pub(super) struct FileFixture {
    folder: TempDir,
    pub(super) files: FileStates,
    pub(super) checkpoints: Checkpoints,
    pub(super) cancel: CancellationToken,
}

impl FileFixture {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        let checkpoints = Checkpoints::open(folder.path().join("history")).unwrap();
        FileFixture { folder, files: FileStates::default(), checkpoints, cancel: CancellationToken::new() }
    }

    /// A path in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("work").join(name)
    }

    /// Puts a file there.
    pub(super) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The bytes of a file.
    pub(super) fn get(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names in the folder: what a tool leaves behind shows here.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = self.path("").read_dir().unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// A call with this input.
    pub(super) fn call(&self, input: Value) -> FileCall {
        FileCall {
            input: Raw::from(&input),
            cwd: self.path(""),
            home: self.path("home"),
            files: self.files.clone(),
            checkpoints: self.checkpoints.clone(),
            resolved: None,
            may_be_unread: false,
            cancel: self.cancel.clone(),
        }
    }

    pub(super) fn read(&self, input: Value) -> Result<FixtureOutput, String> {
        answer(super::read::read(&self.call(input)))
    }

    pub(super) fn write(&self, name: &str, content: &str) -> Result<FixtureOutput, String> {
        answer(super::write::write(&self.call(json!({"file_path": self.path(name), "content": content}))))
    }

    pub(super) fn edit(&self, name: &str, old: &str, new: &str) -> Result<FixtureOutput, String> {
        self.edit_with(json!({"file_path": self.path(name), "old_string": old, "new_string": new}))
    }

    pub(super) fn edit_with(&self, input: Value) -> Result<FixtureOutput, String> {
        answer(super::edit::edit(&self.call(input)))
    }

    pub(super) fn edit_notebook(&self, input: Value) -> Result<FixtureOutput, String> {
        answer(super::notebook_edit::edit(&self.call(input)))
    }

    /// Reads a file of the folder, which must work.
    pub(super) fn see(&self, name: &str) -> FixtureOutput {
        self.read(json!({"file_path": self.path(name)})).unwrap()
    }
}

/// What a call gave, for asserting.
#[derive(Debug)]
pub(super) struct FixtureOutput {
    /// For the model; `Content` as JSON.
    pub(super) content: Value,
    /// For hosts.
    pub(super) result: Value,
}

impl FixtureOutput {
    pub(super) fn text(&self) -> &str {
        self.content.as_str().unwrap()
    }
}

pub(super) fn answer(output: Result<CallOutput, ToolFailure>) -> Result<FixtureOutput, String> {
    match output {
        Ok(output) => {
            assert!(!output.is_error);
            let mut content = String::new();
            aqueduct_wire::json::Json::write(&output.content, &mut content);
            Ok(FixtureOutput {
                content: serde_json::from_str(&content).unwrap(),
                result: output.result.to().unwrap(),
            })
        }
        Err(ToolFailure::Rejected(text) | ToolFailure::Failed(text) | ToolFailure::Interrupted(text)) => {
            Err(text)
        }
    }
}

/// Applies the hunks of a `structuredPatch` to a text.
pub(super) fn patched(old: &str, hunks: &Value) -> String {
    let mut rest = old.split_inclusive('\n');
    let mut at = 1;
    let mut new = String::new();
    for hunk in hunks.as_array().unwrap() {
        let start = hunk["oldStart"].as_u64().unwrap();
        while at < start {
            new.push_str(rest.next().unwrap());
            at += 1;
        }
        let lines: Vec<&str> =
            hunk["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        for (index, line) in lines.iter().enumerate() {
            let unended = lines.get(index + 1).is_some_and(|next| next.starts_with('\\'));
            let text = format!("{}{}", &line[1..], if unended { "" } else { "\n" });
            match line.as_bytes()[0] {
                b'\\' => {}
                b'+' => new.push_str(&text),
                sign => {
                    assert_eq!(rest.next(), Some(text.as_str()), "the patch is not of this text");
                    at += 1;
                    if sign == b' ' {
                        new.push_str(&text);
                    }
                }
            }
        }
    }
    new.extend(rest);
    new
}
