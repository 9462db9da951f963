//! Answers in a form.

use serde_json::{Value, json};

use crate::host::{Place, find, kinds, tool_results};

const SCHEMA: &str = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}"#;

fn answer(input: &Value) -> String {
    format!("@tool StructuredOutput {input}")
}

#[test]
fn an_answer_in_the_form_ends_the_turn() {
    let place = Place::new();
    let mut host = place.start(&["--json-schema", SCHEMA]);
    host.say(&answer(&json!({ "n": 1 })));
    let frames = host.turn();
    assert!(frames[0]["tools"].as_array().unwrap().contains(&json!("StructuredOutput")));
    assert_eq!(kinds(&frames), ["system/init", "assistant/tool_use", "user/tool_result", "result/success"]);
    let result = find(&frames, "result");
    assert_eq!(result["structured_output"], json!({ "n": 1 }));
    assert_eq!((&result["result"], &result["num_turns"]), (&json!("{\"n\":1}"), &json!(2)));
}

#[test]
fn an_answer_that_does_not_fit_goes_back_with_what_is_wrong() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.ask(
        &json!({ "subtype": "initialize", "jsonSchema": serde_json::from_str::<Value>(SCHEMA).unwrap() }),
    );
    host.say(&format!("{}\n{}", answer(&json!({ "n": "x", "z": 1 })), answer(&json!({ "n": 2 }))));
    let frames = host.turn();
    let faults = tool_results(&frames)[0]["content"].as_str().unwrap().to_owned();
    assert!(faults.contains("/n: must be integer") && faults.contains("'z' is not allowed"), "{faults}");
    assert_eq!(find(&frames, "result")["structured_output"], json!({ "n": 2 }));
}

#[test]
fn the_model_is_asked_once_for_an_answer_in_the_form() {
    let place = Place::new();
    let mut host = place.start(&["--json-schema", SCHEMA]);
    host.say(&format!("@say plain\n{}", answer(&json!({ "n": 3 }))));
    let frames = host.turn();
    assert!(frames.iter().any(|frame| frame["isSynthetic"] == true));
    assert_eq!(find(&frames, "result")["structured_output"], json!({ "n": 3 }));
    host.say("@say plain\n@say plain again");
    let result = find(&host.turn(), "result").clone();
    assert_eq!((&result["subtype"], &result["result"]), (&json!("success"), &json!("plain again")));
    assert!(result.get("structured_output").is_none());
}

#[test]
fn answers_that_never_fit_end_with_an_error() {
    let place = Place::new();
    let mut host = place.start(&["--json-schema", SCHEMA]);
    host.say(&[answer(&json!({})).as_str(); 9].join("\n"));
    let frames = host.turn();
    let result = find(&frames, "result");
    assert_eq!(result["subtype"], "error_max_structured_output_retries");
    assert_eq!(result["terminal_reason"], "structured_output_retry_exhausted");
    assert_eq!(tool_results(&frames).len(), 5);
    assert!(result["errors"][0].as_str().unwrap().contains("required property 'n'"));
    let (_, status) = host.end();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn a_schema_that_makes_no_sense_is_refused() {
    let place = Place::new();
    for (schema, wrong) in [
        ("{oops", "is not valid JSON"),
        (r#"{"type":"string"}"#, "of type object"),
        (r#"{"properties":{"a":{"type":"x"}}}"#, "/properties/a: type must be"),
    ] {
        let output = place.command(&["-p", "@say hi", "--json-schema", schema]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.starts_with("Error: --json-schema") && stderr.contains(wrong), "{stderr}");
    }
    let mut host = place.start(&[]);
    let answer = host.ask(&json!({ "subtype": "initialize", "jsonSchema": { "type": "array" } }));
    assert_eq!(answer["subtype"], "error");
}
