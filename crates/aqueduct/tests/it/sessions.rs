//! `aqueduct sessions`: what people and programs get to see.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Run, aqueduct, run};

const RED: &str = "550e8400-e29b-41d4-a716-446655440000";
const DOCS: &str = "7c498dd0-05c1-4e1f-a1f5-c4ace0e17835";

/// A home with two sessions in it.
struct World(TempDir);

impl World {
    fn new() -> Self {
        let world = World(tempfile::tempdir().expect("a folder"));
        world.session("/home/ada/proj", RED, 3 * 60, &red());
        let docs = [line(
            "user",
            "d1",
            None,
            json!({"message": {"role": "user", "content": "Write the 日本語 docs\u{1b}[31m"}}),
        )];
        world.session("/srv/a/very/long/path/to/the/documentation", DOCS, 26 * 60 * 60, &docs);
        world
    }

    fn session(&self, cwd: &str, id: &str, age: u64, lines: &[Value]) {
        let name: String = cwd.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = self.0.path().join("projects").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        let text: String = lines
            .iter()
            .map(|line| {
                let mut line = line.clone();
                line["cwd"] = json!(cwd);
                line["sessionId"] = json!(id);
                format!("{line}\n")
            })
            .collect();
        let path = folder.join(format!("{id}.jsonl"));
        fs::write(&path, text).expect("a file");
        let file = fs::File::open(path).expect("the file");
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("a time");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = aqueduct(&[&["sessions"], arguments].concat());
        command.env("CLAUDE_CONFIG_DIR", self.0.path()).env("HOME", "/home/ada").env("TZ", "UTC");
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run(&mut self.command(arguments))
    }

    fn file(&self, id: &str) -> PathBuf {
        let folders = fs::read_dir(self.0.path().join("projects")).expect("the folder");
        let files = folders.map(|entry| entry.expect("an entry").path().join(format!("{id}.jsonl")));
        files.into_iter().find(|path| path.exists()).expect("the session's file")
    }
}

fn line(kind: &str, uuid: &str, parent: Option<&str>, more: Value) -> Value {
    let mut line = json!({"type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": false, "userType": "external",
        "timestamp": "2026-03-04T05:06:07.089Z", "version": "2.1.325", "gitBranch": "main", "entrypoint": "cli"});
    let Value::Object(more) = more else { panic!("an object") };
    line.as_object_mut().expect("an object").extend(more);
    line
}

fn red() -> Vec<Value> {
    let call = json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}});
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": "1 failed\nflaky::it", "is_error": true});
    vec![
        line("user", "u1", None, json!({"message": {"role": "user", "content": "Why is the build red?"}})),
        line(
            "assistant",
            "a1",
            Some("u1"),
            json!({"message": {"id": "m1", "role": "assistant", "content": [call]}}),
        ),
        line("user", "r1", Some("a1"), json!({"message": {"role": "user", "content": [result]}})),
        line("user", "w1", Some("r1"), json!({"message": {"role": "user", "content": "a way not taken"}})),
        line(
            "assistant",
            "a2",
            Some("r1"),
            json!({"message": {"id": "m2", "role": "assistant", "content": [{"type": "text", "text": "A flaky test fails:\nflaky::it."}]}}),
        ),
        json!({"type": "custom-title", "customTitle": "The red build"}),
        json!({"type": "tag", "tag": "ci"}),
    ]
}

