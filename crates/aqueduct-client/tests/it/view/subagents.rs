//! Subagents: threads under the call that started them.

use aqueduct_client::view::{CallState, ViewState};
use serde_json::json;

use super::picture::{picture, run};
use super::talk::{Talk, text, tool};

/// Two subagents at once, one of which has one of its own, all with partial messages.
fn nested() -> Talk {
    let mut talk = Talk::new();
    let task = |description: &str| json!({ "description": description, "prompt": "look" });
    talk.init().message(
        None,
        "m1",
        &[text("I ask two."), tool("t1", "Task", task("one")), tool("t2", "Task", task("two"))],
    );
    talk.user_text(Some("t1"), "look", json!({})).start(Some("t1"), "a1").start(Some("t2"), "b1");
    talk.block(Some("t1"), "a1", 0, &text("First of one"));
    talk.block(Some("t2"), "b1", 0, &tool("t3", "Task", task("deeper")));
    talk.block(Some("t1"), "a1", 1, &tool("t4", "Grep", json!({ "pattern": "fn" })));
    talk.stop(Some("t2"), 5).stop(Some("t1"), 5);
    talk.message(Some("t3"), "c1", &[text("At the bottom")]);
    talk.answer(Some("t1"), "t4", "3 matches", false);
    talk.answer(Some("t2"), "t3", "bottom reports", false);
    talk.message(Some("t1"), "a2", &[text("Last of one")]);
    talk.answer(None, "t2", "two is done", false).answer(None, "t1", "one failed", true);
    talk.message(None, "m2", &[text("Both are back.")]).result(0.2, json!({}));
    talk
}

