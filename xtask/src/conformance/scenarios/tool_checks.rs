//! What tools check, and when: calls that can't work are rejected before hooks and permission, and files are read and
//! changed under the same conditions.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::super::session::Session;
use super::super::stage::Stage;
use super::{ASK, SKIP, Scenario, allow, bash, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("check-unknown-tool", unknown_tool),
    scenario("check-missing-members", missing_members),
    scenario("check-wrong-types", wrong_types),
    scenario("check-unknown-members", unknown_members),
    scenario("check-edit-impossible", edit_impossible),
    scenario("check-edit-unread", edit_unread),
    scenario("check-edit-all", edit_all),
    scenario("check-edit-creates", edit_creates),
    scenario("check-write-unread", write_unread),
    scenario("check-outside-unread", outside_unread),
    scenario("check-denied-files", denied_files),
    scenario("check-changed-since", changed_since),
    scenario("check-read-missing", read_missing),
    scenario("check-read-range", read_range),
    scenario("check-read-twice", read_twice),
    scenario("check-read-kinds", read_kinds),
    scenario("check-read-zeros", read_zeros),
    scenario("check-read-large", read_large),
    scenario("check-notebook", notebook),
    scenario("check-bash-results", bash_results),
    scenario("check-bash-folder", bash_folder),
    scenario("check-bash-long", bash_long),
    scenario("check-relative-paths", relative_paths),
    scenario("check-search", search),
];

/// A session whose hooks are callbacks, so that it shows what comes before them.
fn begin(stage: &mut Stage) -> Result<Session> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({ "hooks": {
        "PreToolUse": [{ "hookCallbackIds": ["before"] }],
        "PostToolUse": [{ "hookCallbackIds": ["after"] }],
        "PostToolUseFailure": [{ "hookCallbackIds": ["failed"] }],
    } }))?;
    Ok(session)
}

fn answer(request: &Value) -> Value {
    match request["request"]["subtype"].as_str() {
        Some("can_use_tool") => allow(request),
        _ => json!({}),
    }
}

/// Plays calls, a turn each.
fn play(stage: &mut Stage, calls: &[String]) -> Result<()> {
    let mut session = begin(stage)?;
    for call in calls {
        session.user(call);
        session.converse(answer)?;
    }
    session.end()
}

fn unknown_tool(stage: &mut Stage) -> Result<()> {
    let input = json!({ "a": 1 });
    let names = ["Nonsense", "bash", "mcp__none__tool", "MultiEdit", "LS", "NotebookRead"];
    play(stage, &names.map(|name| tool(name, &input)))
}

fn missing_members(stage: &mut Stage) -> Result<()> {
    let names = ["Bash", "Read", "Write", "Edit", "NotebookEdit", "Agent", "WebFetch", "WebSearch", "Skill"];
    play(stage, &names.map(|name| tool(name, &json!({}))))
}

fn wrong_types(stage: &mut Stage) -> Result<()> {
    let path = stage.project().join("f.txt");
    stage.write("f.txt", "one\ntwo\n")?;
    let calls = [
        tool("Bash", &json!({ "command": 7 })),
        tool("Bash", &json!({ "command": "echo a", "timeout": "soon" })),
        tool("Bash", &json!({ "command": "echo a", "timeout": "5000" })),
        tool("Bash", &json!({ "command": "echo a", "run_in_background": "yes" })),
        tool("Read", &json!({ "file_path": path, "offset": "2" })),
        tool("Read", &json!({ "file_path": path, "offset": "two" })),
        tool("Read", &json!({ "file_path": path, "limit": -1 })),
        tool("Read", &json!({ "file_path": [path] })),
        tool("Write", &json!({ "file_path": path, "content": 7 })),
        tool("Edit", &json!({ "file_path": path, "old_string": 7, "new_string": "x" })),
        tool(
            "Edit",
            &json!({ "file_path": path, "old_string": "one", "new_string": "x", "replace_all": "true" }),
        ),
    ];
    play(stage, &calls)
}

