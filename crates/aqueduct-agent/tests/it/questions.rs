//! Questions and plans: what the user is asked, and what the model receives.

use serde_json::{Value, json};

use crate::host::{Host, Place, kinds, tool_results};

const QUESTION: &str = "Which colour?";

fn asking() -> (Place, Host) {
    let place = Place::new();
    let host = place.start(&["--permission-prompt-tool", "stdio"]);
    (place, host)
}

fn input() -> Value {
    json!({ "questions": [{
        "question": QUESTION,
        "header": "Colour",
        "multiSelect": true,
        "options": [{ "label": "Red", "description": "warm" }, { "label": "Blue", "description": "cold" }],
    }] })
}

/// Makes the model ask a question, and returns the request.
fn question(host: &mut Host) -> Value {
    host.say(&format!("@tool AskUserQuestion {}\n@say done", input()));
    let request = host.request();
    assert_eq!(request["request"]["tool_name"], "AskUserQuestion");
    assert_eq!(request["request"]["requires_user_interaction"], true);
    assert_eq!(request["request"]["input"], input());
    request
}

/// What the model receives when the host gives this answer.
fn answered(answers: Option<Value>) -> (String, Value) {
    let (_place, mut host) = asking();
    let request = question(&mut host);
    let mut updated = input();
    if let Some(answers) = answers {
        updated["answers"] = answers;
    }
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": updated }));
    let frames = host.turn();
    let results = tool_results(&frames);
    assert_ne!(results[0]["is_error"], true, "{results:?}");
    assert_eq!(frames.last().unwrap()["result"], "done");
    let reported = frames.iter().find(|frame| frame["type"] == "user").unwrap()["tool_use_result"].clone();
    (results[0]["content"].as_str().unwrap().to_owned(), reported)
}

#[test]
fn answers_of_all_shapes_reach_the_model() {
    for (answer, expected) in [
        (json!("Red"), "Red"),
        (json!(["Red", "Blue"]), "Red, Blue"),
        (json!("neither, rather green"), "neither, rather green"),
        (json!({ "other": "green" }), "green"),
    ] {
        let (text, reported) = answered(Some(json!({ QUESTION: answer.clone() })));
        assert!(text.contains(&format!("\"{QUESTION}\"=\"{expected}\"")), "{text}");
        assert_eq!(reported["answers"][QUESTION], answer);
        assert_eq!(reported["questions"], input()["questions"]);
    }
}

#[test]
fn a_missing_answer_reaches_the_model_as_none() {
    for answers in [None, Some(json!({})), Some(json!({ QUESTION: "" })), Some(Value::Null)] {
        let (text, reported) = answered(answers);
        assert!(text.contains("none of them"), "{text}");
        assert_eq!(reported["answers"], json!({}));
    }
}

#[test]
fn a_question_can_be_turned_down() {
    let (_place, mut host) = asking();
    let request = question(&mut host);
    host.answer(&request, &json!({ "behavior": "deny", "message": "decide yourself" }));
    let frames = host.turn();
    let results = tool_results(&frames);
    assert_eq!((&results[0]["is_error"], &results[0]["content"]), (&json!(true), &json!("decide yourself")));
    assert_eq!(frames.last().unwrap()["result"], "done");
}

