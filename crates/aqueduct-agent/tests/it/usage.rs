//! The usage in transcripts matches the actual usage.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::host::{Host, Place, lines};

const ID: &str = "2d9c4f6e-8a13-4b7d-9c50-1e7f3a6b8d21";

const COUNTS: [&str; 4] =
    ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

fn start(place: &Place, script: &str) -> Host {
    let flags = ["--session-id", ID, "--dangerously-skip-permissions", "--include-partial-messages"];
    place.start_with_script(script, &flags)
}

/// All transcripts of a home, those of subagents too.
fn transcripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(transcripts(&path)),
            false if path.extension().is_some_and(|ending| ending == "jsonl") => found.push(path),
            false => (),
        }
    }
    found
}

/// The lines of answers by the id of their message.
fn answers(place: &Place) -> HashMap<String, Vec<Value>> {
    let mut answers: HashMap<String, Vec<Value>> = HashMap::new();
    for path in transcripts(&place.home().join(".claude/projects")) {
        for line in lines(&path).into_iter().filter(|line| line["type"] == "assistant") {
            let id = line["message"]["id"].as_str().expect("an id").to_owned();
            answers.entry(id).or_default().push(line["message"].clone());
        }
    }
    answers
}

/// The sum over the messages of all transcripts.
fn written(place: &Place) -> BTreeMap<&'static str, u64> {
    let answers = answers(place);
    let sum = |name| answers.values().filter_map(|lines| lines[0]["usage"][name].as_u64()).sum();
    COUNTS.map(|name| (name, sum(name))).into()
}

/// The usage of all models together in the newest result.
fn reported(result: &Value) -> BTreeMap<&'static str, u64> {
    let names = ["inputTokens", "outputTokens", "cacheCreationInputTokens", "cacheReadInputTokens"];
    let models = result["modelUsage"].as_object().expect("models");
    let sum = |name| models.values().filter_map(|model| model[name].as_u64()).sum();
    COUNTS.into_iter().zip(names.map(sum)).collect()
}

fn turn(host: &mut Host, prompt: &str) -> Value {
    host.say(prompt);
    host.turn().pop().expect("a result")
}

#[test]
fn the_sum_over_the_transcripts_is_the_sum_over_the_results() {
    let place = Place::new();
    let mut host = start(&place, "");
    let task = json!({ "description": "look", "run_in_background": false,
        "prompt": "@tool Bash {\"command\":\"echo inner\"}\n@say the report" });
    let prompts = [
        "@say one".to_owned(),
        "@think hm | two".to_owned(),
        "@saytool both | Bash {\"command\":\"echo 1\"}\n@say three".to_owned(),
        "@tools [[\"Bash\",{\"command\":\"echo a\"}],[\"Bash\",{\"command\":\"echo b\"}]]\n@say four"
            .to_owned(),
        format!("@tool Agent {task}\n@say five"),
    ];
    for prompt in prompts {
        let result = turn(&mut host, &prompt);
        assert_eq!(written(&place), reported(&result), "{prompt}");
    }
    for (id, lines) in answers(&place) {
        assert!(lines.iter().all(|line| line["stop_reason"].is_string()), "{id}: {lines:?}");
        assert!(lines.iter().all(|line| line["usage"] == lines[0]["usage"]), "{id}: {lines:?}");
    }
}

#[test]
fn an_answer_that_was_interrupted_counts_as_far_as_it_is_known() {
    let place = Place::new();
    let mut host = start(&place, "");
    let before = turn(&mut host, "@say one");
    host.say("@slow 1000 0.05");
    host.until(|frame| frame["event"]["type"] == "content_block_delta");
    host.ask(&json!({ "subtype": "interrupt" }));
    let result = host.turn().pop().expect("a result");
    assert_eq!(reported(&result), reported(&before), "nothing is known of it");
    let open: Vec<Value> =
        answers(&place).into_values().flatten().filter(|line| line["stop_reason"].is_null()).collect();
    assert_eq!(open.len(), 1, "it has no end");
    assert_eq!(open[0]["usage"]["output_tokens"], 1);
}

#[test]
fn a_kill_at_any_time_leaves_no_ended_message_without_its_end() {
    let prompt = "@think hm hm | first\n";
    let script = "@saytool a | Bash {\"command\":\"echo 1\"}\n@think hm | done";
    let whole = {
        let place = Place::new();
        let mut host = start(&place, "");
        host.say(&format!("{prompt}{script}"));
        host.turn().len()
    };
    for time in 0..whole {
        let place = Place::new();
        let mut host = start(&place, "");
        host.say(&format!("{prompt}{script}"));
        let frames: Vec<Value> = (0..time).map_while(|_| host.next()).collect();
        host.kill();
        if !place.transcript(ID).exists() {
            continue;
        }
        let ended: HashSet<&str> = frames
            .iter()
            .filter(|frame| frame["event"]["type"] == "message_delta")
            .filter_map(|frame| frame["api_message_id"].as_str())
            .collect();
        let answers = answers(&place);
        for id in &ended {
            let lines = answers.get(*id).unwrap_or_else(|| panic!("{time}: {id} is not there"));
            for line in lines {
                assert!(line["stop_reason"].is_string(), "{time}: {line}");
                assert_ne!(line["usage"]["output_tokens"], 1, "{time}: {line}");
            }
        }
        let uuids: Vec<Value> =
            lines(&place.transcript(ID)).iter().map(|line| line["uuid"].clone()).collect();
        for frame in frames.iter().filter(|frame| frame["type"] == "assistant") {
            assert!(uuids.contains(&frame["uuid"]), "{time}: {frame}");
        }
    }
}

#[test]
fn frames_keep_the_usage_of_the_beginning() {
    let place = Place::new();
    let mut host = start(&place, "");
    host.say("@say one");
    let frames = host.turn();
    let frame = frames.iter().find(|frame| frame["type"] == "assistant").expect("an answer");
    assert_eq!(
        (&frame["message"]["stop_reason"], &frame["message"]["usage"]["output_tokens"]),
        (&Value::Null, &json!(1))
    );
}