fn unknown_members(stage: &mut Stage) -> Result<()> {
    let path = stage.project().join("f.txt");
    stage.write("f.txt", "one\ntwo\n")?;
    let calls = [
        tool("Bash", &json!({ "command": "echo a", "unknown": 1 })),
        tool("Read", &json!({ "file_path": path, "unknown": 1 })),
        tool("Edit", &json!({ "file_path": path, "old_string": "one", "new_string": "1", "unknown": 1 })),
        tool("Read", &json!({ "path": path })),
    ];
    play(stage, &calls)
}

fn edit(path: &std::path::Path, old: &str, new: &str) -> String {
    tool("Edit", &json!({ "file_path": path, "old_string": old, "new_string": new }))
}

/// Edits that can't work are rejected before hooks and permission.
fn edit_impossible(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\ntwo\n")?;
    let project = stage.project().to_owned();
    let path = project.join("f.txt");
    let calls = [
        tool("Read", &json!({ "file_path": path })),
        edit(&project.join("none.txt"), "a", "b"),
        edit(&path, "three", "b"),
        edit(&path, "two", "b"),
        edit(&path, "one", "one"),
        edit(&path, "", "b"),
        edit(&project, "a", "b"),
        edit(&project.join("n.ipynb"), "a", "b"),
        edit(&project.join("f"), "a", "b"),
    ];
    play(stage, &calls)
}

fn edit_unread(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\ntwo\n")?;
    let path = stage.project().join("f.txt");
    play(stage, &[edit(&path, "three", "x"), edit(&path, "one", "x"), edit(&path, "x", "y")])
}

fn edit_all(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\ntwo\n")?;
    let path = stage.project().join("f.txt");
    let all = json!({ "file_path": path, "old_string": "two", "new_string": "2", "replace_all": true });
    let calls = [
        tool("Read", &json!({ "file_path": path })),
        tool("Edit", &all),
        edit(&path, "one\n", ""),
        edit(&path, "2\n2", "3\n4"),
    ];
    play(stage, &calls)
}

/// An edit with nothing to replace makes a file.
fn edit_creates(stage: &mut Stage) -> Result<()> {
    stage.write("empty.txt", "")?;
    let project = stage.project().to_owned();
    let calls = [
        edit(&project.join("new.txt"), "", "made\n"),
        edit(&project.join("empty.txt"), "", "filled\n"),
        edit(&project.join("deep/er/new.txt"), "", "made\n"),
    ];
    play(stage, &calls)
}

fn write_unread(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\n")?;
    let project = stage.project().to_owned();
    let write = |name: &str| tool("Write", &json!({ "file_path": project.join(name), "content": "x\n" }));
    let calls = [
        write("f.txt"),
        tool("Read", &json!({ "file_path": project.join("f.txt") })),
        write("f.txt"),
        write("f.txt"),
        write("deep/er/new.txt"),
        write("."),
    ];
    play(stage, &calls)
}

/// A file that may not be read without a question has to be read before it is changed.
fn outside_unread(stage: &mut Stage) -> Result<()> {
    let path = std::path::Path::new("/etc/hostname");
    play(stage, &[edit(path, "none", "x"), tool("Write", &json!({ "file_path": path, "content": "x" }))])
}

/// Files that rules deny: hooks do not run.
fn denied_files(stage: &mut Stage) -> Result<()> {
    stage.write("secret.txt", "one\n")?;
    let path = stage.project().join("secret.txt");
    let mut session = stage.start(&[ASK, &["--disallowed-tools", "Read(secret.txt)"]].concat())?;
    session.initialize(&json!({ "hooks": { "PreToolUse": [{ "hookCallbackIds": ["before"] }] } }))?;
    for call in
        [tool("Read", &json!({ "file_path": path })), edit(&path, "one", "x"), edit(&path, "none", "x")]
    {
        session.user(&call);
        session.converse(answer)?;
    }
    session.end()
}

