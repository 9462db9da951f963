//! Limits, and models that fail.

use serde_json::{Value, json};

use crate::api::{message, raw_model};
use crate::host::{Host, Place, find, kinds, tool_results};

fn last(frames: &[Value]) -> &Value {
    frames.last().expect("a result")
}

#[test]
fn as_many_turns_as_are_allowed() {
    let place = Place::new();
    let mut host = place.start(&["--max-turns", "2", "--permission-mode", "bypassPermissions"]);
    host.say("@repeat 5\n@tool Bash {\"command\":\"echo x >> count\"}");
    let frames = host.turn();
    let result = last(&frames);
    assert_eq!(
        (&result["subtype"], &result["terminal_reason"]),
        (&json!("error_max_turns"), &json!("max_turns"))
    );
    assert_eq!(result["is_error"], true);
    assert_eq!(tool_results(&frames).len(), 2);
    assert!(result["errors"][0].as_str().unwrap().contains('2'), "{result}");
    host.say("@say again");
    assert_eq!(last(&host.turn())["result"], "again");
    assert!(host.end().1.success());
}

#[test]
fn no_more_money_than_is_allowed() {
    let place = Place::new();
    let mut host = place.start(&["--max-budget-usd", "0.000001", "--model", "claude-sonnet-4-5"]);
    host.say("@usage {\"output_tokens\":100000}\n@tool Bash {\"command\":\"touch made\"}\n@say never");
    let frames = host.turn();
    let result = last(&frames);
    assert_eq!(result["subtype"], "error_max_budget_usd");
    assert!(result["total_cost_usd"].as_f64().unwrap() > 0.000_001, "{result}");
    // The call started with its block: it has a result, but the result is not sent to the model.
    assert_eq!(tool_results(&frames).len(), 1);
    let (_, status) = host.end();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn a_model_that_is_busy_is_asked_again() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@retry-after 0.01\n@fail 500 2 at last");
    let frames = host.turn();
    let kinds = kinds(&frames);
    assert_eq!(
        kinds,
        ["system/init", "system/api_retry", "system/api_retry", "assistant/text", "result/success"]
    );
    let retry = frames.iter().find(|frame| frame["subtype"] == "api_retry").unwrap();
    assert_eq!(
        (&retry["attempt"], &retry["error_status"], &retry["error"]),
        (&json!(1), &json!(500), &json!("server_error"))
    );
    assert!(retry["max_retries"].as_u64().unwrap() >= 2);
    assert_eq!(last(&frames)["result"], "at last");
}

#[test]
fn the_fallback_model_continues_when_the_model_is_overloaded() {
    let place = Place::new();
    let mut host = place.start(&["--model", "claude-opus-4-1", "--fallback-model", "claude-sonnet-4-5"]);
    host.say("@retry-after 0.01\n@fail 529 5 served");
    let frames = host.turn();
    assert_eq!(last(&frames)["result"], "served");
    assert_eq!(find(&frames, "assistant")["message"]["model"], "claude-sonnet-4-5");
    let switch = frames.iter().find(|frame| frame["subtype"] == "model_fallback").unwrap();
    assert_eq!(switch["trigger"], "overloaded");
    assert_eq!(
        (&switch["original_model"], &switch["fallback_model"]),
        (&json!("claude-opus-4-1"), &json!("claude-sonnet-4-5"))
    );
    host.say("@say on");
    assert!(host.turn()[0]["model"].as_str().unwrap().contains("opus"), "the next turn asks the model again");
}

#[test]
fn a_stream_that_breaks_before_its_content_is_begun_again() {
    let place = Place::new();
    for broken in ["@error 0 overloaded_error 1", "@drop 0 1", "@error 0 api_error 1"] {
        let mut host = place.start(&["--include-partial-messages"]);
        host.say(&format!("@retry-after 0.01\n{broken}\n@say whole at the end"));
        let frames = host.turn();
        assert_eq!(last(&frames)["is_error"], false, "{broken}: {frames:#?}");
        assert_eq!(last(&frames)["result"], "whole at the end", "{broken}");
        let starts = kinds(&frames).iter().filter(|kind| *kind == "stream_event/message_start").count();
        assert_eq!(starts, 2, "{broken}: {:?}", kinds(&frames));
        let abandoned =
            frames.iter().filter(|frame| frame["abandoned_blocks"]["from_block_index"] == 0).count();
        assert_eq!(abandoned, 1, "{broken}: {:?}", kinds(&frames));
    }
}