#[test]
fn a_question_can_end_the_turn() {
    let (_place, mut host) = asking();
    let request = question(&mut host);
    host.answer(&request, &json!({ "behavior": "deny", "message": "stop", "interrupt": true }));
    assert_eq!(host.turn().last().unwrap()["terminal_reason"], "aborted_tools");
    question(&mut host);
    host.send(
        &json!({ "type": "control_request", "request_id": "i", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.turn();
    assert_eq!(kinds(&frames)[0], "control_cancel_request");
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_tools");
}

#[test]
fn a_question_without_questions_is_refused_without_a_request() {
    let (_place, mut host) = asking();
    for input in ["{}", "{\"questions\":[]}", "{\"questions\":\"what?\"}"] {
        host.say(&format!("@tool AskUserQuestion {input}\n@say done"));
        let frames = host.turn();
        assert_eq!(tool_results(&frames)[0]["is_error"], true);
        assert!(!kinds(&frames).iter().any(|kind| kind.starts_with("control")), "{:?}", kinds(&frames));
    }
}

#[test]
fn the_question_tool_is_not_offered_without_a_host() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say(&format!("@tool AskUserQuestion {}", input()));
    let frames = host.turn();
    let tools = frames[0]["tools"].as_array().unwrap();
    assert!(!tools.iter().any(|tool| tool == "AskUserQuestion" || tool == "ExitPlanMode"), "{tools:?}");
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
}

/// An agent that plans, and the request for the plan.
fn planned(host: &mut Host) -> Value {
    let plan = json!({ "plan": "# Plan\n\n1. Write a file" });
    host.say(&format!("@tool ExitPlanMode {plan}\n@tool Write {}\n@say done", write_input("made")));
    let request = host.request();
    assert_eq!(request["request"]["tool_name"], "ExitPlanMode");
    request
}

fn write_input(name: &str) -> Value {
    json!({ "file_path": name, "content": "x" })
}

fn planning() -> (Place, Host) {
    let place = Place::new();
    let host = place.start(&["--permission-prompt-tool", "stdio", "--permission-mode", "plan"]);
    (place, host)
}

fn mode(host: &mut Host) -> Value {
    host.say("@say mode");
    host.turn()[0]["permissionMode"].clone()
}

#[test]
fn planning_refuses_changes() {
    let (place, mut host) = planning();
    let file = place.project().join("made");
    host.say(&format!("@tool Write {}\n@say done", json!({ "file_path": file, "content": "x" })));
    let frames = host.until(|frame| ["result", "control_request"].contains(&frame["type"].as_str().unwrap()));
    let last = frames.last().unwrap();
    if last["type"] == "control_request" {
        host.answer(last, &json!({ "behavior": "deny", "message": "plan first" }));
        host.turn();
    }
    assert!(!file.exists());
    assert_eq!(mode(&mut host), "plan");
}

#[test]
fn a_plan_that_is_approved_is_saved_and_carried_out() {
    let (place, mut host) = planning();
    let request = planned(&mut host);
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": request["request"]["input"] }));
    let write = host.request();
    assert_eq!(write["request"]["tool_name"], "Write");
    host.answer(&write, &json!({ "behavior": "allow", "updatedInput": { "file_path": place.project().join("made"), "content": "x" } }));
    assert_eq!(host.turn().last().unwrap()["result"], "done");
    assert!(place.project().join("made").exists());
    assert_eq!(mode(&mut host), "default");
    let plans: Vec<_> = std::fs::read_dir(place.home().join(".claude/plans")).unwrap().flatten().collect();
    assert_eq!(plans.len(), 1);
    assert_eq!(std::fs::read_to_string(plans[0].path()).unwrap(), "# Plan\n\n1. Write a file\n");
}

#[test]
fn a_plan_that_is_turned_down_is_worked_on() {
    let (place, mut host) = planning();
    let request = planned(&mut host);
    host.answer(&request, &json!({ "behavior": "deny", "message": "think again" }));
    let frames = host.until(|frame| ["result", "control_request"].contains(&frame["type"].as_str().unwrap()));
    assert_eq!(tool_results(&frames)[0]["content"], "think again");
    let last = frames.last().unwrap();
    if last["type"] == "control_request" {
        host.answer(last, &json!({ "behavior": "deny", "message": "no" }));
        host.turn();
    }
    assert_eq!(mode(&mut host), "plan");
    assert!(!place.home().join(".claude/plans").exists());
}

#[test]
fn a_plan_can_be_agreed_to_together_with_edits() {
    let (place, mut host) = planning();
    let plan = json!({ "plan": "Write" });
    let file = json!({ "file_path": place.project().join("made"), "content": "x" });
    host.say(&format!("@tool ExitPlanMode {plan}\n@tool Write {file}\n@say done"));
    let request = host.request();
    let update = json!({ "type": "setMode", "mode": "acceptEdits", "destination": "session" });
    host.answer(
        &request,
        &json!({ "behavior": "allow", "updatedInput": plan, "updatedPermissions": [update] }),
    );
    let frames = host.turn();
    assert!(!kinds(&frames).contains(&"control_request/can_use_tool".to_owned()), "{:?}", kinds(&frames));
    assert!(place.project().join("made").exists());
    assert_eq!(mode(&mut host), "acceptEdits");
}

#[test]
fn planning_returns_to_the_mode_before() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio", "--permission-mode", "acceptEdits"]);
    host.say("@tool EnterPlanMode {}\n@say planning");
    loop {
        let frame = host.next().unwrap();
        match frame["type"].as_str().unwrap() {
            "control_request" => host.answer(&frame, &json!({ "behavior": "allow", "updatedInput": {} })),
            "result" => break,
            _ => (),
        }
    }
    assert_eq!(mode(&mut host), "plan");
    host.say("@tool ExitPlanMode {\"plan\":\"p\"}\n@say done");
    let request = host.request();
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": { "plan": "p" } }));
    host.turn();
    assert_eq!(mode(&mut host), "acceptEdits");
}
