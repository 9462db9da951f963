//! Every kind of result, and what it comes to.

use aqueduct_client::{Outcome, Session};
use serde_json::{Value, json};

use crate::peer::Peer;

/// The outcome of a turn that ends with this result.
async fn outcome(result: Value) -> Outcome {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let agent = async {
        peer.prompted().await;
        let mut frame = json!({"type": "result"});
        frame.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
        peer.say(frame).await;
    };
    tokio::join!(session.turn("hello"), agent).0.unwrap()
}

fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done(_) => "done",
        Outcome::Interrupted(_) => "interrupted",
        Outcome::Refused(_) => "refused",
        Outcome::Limited(_) => "limited",
        Outcome::ApiError(_) => "api error",
        Outcome::Failed(_) => "failed",
        _ => "something else",
    }
}

#[tokio::test]
async fn of_every_kind() {
    let table = [
        ("done", json!({"subtype": "success", "is_error": false, "terminal_reason": "completed"})),
        ("done", json!({"subtype": "success", "num_turns": 0, "local_command": "cost"})),
        ("done", json!({"subtype": "success", "terminal_reason": "stop_hook_prevented"})),
        ("done", json!({"subtype": "something_new", "is_error": false})),
        // The form of 2.1.325.
        (
            "interrupted",
            json!({"subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming"}),
        ),
        (
            "interrupted",
            json!({"subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_tools"}),
        ),
        // The form of our agent, 2.1.74 and 2.1.325.
        ("refused", json!({"subtype": "success", "is_error": false, "stop_reason": "refusal"})),
        ("refused", json!({"subtype": "success", "is_error": true, "stop_reason": "refusal"})),
        (
            "refused",
            json!({"subtype": "success", "is_error": true, "stop_reason": "refusal", "terminal_reason": "api_error"}),
        ),
        ("limited", json!({"subtype": "error_max_turns", "is_error": true})),
        ("limited", json!({"subtype": "error_max_turns", "is_error": false, "terminal_reason": "max_turns"})),
        ("limited", json!({"subtype": "error_max_budget_usd", "is_error": true})),
        ("limited", json!({"subtype": "error_max_structured_output_retries"})),
        ("api error", json!({"subtype": "success", "is_error": true, "result": "API Error: 400"})),
        ("api error", json!({"subtype": "success", "terminal_reason": "api_error"})),
        ("api error", json!({"subtype": "error_during_execution", "terminal_reason": "prompt_too_long"})),
        ("failed", json!({"subtype": "error_during_execution", "is_error": true})),
        ("failed", json!({"subtype": "error", "error": "out of luck"})),
        ("failed", json!({"subtype": "something_new", "is_error": true})),
        ("failed", json!({"subtype": "something_new"})),
    ];
    for (expected, result) in table {
        let outcome = outcome(result.clone()).await;
        assert_eq!(kind(&outcome), expected, "{result}");
        assert_eq!(outcome.is_error(), !matches!(expected, "done" | "interrupted"), "{result}");
    }
}

#[tokio::test]
async fn for_people() {
    let limited =
        outcome(json!({"subtype": "error_max_turns", "errors": ["Reached the maximum of 3 turns"]})).await;
    assert_eq!(limited.to_string(), "a limit was reached: Reached the maximum of 3 turns");
    let api =
        outcome(json!({"subtype": "success", "is_error": true, "result": "\nAPI Error: 400\nmore"})).await;
    assert_eq!(api.to_string(), "the model's API failed: API Error: 400");
    let failed = outcome(json!({"subtype": "error_during_execution"})).await;
    assert_eq!(failed.to_string(), "the run failed: error_during_execution");
}

#[tokio::test]
async fn reports() {
    let outcome = outcome(json!({
        "subtype": "success", "is_error": false, "result": "42", "session_id": "5e55", "num_turns": 2,
        "total_cost_usd": 0.25, "structured_output": {"n": 42}, "new": 1e2,
    }))
    .await;
    let report = outcome.report().unwrap();
    assert_eq!((report.text(), report.session_id(), report.turns()), ("42", Some("5e55"), Some(2)));
    assert_eq!(report.total_cost_usd(), Some(0.25));
    assert_eq!(report.structured_output().unwrap().as_str(), r#"{"n":42}"#);
    assert_eq!(report.errors(), Vec::<&str>::new());
}