#[test]
fn subagents_are_under_their_call_at_any_depth() {
    insta::assert_snapshot!(run(nested().view(true).run()), @r#"
    text "I ask two."
    calls Task {"description":"one","prompt":"look"} Failed -> "one failed"
    │ receives "look"
    │ text "First of one"
    │ calls Grep {"pattern":"fn"} Done -> "3 matches"
    │ text "Last of one"
    calls Task {"description":"two","prompt":"look"} Done -> "two is done"
    │ calls Task {"description":"deeper","prompt":"look"} Done -> "bottom reports"
    │ │ text "At the bottom"
    text "Both are back."
    tokens 42 in, 24 out
    cost 0.200
    "#);
    assert_eq!(picture(&nested().view(true)), picture(&nested().view(false)));
}

fn launched(talk: &mut Talk) {
    talk.state("running").init();
    talk.message(None, "m1", &[tool("t1", "Task", json!({ "description": "sub", "prompt": "go" }))]);
    talk.system(json!({ "subtype": "background_tasks_changed", "tasks": [{ "task_id": "k1", "task_type": "local_agent", "description": "sub" }] }));
    talk.system(
        json!({ "subtype": "task_started", "task_id": "k1", "tool_use_id": "t1", "description": "sub",
        "subagent_type": "explorer", "is_backgrounded": true, "task_type": "local_agent", "prompt": "go" }),
    );
    talk.answer(None, "t1", "launched", false);
    talk.message(Some("t1"), "a1", &[tool("t2", "Bash", json!({ "command": "echo in" }))]);
    talk.system(json!({ "subtype": "task_progress", "task_id": "k1", "tool_use_id": "t1", "description": "Running echo",
        "usage": { "total_tokens": 166, "tool_uses": 1, "duration_ms": 116 }, "last_tool_name": "Bash" }));
    talk.message(None, "m2", &[text("It is on its way.")]).result(0.1, json!({}));
}

fn returned(talk: &mut Talk) {
    talk.answer(Some("t1"), "t2", "in", false);
    talk.message(Some("t1"), "a2", &[text("All fine")]);
    talk.system(json!({ "subtype": "task_updated", "task_id": "k1", "patch": { "status": "completed" } }));
    talk.system(json!({ "subtype": "task_notification", "task_id": "k1", "tool_use_id": "t1", "status": "completed",
        "output_file": "", "summary": "All fine", "usage": { "total_tokens": 172, "tool_uses": 1, "duration_ms": 345 } }));
    talk.system(json!({ "subtype": "background_tasks_changed", "tasks": [] }));
}

#[test]
fn a_subagent_in_the_background_runs_until_it_reports() {
    let mut talk = Talk::new();
    launched(&mut talk);
    let mut view = talk.view(true);
    let call = view.run().call("t1").unwrap();
    assert_eq!(
        (call.state(), view.state()),
        (CallState::Running, ViewState::Running),
        "the result is not the end"
    );
    assert_eq!(call.task().unwrap().doing(), Some("Running echo"));

    let mut rest = Talk::new();
    returned(&mut rest);
    rest.init().message(None, "m3", &[text("It found nothing.")]);
    rest.result(0.3, json!({ "origin": { "kind": "task-notification" } })).state("idle");
    rest.push_to(&mut view, true);
    insta::assert_snapshot!(picture(&view), @r#"
    calls Task {"description":"sub","prompt":"go"} Done -> "launched" (task "sub", Some(Completed), 1 tools, Some("All fine"))
    │ calls Bash {"command":"echo in"} Done -> "in"
    │ text "All fine"
    text "It is on its way."
    text "It found nothing."
    tokens 84 in, 48 out
    cost 0.300
    state Idle
    session Some("s"), model Some("example-model"), mode Some(Default)
    session's cost 0.300, tokens 52 in, 30 out
    "#);
}

/// Without states a `result` is the end of a run, and the next prompt begins another, whatever still runs.
#[test]
fn what_runs_in_the_background_moves_to_the_next_run() {
    let mut talk = Talk::new();
    launched(&mut talk);
    let mut view = aqueduct_client::view::View::new();
    for frame in talk.frames(true).filter(|frame| frame["subtype"] != "session_state_changed") {
        super::talk::push(&mut view, frame);
    }
    assert_eq!(view.state(), ViewState::Idle);
    let mut next = Talk::new();
    next.init().message(None, "n1", &[text("Something else.")]);
    returned(&mut next);
    let let_go = next.push_to(&mut view, true);
    assert_eq!(let_go.len(), 1);
    insta::assert_snapshot!(run(&let_go[0]), @r#"
    calls Task {"description":"sub","prompt":"go"} Running -> "launched" (task "sub", None, 1 tools, None)
    text "It is on its way."
    tokens 42 in, 24 out
    cost 0.100
    "#);
    insta::assert_snapshot!(run(view.run()), @r#"
    calls Task {"description":"sub","prompt":"go"} Done -> "launched" (task "sub", Some(Completed), 1 tools, Some("All fine")) from an earlier run
    │ calls Bash {"command":"echo in"} Done -> "in"
    │ text "All fine"
    text "Something else."
    tokens 10 in, 12 out
    "#);
}

/// Who joins late sees subagents whose call was before.
#[test]
fn a_subagent_of_an_unknown_call_is_shown() {
    let mut talk = Talk::new();
    talk.message(Some("t9"), "a1", &[text("Hello from below")]);
    talk.answer(None, "t9", "done", false);
    insta::assert_snapshot!(run(talk.view(true).run()), @r#"
    calls  {} Done -> "done"
    │ text "Hello from below"
    tokens 0 in, 0 out
    "#);
}

/// A stream can contain anything. A call that is its own parent must not cause an endless loop.
#[test]
fn a_call_under_itself_ends() {
    let mut talk = Talk::new();
    talk.init().message(
        Some("t1"),
        "a1",
        &[tool("t1", "Task", json!({ "prompt": "x" })), tool("t2", "Task", json!({ "prompt": "y" }))],
    );
    talk.message(Some("t2"), "a2", &[tool("t1", "Task", json!({ "prompt": "z" }))]);
    for partial in [true, false] {
        assert!(talk.view(partial).run().walk().count() < 10);
    }
}
