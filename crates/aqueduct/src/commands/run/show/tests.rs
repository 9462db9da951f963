//! What people read, at a fixed width.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;

use aqueduct_client::Event;
use aqueduct_client::view::View;
use aqueduct_wire::FromAgent;
use serde_json::{Value, json};

use super::{Show, ShowOptions, ShownAnswers};
use crate::output::TerminalInfo;

/// Something that can be written to from two sides.
#[derive(Clone, Default)]
struct Paper(Rc<RefCell<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

const FILES: TerminalInfo = TerminalInfo {
    is_terminal: false,
    colour: false,
    notes_colour: false,
    width: 72,
    notes_are_terminal: false,
    progress: false,
    is_dumb: false,
    links: false,
};

const TERMINAL: TerminalInfo = TerminalInfo { is_terminal: true, notes_are_terminal: true, ..FILES };

const ALL: ShowOptions = ShowOptions {
    answers: ShownAnswers::Streamed,
    notes: true,
    thinking: false,
    denials: false,
    resumes: false,
};

/// Shows frames. Returns what was answered, what was noted, and both as they came.
fn shown(frames: &[Value], screen: TerminalInfo, wanted: ShowOptions) -> (String, String) {
    let (answers, notes) = (Paper::default(), Paper::default());
    show(frames, screen, wanted, answers.clone(), notes.clone());
    (answers.text(), notes.text())
}

fn together(frames: &[Value], screen: TerminalInfo, wanted: ShowOptions) -> String {
    let both = Paper::default();
    show(frames, screen, wanted, both.clone(), both.clone());
    both.text()
}

fn show(frames: &[Value], screen: TerminalInfo, wanted: ShowOptions, answers: Paper, notes: Paper) {
    let mut view = View::new();
    let mut show = Show::new(answers, notes, &screen, wanted);
    for frame in frames {
        let line = frame.to_string();
        let event = Event::Frame(Arc::new(FromAgent::parse_kept(&line).unwrap().into_owned()));
        view.push(&event);
        show.event(&event, &view, "claude").unwrap();
    }
    show.make_way(None).unwrap();
}

fn init() -> Value {
    json!({ "type": "system", "subtype": "init", "session_id": "s", "model": "example-model", "cwd": "/proj",
        "permissionMode": "default", "claude_code_version": "2.1.325" })
}

fn delta(text: &str) -> Value {
    json!({ "type": "stream_event", "event": { "type": "content_block_delta", "index": 0,
        "delta": { "type": "text_delta", "text": text } } })
}

fn whole(parent: Option<&str>, id: &str, block: Value) -> Value {
    json!({ "type": "assistant", "message": { "id": id, "content": [block] }, "parent_tool_use_id": parent,
        "uuid": format!("{id}-{block}") })
}

fn text(id: &str, text: &str) -> Value {
    whole(None, id, json!({ "type": "text", "text": text }))
}

fn call(parent: Option<&str>, id: &str, name: &str, input: Value) -> Value {
    whole(parent, &format!("m-{id}"), json!({ "type": "tool_use", "id": id, "name": name, "input": input }))
}

fn answer(parent: Option<&str>, id: &str, text: &str, is_error: bool) -> Value {
    json!({ "type": "user", "message": { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": id,
        "content": text, "is_error": is_error }] }, "parent_tool_use_id": parent, "uuid": format!("u-{id}") })
}

/// A conversation with text, tools and a subagent.
fn conversation() -> Vec<Value> {
    vec![
        init(),
        text("m1", "I'll look around first."),
        call(None, "t1", "Bash", json!({ "command": "ls -la", "description": "List" })),
        answer(None, "t1", "a\nb\nc", false),
        call(
            None,
            "t2",
            "Task",
            json!({ "description": "count lines", "subagent_type": "explorer", "prompt": "p" }),
        ),
        call(Some("t2"), "t3", "Grep", json!({ "pattern": "fn main", "path": "src" })),
        answer(Some("t2"), "t3", "src/main.rs", false),
        call(Some("t2"), "t4", "Read", json!({ "file_path": "/etc/shadow" })),
        answer(Some("t2"), "t4", "<tool_use_error>Permission denied</tool_use_error>", true),
        answer(None, "t2", "There are 12.", false),
        call(
            None,
            "t5",
            "Write",
            json!({ "file_path": "/proj/a/very/long/path/to/some/file/in/the/project/notes.md", "content": "x" }),
        ),
        answer(None, "t5", "File created successfully at: /proj/a/very/long/path/to/notes.md", false),
        text("m2", "There are **12** of them.\nThat is all."),
    ]
}