/// Another program changes a file after it was read.
fn changed_since(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\n")?;
    let path = stage.project().join("f.txt");
    let read = tool("Read", &json!({ "file_path": path }));
    let mut session = begin(stage)?;
    session.user(&read);
    session.converse(answer)?;
    stage.write("f.txt", "one\ntwo\nthree\n")?;
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    let file = std::fs::File::options().write(true).open(&path).context("no file")?;
    file.set_modified(later).context("cannot set the time")?;
    for call in [
        edit(&path, "one", "1"),
        tool("Write", &json!({ "file_path": path, "content": "x" })),
        read,
        edit(&path, "one", "1"),
    ] {
        session.user(&call);
        session.converse(answer)?;
    }
    session.end()
}

fn read_missing(stage: &mut Stage) -> Result<()> {
    stage.write("found.txt", "one\n")?;
    stage.write("folder/f.txt", "one\n")?;
    let project = stage.project().to_owned();
    let read = |name: &str| tool("Read", &json!({ "file_path": project.join(name) }));
    let paths = ["none.txt", "folder", "found", "found.md", "found.txt/x", "folder/none/f.txt"];
    play(stage, &paths.map(read))
}

fn read_range(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\nthree\n")?;
    stage.write("empty.txt", "")?;
    let path = stage.project().join("f.txt");
    let read = |offset: i64, limit: i64| {
        tool("Read", &json!({ "file_path": path, "offset": offset, "limit": limit }))
    };
    let calls = [
        read(2, 1),
        read(1, 100),
        read(0, 1),
        read(3, 2000),
        read(4, 1),
        read(100, 1),
        read(-1, 1),
        read(1, 0),
        tool("Read", &json!({ "file_path": path, "offset": 2 })),
        tool("Read", &json!({ "file_path": stage.project().join("empty.txt") })),
    ];
    play(stage, &calls)
}

fn read_twice(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\nthree\n")?;
    let path = stage.project().join("f.txt");
    let whole = || tool("Read", &json!({ "file_path": path }));
    let part = || tool("Read", &json!({ "file_path": path, "offset": 2, "limit": 1 }));
    play(stage, &[whole(), whole(), part(), part(), edit(&path, "one", "1"), whole()])
}

fn read_kinds(stage: &mut Stage) -> Result<()> {
    let project = stage.project().to_owned();
    let put = |name: &str, bytes: &[u8]| std::fs::write(project.join(name), bytes).context("cannot write");
    put("zeros.bin", &[0; 64])?;
    put("program.exe", b"MZ\x00\x01")?;
    put("latin.txt", b"caf\xe9\n")?;
    put("crlf.txt", b"one\r\ntwo\r\n")?;
    put("mark.txt", b"\xef\xbb\xbfone\n")?;
    put("open.txt", b"one\ntwo")?;
    put("broken.png", b"no picture")?;
    put("broken.pdf", b"no document")?;
    put("archive.zip", b"PK\x03\x04")?;
    let names = [
        "zeros.bin",
        "program.exe",
        "latin.txt",
        "crlf.txt",
        "mark.txt",
        "open.txt",
        "broken.png",
        "broken.pdf",
        "archive.zip",
    ];
    play(stage, &names.map(|name| tool("Read", &json!({ "file_path": project.join(name) }))))
}

/// A text file with a NUL byte.
fn read_zeros(stage: &mut Stage) -> Result<()> {
    stage.write("zeros.txt", "a\0b\n")?;
    let path = stage.project().join("zeros.txt");
    play(stage, &[tool("Read", &json!({ "file_path": path }))])
}

fn read_large(stage: &mut Stage) -> Result<()> {
    let line = "0123456789 ".repeat(5);
    stage.write("lines.txt", &format!("{line}\n").repeat(3000))?;
    stage.write("huge.txt", &format!("{line}\n").repeat(8000))?;
    stage.write("wide.txt", &"x".repeat(5000))?;
    let project = stage.project().to_owned();
    let read = |name: &str| tool("Read", &json!({ "file_path": project.join(name) }));
    let part = json!({ "file_path": project.join("huge.txt"), "offset": 7000, "limit": 2 });
    play(stage, &[read("lines.txt"), read("huge.txt"), read("wide.txt"), tool("Read", &part)])
}

