//! Suggestions for the next prompt.

use serde_json::{Value, json};

use crate::host::{Host, Place, find};

const SCRIPT: &str = "when prompt like \"hello *\"\n@say hi\n\notherwise\n@say run the tests\n";

fn start(place: &Place, arguments: &[&str]) -> Host {
    place.start_with_script(SCRIPT, arguments)
}

/// Two turns, and all that was sent from the second result to the end.
fn after_two(mut host: Host) -> Vec<Value> {
    for prompt in ["hello one", "hello two"] {
        host.say(prompt);
        assert_eq!(find(&host.turn(), "result")["result"], "hi");
    }
    host.end().0
}

#[test]
fn a_guess_follows_the_second_result() {
    let place = Place::new();
    let frames = after_two(start(&place, &["--prompt-suggestions"]));
    assert_eq!(find(&frames, "prompt_suggestion")["suggestion"], "run the tests");

    let mut host = start(&place, &[]);
    host.ask(&json!({ "subtype": "initialize", "promptSuggestions": true }));
    assert_eq!(find(&after_two(host), "prompt_suggestion")["suggestion"], "run the tests");
}

#[test]
fn no_suggestion_is_sent_unless_requested() {
    let place = Place::new();
    for arguments in [
        &[][..],
        &["--prompt-suggestions", "--settings", r#"{"promptSuggestionEnabled":false}"#],
        &["--prompt-suggestions", "--permission-mode", "plan"],
    ] {
        let frames = after_two(start(&place, arguments));
        assert!(frames.iter().all(|frame| frame["type"] != "prompt_suggestion"), "{arguments:?}");
    }
}

#[test]
fn what_it_costs_counts_and_it_is_not_part_of_the_conversation() {
    let place = Place::new();
    let mut host = start(&place, &["--prompt-suggestions"]);
    for prompt in ["hello one", "hello two"] {
        host.say(prompt);
        host.turn();
    }
    while host.next().unwrap()["type"] != "prompt_suggestion" {}
    host.say("hello three");
    let frames = host.turn();
    let result = find(&frames, "result");
    let used = result["modelUsage"].as_object().unwrap().values().next().unwrap();
    assert_eq!(used["outputTokens"], 4 * 12);
    let session = result["session_id"].as_str().unwrap();
    let kept = std::fs::read_to_string(place.transcript(session)).unwrap();
    assert!(!kept.contains("run the tests"), "{kept}");
}