#[test]
fn a_stream_that_breaks_in_a_block_is_begun_again() {
    let place = Place::new();
    let mut host = place.start(&[]);
    for broken in ["@error 2 overloaded_error 1", "@drop 2 1"] {
        host.say(&format!("{broken}\n@say whole at the end"));
        let frames = host.turn();
        assert_eq!(last(&frames)["result"], "whole at the end", "{broken}");
        assert_eq!(frames.iter().filter(|frame| frame["type"] == "assistant").count(), 1, "{broken}");
    }
}

#[test]
fn a_stream_that_breaks_for_good_is_reported_and_the_next_prompt_is_served() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@error 1 invalid_request_error 1\n@say this was never whole");
    let frames = host.turn();
    let result = last(&frames);
    assert_eq!((&result["subtype"], &result["is_error"]), (&json!("success"), &json!(true)));
    assert!(result["result"].as_str().unwrap().starts_with("API Error: "), "{result}");
    assert!(result["total_cost_usd"].as_f64().unwrap() >= 0.0, "{result}");
    host.say("@say served");
    assert_eq!(last(&host.turn())["result"], "served");
}

#[test]
fn a_request_that_is_wrong_is_reported_in_the_models_place() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@fail 400 1 never");
    let frames = host.turn();
    let result = last(&frames);
    assert_eq!((&result["subtype"], &result["is_error"]), (&json!("success"), &json!(true)));
    assert_eq!(result["terminal_reason"], "api_error");
    let reported = find(&frames, "assistant");
    assert_eq!(reported["message"]["model"], "<synthetic>");
    assert_eq!(reported["message"]["content"][0]["text"], result["result"]);
    assert!(result["result"].as_str().unwrap().starts_with("API Error: 400"), "{result}");
    let (_, status) = host.end();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn stop_reasons_are_reported() {
    let place = Place::new();
    let mut host = place.start(&[]);
    for reason in ["stop_sequence", "end_turn", "pause_turn"] {
        host.say(&format!("@stop {reason}\n@say so far"));
        let frames = host.turn();
        let result = last(&frames);
        assert_eq!(result["stop_reason"], reason);
        assert_eq!(result["subtype"], "success", "{reason}");
    }
}

#[test]
fn a_conversation_that_is_too_long_is_reported() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@repeat 9\n@toolong 300000 200000");
    let frames = host.turn();
    let result = last(&frames);
    assert_eq!((&result["is_error"], &result["terminal_reason"]), (&json!(true), &json!("prompt_too_long")));
    assert_eq!(host.ask(&json!({ "subtype": "interrupt" }))["subtype"], "success");
}

/// The most memory that a process ever had, in KiB.
fn peak(host: &Host) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", host.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_long_answer_does_not_grow_the_agent() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@flood 1000 100");
    host.turn();
    let before = peak(&host);
    host.say("@flood 1600000 16");
    let mut deltas = 0;
    loop {
        let frame = host.next().unwrap();
        deltas += u64::from(frame["event"]["type"] == "content_block_delta");
        if frame["type"] == "result" {
            break;
        }
    }
    assert!(deltas >= 100_000, "{deltas}");
    // The text itself is kept: 1.6 MB, in a handful of copies while it is sent and stored.
    let grown = peak(&host) - before;
    assert!(grown < 32 * 1024, "{grown} KiB");
}

#[test]
fn an_input_that_is_not_json_is_reported_and_the_turn_continues() {
    let place = Place::new();
    let call = json!({ "type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {} });
    let delta = |json: &str| json!({ "type": "input_json_delta", "partial_json": json });
    let text = json!({ "type": "text", "text": "" });
    for broken in ["{\"command\": \"touch made", "[1, 2]", "7", "{\"command\": \"touch made\"}}"] {
        let bodies = vec![
            message(&call, &[delta(broken)], "tool_use"),
            message(&text, &[json!({ "type": "text_delta", "text": "resumed" })], "end_turn"),
        ];
        let (address, serving) = raw_model(bodies);
        let mut command = place.command(&[
            "--input-format=stream-json",
            "--output-format=stream-json",
            "--verbose",
            "--permission-mode=bypassPermissions",
        ]);
        command.env("ANTHROPIC_BASE_URL", address).env("ANTHROPIC_API_KEY", "none");
        let mut host = Host::start(command);
        host.say("go");
        let frames = host.turn();
        let results = tool_results(&frames);
        assert_eq!(results[0]["is_error"], true, "{broken}: {results:?}");
        assert_eq!(last(&frames)["result"], "resumed", "{broken}");
        assert!(!place.project().join("made").exists());
        serving.join().unwrap();
    }
}