fn notebook(stage: &mut Stage) -> Result<()> {
    let cell = json!({
        "cell_type": "code", "id": "first", "source": ["print(1)"], "metadata": {}, "outputs": [],
        "execution_count": null
    });
    let notebook = json!({
        "cells": [cell], "metadata": { "language_info": { "name": "python" } }, "nbformat": 4, "nbformat_minor": 5
    });
    stage.write("n.ipynb", &notebook.to_string())?;
    stage.write("f.txt", "one\n")?;
    let path = stage.project().join("n.ipynb");
    let edit = |cell: &str, mode: &str| {
        tool(
            "NotebookEdit",
            &json!({
                "notebook_path": path, "cell_id": cell, "new_source": "print(2)", "edit_mode": mode,
                "cell_type": "code"
            }),
        )
    };
    let other = stage.project().join("f.txt");
    let calls = [
        edit("first", "replace"),
        tool("Read", &json!({ "file_path": path })),
        edit("first", "replace"),
        edit("none", "replace"),
        edit("first", "insert"),
        edit("first", "delete"),
        edit("first", "nonsense"),
        tool("NotebookEdit", &json!({ "notebook_path": other, "new_source": "x" })),
        tool("NotebookEdit", &json!({ "notebook_path": stage.project().join("x.ipynb"), "new_source": "x" })),
    ];
    play(stage, &calls)
}

fn bash_results(stage: &mut Stage) -> Result<()> {
    let commands = [
        "true",
        "false",
        "echo err >&2",
        "echo out; echo err >&2; exit 1",
        "exit 42",
        "nonsense-command",
        "printf 'no newline'",
        "printf '\\n\\n  indented\\n\\n'",
        "kill -9 $$",
        "grep nothing /dev/null",
        "",
        "   ",
        "echo 'unclosed",
    ];
    play(stage, &commands.map(bash))
}

fn bash_folder(stage: &mut Stage) -> Result<()> {
    stage.write("folder/f.txt", "one\n")?;
    let mut session = stage.start(&[SKIP])?;
    for command in ["cd folder", "pwd", "cd /", "pwd", "cd none", "X=1; export Y=2", "echo $X $Y"] {
        session.user(&bash(command));
        session.result()?;
    }
    session.end()
}

fn bash_long(stage: &mut Stage) -> Result<()> {
    play(stage, &["seq 1 9000", "seq 1 2000; exit 1"].map(bash))
}

fn relative_paths(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\n")?;
    let calls = [
        tool("Read", &json!({ "file_path": "f.txt" })),
        tool("Read", &json!({ "file_path": "./sub/../f.txt" })),
        tool("Edit", &json!({ "file_path": "f.txt", "old_string": "one", "new_string": "1" })),
        tool("Write", &json!({ "file_path": "new.txt", "content": "x\n" })),
        tool("Read", &json!({ "file_path": "" })),
        tool("Read", &json!({ "file_path": "~/none.txt" })),
    ];
    play(stage, &calls)
}

/// The search tools, where the host asks for them.
fn search(stage: &mut Stage) -> Result<()> {
    stage.write("a.txt", "one\ntwo\nthree\n")?;
    stage.write("sub/b.txt", "two\n")?;
    let mut session = stage.start(&[SKIP, "--tools", "Grep,Glob,Read"])?;
    session.initialize(&json!({}))?;
    let calls = [
        tool("Glob", &json!({ "pattern": "**/b.txt" })),
        tool("Glob", &json!({ "pattern": "*.none" })),
        tool("Glob", &json!({ "pattern": "*", "path": "none" })),
        tool("Grep", &json!({ "pattern": "three" })),
        tool("Grep", &json!({ "pattern": "three", "output_mode": "content", "-n": true })),
        tool("Grep", &json!({ "pattern": "two", "output_mode": "count", "path": "sub" })),
        tool("Grep", &json!({ "pattern": "none" })),
        tool("Grep", &json!({ "pattern": "none", "output_mode": "content" })),
        tool("Grep", &json!({ "pattern": "(" })),
        tool("Grep", &json!({ "pattern": "x", "path": "none" })),
    ];
    for call in calls {
        session.user(&call);
        session.result()?;
    }
    session.end()
}