#[test]
fn sessions_are_listed_for_people() {
    let world = World::new();
    insta::assert_snapshot!(world.run(&["list"]).out, @r"
    id        used       folder                            title
    550e8400  3 min ago  ~/proj                            The red build  #ci
    7c498dd0  1 d ago    …/long/path/to/the/documentation  Write the 日本語 docs\x1b[31m
    ");
    insta::assert_snapshot!(world.run(&["list", "--project", "/home/ada/proj"]).out, @r"
    id        used       title
    550e8400  3 min ago  The red build  #ci
    ");
    let narrow = run(world.command(&["list", "--limit", "1", "--offset", "1"]).env("COLUMNS", "60"));
    insta::assert_snapshot!(narrow.out, @r"
    id        used     folder                title
    7c498dd0  1 d ago  …o/the/documentation  Write the 日本語 d…
    ");
    insta::assert_snapshot!(world.run(&["list", "--limit", "1"]).out, @r"
    id        used       folder  title
    550e8400  3 min ago  ~/proj  The red build  #ci

    There are more: --offset 1 shows the next page, --limit shows more per page.
    ");
    let none = world.run(&["list", "--project", "/nowhere"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    assert!(none.err.starts_with("aqueduct: no sessions of /nowhere in "), "{}", none.err);
}

#[test]
fn sessions_are_listed_for_programs() {
    let world = World::new();
    let listed: Value =
        serde_json::from_str(&world.run(&["list", "--json", "--limit", "1"]).out).expect("JSON");
    let mut session = listed["sessions"][0].clone();
    assert_eq!(listed["hasMore"], true);
    for member in ["modified", "path", "size"] {
        assert!(!session[member].take().is_null(), "{member}");
    }
    insta::assert_snapshot!(session, @r#"{"aiTitle":null,"created":"2026-03-04T05:06:07.089Z","customTitle":"The red build","cwd":"/home/ada/proj","entrypoint":"cli","firstPrompt":"Why is the build red?","gitBranch":"main","lastPrompt":null,"messages":5,"modified":null,"path":null,"program":"reference","sessionId":"550e8400-e29b-41d4-a716-446655440000","size":null,"summary":null,"tag":"ci","title":"The red build","version":"2.1.325"}"#);
}

#[test]
fn a_conversation_is_shown_as_it_was() {
    let world = World::new();
    let shown = world.run(&["show", "550e"]);
    insta::assert_snapshot!(shown.out, @r"
    The red build
    550e8400-e29b-41d4-a716-446655440000 · ~/proj · main · #ci · begun 2026-03-04 05:06 · used 3 min ago · 2 kB · reference 2.1.325

    > Why is the build red?

    ● Bash  make test
      ✗ 1 failed  … 1 more line
    A flaky test fails:
    flaky::it.
    ");
    insta::assert_snapshot!(shown.err, @"aqueduct: 1 message is on another way and not shown; `export --format jsonl` has every line");
    let frames = world.run(&["show", "550e", "--json", "--offset", "1", "--limit", "2"]).out;
    let frames: Vec<Value> =
        frames.lines().map(|line| serde_json::from_str(line).expect("a frame")).collect();
    assert_eq!(frames.len(), 2);
    assert_eq!((&frames[0]["type"], &frames[1]["uuid"]), (&json!("assistant"), &json!("r1")));
}

#[test]
fn lines_that_are_broken_are_named() {
    let world = World::new();
    let path = world.file(DOCS);
    let text = fs::read_to_string(&path).expect("the file");
    fs::write(&path, format!("{text}not json\n{{\"torn")).expect("the file");
    let shown = world.run(&["show", "7c49"]);
    assert_eq!(shown.code, 0);
    insta::assert_snapshot!(shown.err, @"aqueduct: 2 of the file's lines can't be read; line 2 can't be read: not JSON: expected a value at byte 0");
}

#[test]
fn messages_are_found() {
    let world = World::new();
    let found = world.run(&["search", "FLAKY"]);
    assert_eq!(found.code, 0);
    let (hits, closing) = found.out.rsplit_once("\n\n").expect("a line at the end");
    insta::assert_snapshot!(hits, @r"
    550e8400  The red build  3 min ago
      result   1 failed flaky::it
      model    A flaky test fails: flaky::it.
    ");
    assert!(closing.starts_with("2 hits; looked through 2 sessions, 2 kB, "), "{closing}");
    let output = world.run(&["search", "--said", "--json", "flaky"]).out;
    let hit: Value = serde_json::from_str(output.trim()).expect("one hit");
    assert_eq!(
        (&hit["uuid"], &hit["part"], &hit["matches"]),
        (&json!("a2"), &json!("answer"), &json!([[2, 7], [20, 25]]))
    );
    let nothing = world.run(&["search", "flaky", "docs"]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.out.starts_with("nothing found"), "{}", nothing.out);
}

#[test]
fn sessions_are_changed() {
    let world = World::new();
    assert_eq!(
        world.run(&["rename", "7c49", "Docs, in three languages"]).out,
        "7c498dd0 is now called Docs, in three languages\n"
    );
    assert_eq!(world.run(&["tag", "7c49", "docs"]).out, "7c498dd0 is tagged docs\n");
    assert!(world.run(&["list", "--tag", "docs"]).out.contains("Docs, in three languages  #docs"));
    assert_eq!(world.run(&["tag", "7c49", "--clear"]).out, "7c498dd0 has no tag\n");
    let copy = world.run(&["fork", "550e", "--until", "r1", "--title", "Another way"]).out;
    let shown = world.run(&["show", copy.trim()]).out;
    assert!(shown.starts_with("Another way\n") && !shown.contains("A flaky test"), "{shown}");
    let page = world.0.path().join("page.html");
    let exported = world.run(&["export", "550e", "-o", page.to_str().expect("a path")]);
    assert_eq!((exported.code, exported.out.as_str()), (0, ""));
    assert!(fs::read_to_string(page).expect("the page").starts_with("<!doctype html>"));
    let lines = world.run(&["export", "550e", "--format", "jsonl"]).out;
    assert_eq!(lines, fs::read_to_string(world.file(RED)).expect("the file"));
}

#[test]
fn nothing_is_deleted_unasked() {
    let world = World::new();
    let refused = world.run(&["rm", "550e"]);
    assert_eq!((refused.code, world.file(RED).exists()), (2, true));
    let wrong = world.run(&["rm", "--yes", "550e", "ffff"]);
    assert_eq!((wrong.code, world.file(RED).exists()), (2, true), "all are found before one is deleted");
    let path = world.file(RED);
    let deleted = world.run(&["rm", "--yes", "550e", "7c49"]);
    assert_eq!((deleted.code, deleted.out.as_str()), (0, "550e8400 is deleted\n7c498dd0 is deleted\n"));
    assert!(!path.exists());
}

#[test]
fn errors_are_reported_in_one_line() {
    let world = World::new();
    let errors: Vec<String> = [
        &["show", "unknown"][..],
        &["show", "abcd"],
        &["rename", "550e", " "],
        &["fork", "550e", "--until", "unknown"],
        &["export", "550e", "-o", "/nowhere/page.html"],
        &["rm", "550e"],
    ]
    .iter()
    .map(|arguments| {
        let run = world.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        run.err
    })
    .collect();
    insta::assert_snapshot!(errors.concat(), @r"
    aqueduct: `unknown` is not a session id; give a UUID such as 550e8400-e29b-41d4-a716-446655440000, or its beginning
    aqueduct: session abcd does not exist; list the sessions
    aqueduct: a title must have between 1 and 200 characters that can be seen; this one has 0
    aqueduct: session 550e8400-e29b-41d4-a716-446655440000 has no message unknown; take the uuid of one that it shows
    aqueduct: can't write /nowhere/page.html: No such file or directory (os error 2)
    aqueduct: deleting asks for confirmation, and there is no terminal; pass --yes to delete without confirmation
    ");
}