#[test]
fn an_answer_is_clean_and_notes_are_tidy() {
    let (answers, notes) = shown(&conversation(), FILES, ALL);
    assert_eq!(answers, "I'll look around first.\n\nThere are **12** of them.\nThat is all.\n");
    insta::assert_snapshot!(notes, @r"
    · claude 2.1.325 · example-model · mode default · /proj
    ✓ Bash  ls -la  3 lines
    ▸ Task  count lines  subagent_type explorer
    │ ✓ Grep  fn main  path src  src/main.rs
    │ ✗ Read  /etc/shadow  Permission denied
    ✓ Task  count lines  subagent_type explorer  There are 12.
    ✓ Write  a/very/long/path/to/some/file/in/the/pro…  File created succes…
    ");
}

#[test]
fn a_text_that_follows_another_continues_in_its_line() {
    let frames = [init(), text("m1", "First."), delta("Then "), delta("this.")];
    let (answers, _) = shown(&frames, FILES, ALL);
    assert_eq!(answers, "First.\n\nThen this.");
}

#[test]
fn on_a_terminal_both_have_their_lines() {
    let mut frames = vec![init()];
    frames.extend(["Let ", "me "].map(delta));
    frames.push(json!({ "type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 10, "retry_delay_ms": 500,
        "error_status": 529, "error": "overloaded" }));
    frames.push(delta("look."));
    insta::assert_snapshot!(together(&frames, TERMINAL, ALL), @r"
    · claude 2.1.325 · example-model · mode default · /proj
    Let me 
    ↻ overloaded 529; try 1 of 10 in 0.5 s
    look.
    ");
}

#[test]
fn control_sequences_do_not_reach_the_terminal() {
    let hostile = "a\x1b[2J\x1b]0;title\x07b\r\u{9b}1mc\u{202e}d\n\te";
    let (answers, _) = shown(&[text("m1", hostile)], TERMINAL, ALL);
    assert_eq!(answers, "a\\x1b[2J\\x1b]0;title\\x07b\\r\\u{9b}1mc\\u{202e}d\n    e\n");
    let (answers, _) = shown(&[text("m1", hostile)], FILES, ALL);
    assert_eq!(answers, format!("{hostile}\n"), "a file gets what the model wrote");
    let (_, notes) = shown(
        &[
            call(None, "t1", "Bash\x1b[1A", json!({ "command": "x\x1b[2K" })),
            answer(None, "t1", "\x1b[31mred\rgone", false),
        ],
        TERMINAL,
        ALL,
    );
    assert!(!notes.chars().any(|char| char.is_control() && char != '\n'), "{notes}");
}

#[test]
fn only_the_last_words_are_shown_if_that_is_wanted() {
    let mut frames = conversation();
    frames.push(
        json!({ "type": "result", "subtype": "success", "is_error": false, "result": "There are 12." }),
    );
    let (answers, notes) =
        shown(&frames, FILES, ShowOptions { answers: ShownAnswers::Final, notes: false, ..ALL });
    assert_eq!((answers.as_str(), notes.as_str()), ("There are 12.", ""));
}

#[test]
fn thoughts_are_shown_where_they_are_wanted() {
    let thought = whole(
        None,
        "m0",
        json!({ "type": "thinking", "thinking": "First this.\nThen that.", "signature": "s" }),
    );
    let (_, notes) =
        shown(&[thought.clone(), text("m1", "Yes.")], FILES, ShowOptions { thinking: true, ..ALL });
    assert_eq!(notes, "· First this.\n· Then that.\n");
    let (_, notes) = shown(&[thought], FILES, ALL);
    assert_eq!(notes, "");
}

#[test]
fn a_denial_without_a_user_has_a_hint() {
    let frames = [
        init(),
        call(None, "t1", "Bash", json!({ "command": "npm run build" })),
        json!({ "type": "system", "subtype": "permission_denied", "tool_name": "Bash", "tool_use_id": "t1", "message": "no",
            "decision_reason_type": "other" }),
        answer(None, "t1", "no", true),
        call(None, "t2", "Bash", json!({ "command": "git push" })),
        json!({ "type": "system", "subtype": "permission_denied", "tool_name": "Bash", "tool_use_id": "t2", "message": "no",
            "decision_reason_type": "rule" }),
        answer(None, "t2", "a rule denies it", true),
    ];
    let (_, notes) = shown(&frames, FILES, ShowOptions { denials: true, ..ALL });
    insta::assert_snapshot!(notes, @r"
    · claude 2.1.325 · example-model · mode default · /proj
    ✗ Bash  npm run build  no
    ! no user could be asked: --allowed-tools 'Bash(npm run *)' would allow it
    ✗ Bash  git push  a rule denies it
    ");
}

#[test]
fn the_activity_is_shown_in_a_temporary_line() {
    let frames = [init(), call(None, "t1", "Bash", json!({ "command": "make" }))];
    let (_, notes) = shown(&frames, TerminalInfo { progress: true, ..TERMINAL }, ALL);
    assert_eq!(
        notes,
        "· claude 2.1.325 · example-model · mode default · /proj\n\r\x1b[K· working\r\x1b[K· Bash  make\r\x1b[K"
    );
}
