//! What a view knows of the session: retries, compaction, denials, todos, errors.

use aqueduct_client::view::ItemContent;
use serde_json::{Value, json};

use super::picture::picture;
use super::talk::{Talk, text, tool};

#[test]
fn a_retry_is_shown_until_the_model_answers() {
    let mut talk = Talk::new();
    talk.init();
    for attempt in 1..=2 {
        talk.system(
            json!({ "subtype": "api_retry", "attempt": attempt, "max_retries": 10, "retry_delay_ms": 500,
            "error_status": 529, "error": "overloaded" }),
        );
    }
    let mut view = talk.view(true);
    assert_eq!(view.run().retry().unwrap().attempt.as_u64(), Some(2));
    Talk::new().start(None, "m1").push_to(&mut view, true);
    assert!(view.run().retry().is_none());
    assert_eq!(view.run().retries(), 2);
}

#[test]
fn denials_are_listed_once() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[tool("t1", "Bash", json!({ "command": "rm x" }))]);
    talk.system(json!({ "subtype": "permission_denied", "tool_name": "Bash", "tool_use_id": "t1", "message": "not here", "decision_reason_type": "rule" }));
    talk.answer(None, "t1", "not here", true);
    let denials = json!([{ "tool_name": "Bash", "tool_use_id": "t1", "tool_input": { "command": "rm x" } },
        { "tool_name": "Write", "tool_use_id": "t2", "tool_input": {} }]);
    talk.result(0.0, json!({ "permission_denials": denials }));
    let view = talk.view(true);
    let denials = view.run().denials();
    assert_eq!(denials.len(), 2);
    assert_eq!(
        (denials[0].message.as_deref(), denials[0].reason.as_deref()),
        (Some("not here"), Some("rule"))
    );
    assert_eq!(denials[0].input.as_ref().unwrap().as_str(), r#"{"command":"rm x"}"#);
}

#[test]
fn an_error_is_not_an_answer() {
    let mut talk = Talk::new();
    talk.init();
    let block = json!({ "type": "text", "text": "API Error: 400 too long" });
    talk.whole(None, "m1", &block, json!({ "error": "invalid_request" }));
    let view = talk.view(true);
    assert_eq!(view.run().text(), "");
    assert_eq!(
        view.run().main().items()[0].content(),
        &ItemContent::Error("API Error: 400 too long".to_owned())
    );
}

fn todos(talk: &mut Talk, call: &str, name: &str, input: Value, result: Value) {
    talk.message(None, call, &[tool(call, name, input)]);
    talk.answer_with(None, call, "ok", false, result);
}

#[test]
fn lists_of_things_to_do_are_followed() {
    let mut talk = Talk::new();
    talk.init();
    let list = json!([{ "content": "look", "status": "completed", "activeForm": "Looking" }, { "content": "write", "status": "in_progress", "activeForm": "Writing" }]);
    todos(&mut talk, "t1", "TodoWrite", json!({ "todos": list }), Value::Null);
    let view = talk.view(true);
    assert_eq!(view.todos()[1].active_form.as_deref(), Some("Writing"));
    insta::assert_snapshot!(picture(&view).lines().filter(|line| line.starts_with("todo")).collect::<Vec<_>>().join("\n"), @r"
    todo Completed: look
    todo InProgress: write
    ");
}

#[test]
fn lists_with_numbers_are_followed() {
    let mut talk = Talk::new();
    talk.init();
    for (call, id, subject) in [("t1", "1", "look"), ("t2", "2", "write"), ("t3", "3", "drop")] {
        let result = json!({ "task": { "id": id, "subject": subject } });
        todos(&mut talk, call, "TaskCreate", json!({ "subject": subject, "description": "d" }), result);
    }
    todos(
        &mut talk,
        "t4",
        "TaskUpdate",
        json!({ "taskId": "1", "status": "in_progress" }),
        json!({ "success": true, "taskId": "1" }),
    );
    todos(
        &mut talk,
        "t5",
        "TaskUpdate",
        json!({ "taskId": "3", "status": "deleted" }),
        json!({ "success": true, "taskId": "3" }),
    );
    talk.message(None, "t6", &[tool("t6", "TaskUpdate", json!({ "taskId": "2", "status": "completed" }))]);
    talk.answer(None, "t6", "there is no such task", true);
    let view = talk.view(false);
    let list: Vec<_> = view
        .todos()
        .iter()
        .map(|todo| (todo.id.as_deref().unwrap(), todo.text.as_str(), todo.status.as_str()))
        .collect();
    assert_eq!(list, [("1", "look", "in_progress"), ("2", "write", "pending")]);
}

#[test]
fn a_mode_a_model_and_a_title_are_the_newest() {
    let mut talk = Talk::new();
    talk.init().system(json!({ "subtype": "status", "status": null, "permissionMode": "plan" }));
    talk.system(json!({ "subtype": "session_title_changed", "title": "A walk" }));
    let other = json!({ "type": "text", "text": "x" });
    talk.whole(None, "m1", &other, json!({}));
    let view = talk.view(true);
    assert_eq!(view.permission_mode().unwrap().as_str(), "plan");
    assert_eq!(
        (view.title(), view.model(), view.cwd(), view.version()),
        (Some("A walk"), Some("example-model"), Some("/proj"), Some("2.1.325"))
    );
}

#[test]
fn a_cleared_conversation_has_no_list() {
    let mut talk = Talk::new();
    talk.init();
    todos(
        &mut talk,
        "t1",
        "TodoWrite",
        json!({ "todos": [{ "content": "look", "status": "pending" }] }),
        Value::Null,
    );
    talk.message(None, "m2", &[text("ok")]).result(0.1, json!({}));
    talk.frame(json!({ "type": "conversation_reset", "new_conversation_id": "n" }));
    assert!(talk.view(true).todos().is_empty());
}

/// Version 2.1.37 reports the output of a slash command as a user message.
#[test]
fn what_a_slash_command_prints_is_text() {
    let mut talk = Talk::new();
    talk.init().user_text(
        None,
        "<local-command-stdout>Total cost: $0.01</local-command-stdout>",
        json!({ "isReplay": true }),
    );
    talk.system(json!({ "subtype": "local_command_output", "content": "And more." }));
    assert_eq!(talk.view(true).run().text(), "Total cost: $0.01\n\nAnd more.");
}
