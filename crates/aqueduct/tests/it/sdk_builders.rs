//! What builders of the client express, with the real agent: images and files, answers of hooks, rules.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use aqueduct_client::prelude::*;
use assert_cmd::cargo::cargo_bin;

/// A picture of one grey dot, and its base64.
const DOT: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\x7f\x7f\x7f\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
const DOT_BASE64: &str = "R0lGODlhAQABAIAAAH9/fwAAACwAAAAAAQABAAACAkQBADs=";

/// A home with a project in it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Home(tempfile::tempdir().unwrap());
        fs::create_dir(home.project()).unwrap();
        home
    }

    fn project(&self) -> std::path::PathBuf {
        self.0.path().canonicalize().unwrap().join("project")
    }

    fn session(&self) -> Builder {
        Session::builder()
            .program(cargo_bin("aqueduct"))
            .leading_arguments(["agent"])
            .directory(self.project())
            .env_clear()
            .env("HOME", self.0.path())
            .env("PATH", "/usr/bin:/bin")
    }

    /// Everything that the transcripts have.
    fn transcripts(&self) -> String {
        let mut all = String::new();
        read_all(self.0.path(), &mut all);
        all
    }
}

fn read_all(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_all(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            all.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

fn text(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Done(report) => report.text(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn images_and_files() {
    let home = Home::new();
    fs::write(home.project().join("letter.txt"), "dear all, the bridge is open").unwrap();
    let prompt = Prompt::text("@say seen").image("image/gif", DOT).file(home.project().join("letter.txt"));
    assert_eq!(text(&home.session().query(prompt).await.unwrap()), "seen");
    let transcripts = home.transcripts();
    assert!(transcripts.contains(DOT_BASE64), "{transcripts}");
    assert!(transcripts.contains("dear all, the bridge is open"), "{transcripts}");
}

#[tokio::test]
async fn hooks_change_inputs_and_add_context() {
    let home = Home::new();
    let hook = Hook::pre_tool_use(|call| async move {
        call.allow().with_input(json!({"command": "echo changed"})).with_context("The word was changed.")
    });
    let prompt = r#"@tool Bash {"command":"make original"}"#;
    let outcome = home.session().hook(hook.matching("Bash")).query(prompt).await.unwrap();
    assert!(text(&outcome).contains("changed"), "{outcome:?}");
    assert!(home.transcripts().contains("The word was changed."));
}

#[tokio::test]
async fn hooks_block() {
    let home = Home::new();
    let stop = Hook::stop(|call| async move {
        match call.stop_hook_active {
            Some(true) => call.proceed(),
            _ => call.block("Say goodbye first."),
        }
    });
    let outcome = home.session().hook(stop).query("@say hello\n@say goodbye").await.unwrap();
    assert_eq!(text(&outcome), "goodbye");
    let tool = Hook::pre_tool_use(|call| async move { call.block("the gate is shut") });
    let outcome = home.session().hook(tool).query(r#"@tool Bash {"command":"true"}"#).await.unwrap();
    assert!(text(&outcome).contains("the gate is shut"), "{outcome:?}");
}

#[tokio::test]
async fn rules_decide() {
    let home = Home::new();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let rules = PermissionRules::new(home.project())
        .allow(["Edit(notes/**)"])
        .and_then(|rules| rules.deny(["Bash(rm:*)"]))
        .unwrap();
    let builder = home.session().on_permission(rules.or(move |request| {
        seen.lock().unwrap().push(request.input().to_string());
        async { Permission::allow() }
    }));
    let note = home.project().join("notes/a.md");
    let prompt = format!(
        "@tool Write {{\"file_path\":{note:?},\"content\":\"a\"}}\n@tool Bash {{\"command\":\"touch made\"}}\n\
         @tool Bash {{\"command\":\"rm -r made\"}}"
    );
    let outcome = builder.query(prompt).await.unwrap();
    assert!(text(&outcome).contains("Bash(rm:*)"), "{outcome:?}");
    assert_eq!(*asked.lock().unwrap(), [r#"{"command":"touch made"}"#]);
    assert!(note.exists() && home.project().join("made").exists());
}
