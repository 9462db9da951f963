//! What hosts learn of models, and what they set about them.

use serde_json::{Value, json};

use crate::api::{message, raw_model};
use crate::host::{Host, Place, STREAM};

fn start(place: &Place, address: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Host {
    let mut command = place.command(&[STREAM, arguments].concat());
    command.env("ANTHROPIC_BASE_URL", address).env("ANTHROPIC_API_KEY", "none");
    command.envs(variables.iter().copied());
    Host::start(command)
}

fn apply(host: &mut Host, settings: Value) {
    let answer = host.ask(&json!({ "subtype": "apply_flag_settings", "settings": settings }));
    assert_eq!(answer["subtype"], "success", "{answer}");
}

fn applied(host: &mut Host) -> Value {
    host.ask(&json!({ "subtype": "get_settings" }))["response"]["applied"].clone()
}

#[test]
fn pickers_learn_what_each_model_supports() {
    let place = Place::new();
    let mut host = start(&place, "http://127.0.0.1:9", &[], &[("ANTHROPIC_MODEL", "my-local")]);
    let models = host.ask(&json!({ "subtype": "initialize" }))["response"]["models"].clone();
    let model =
        |value: &str| models.as_array().unwrap().iter().find(|model| model["value"] == value).cloned();
    let levels = json!(["low", "medium", "high", "xhigh", "max"]);
    let opus = model("opus").unwrap();
    assert_eq!(opus["supportsEffort"], true);
    assert_eq!(opus["supportedEffortLevels"], levels);
    assert_eq!(opus["supportsFastMode"], true);
    assert_eq!(opus["supportsAdaptiveThinking"], true);
    assert_eq!(opus["supportsThinkingOff"], false);
    assert!(model("sonnet").unwrap()["supportsFastMode"].is_null());
    let own = model("my-local").unwrap();
    assert_eq!((&own["displayName"], &own["supportedEffortLevels"]), (&json!("my-local"), &levels));
    assert_eq!(own["supportsThinkingOff"], true);
    assert!(own["supportsFastMode"].is_null());
    host.end();
}

#[test]
fn a_host_sets_effort_while_the_session_runs() {
    let place = Place::new();
    let mut host = start(&place, "http://127.0.0.1:9", &["--effort", "high", "--model", "opus"], &[]);
    assert_eq!(applied(&mut host)["effort"], "high");
    for (level, then, setting) in [
        (json!("low"), json!("low"), json!("low")),
        (json!("bogus"), json!("low"), Value::Null),
        (Value::Null, json!("medium"), Value::Null),
        (json!("max"), json!("max"), Value::Null),
    ] {
        apply(&mut host, json!({ "effortLevel": level }));
        assert_eq!(applied(&mut host)["effort"], then, "{level}");
        let effective = host.ask(&json!({ "subtype": "get_settings" }))["response"]["effective"].clone();
        assert_eq!(effective["effortLevel"], setting, "{level}");
        assert!(effective.as_object().unwrap().values().all(|value| !value.is_null()), "{effective}");
    }
    apply(&mut host, json!({ "model": "claude-haiku-4-5" }));
    assert_eq!(applied(&mut host)["effort"], Value::Null);
    host.end();
}

#[test]
fn fast_mode_is_asked_for_where_the_model_has_it() {
    let place = Place::new();
    let answer = || message(&json!({ "type": "text", "text": "ok" }), &[], "end_turn");
    let (address, served) = raw_model(vec![answer(), answer(), answer()]);
    let mut host = start(&place, &address, &["--model", "opus"], &[]);
    let state = |host: &mut Host| {
        host.say("hello");
        host.turn().last().unwrap()["fast_mode_state"].clone()
    };
    assert_eq!(state(&mut host), "off");
    apply(&mut host, json!({ "fastMode": true }));
    assert_eq!(state(&mut host), "on");
    apply(&mut host, json!({ "model": "sonnet" }));
    assert_eq!(state(&mut host), "off");
    host.end();
    let speeds: Vec<Value> = served.join().unwrap().iter().map(|body| body["speed"].clone()).collect();
    assert_eq!(speeds, [Value::Null, json!("fast"), Value::Null]);
}

#[test]
fn a_small_window_sends_rare_tools_by_name_only() {
    let place = Place::new();
    let request = |window: Option<&str>| {
        let answer = message(&json!({ "type": "text", "text": "ok" }), &[], "end_turn");
        let (address, served) = raw_model(vec![answer]);
        let variables: Vec<(&str, &str)> =
            window.map(|window| ("CLAUDE_CODE_MAX_CONTEXT_TOKENS", window)).into_iter().collect();
        let mut host = start(&place, &address, &["--model", "my-local"], &variables);
        host.say("hello");
        host.turn();
        host.end();
        served.join().unwrap().remove(0)
    };
    let names = |body: &Value| -> Vec<String> {
        body["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let size = |body: &Value| body["tools"].to_string().len();
    let (large, small) = (request(None), request(Some("16000")));
    assert!(names(&large).contains(&"WebFetch".to_owned()));
    assert!(!names(&large).contains(&"ToolSearch".to_owned()));
    let reported = names(&small);
    for tool in ["Bash", "Read", "Edit", "Write", "Grep", "Glob", "ToolSearch"] {
        assert!(reported.contains(&tool.to_owned()), "{tool} in {reported:?}");
    }
    assert!(!reported.contains(&"WebFetch".to_owned()), "{reported:?}");
    assert!(small["system"].to_string().contains("WebFetch"), "the model knows the name");
    assert!(size(&small) * 3 < size(&large) * 2, "{} of {}", size(&small), size(&large));
}

#[test]
fn a_rare_tool_is_looked_up() {
    let place = Place::new();
    let mut command = place.command(&[STREAM, &["--dangerously-skip-permissions"]].concat());
    command.env("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "16000");
    let mut host = Host::start(command);
    host.say("@tool ToolSearch {\"query\":\"select:NotebookEdit,WebFetch\"}\n@say done");
    let frames = host.turn();
    let found = frames.iter().find(|frame| frame["tool_use_result"].is_object()).unwrap();
    assert_eq!(found["tool_use_result"]["matches"], json!(["NotebookEdit", "WebFetch"]));
    host.end();
}

#[test]
fn a_file_that_the_host_has_read_counts_as_read() {
    let place = Place::new();
    place.write("a.txt", "one");
    let write = format!("@tool Write {}", json!({ "file_path": "a.txt", "content": "two" }));
    // Reading is denied, so that the model may not write over a file that it has not read.
    let mut host = place.start(&["--permission-mode", "acceptEdits", "--disallowedTools", "Read"]);
    let changed = std::fs::metadata(place.project().join("a.txt")).unwrap().modified().unwrap();
    let changed = changed.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    for (mtime, then) in [(None, "one"), (Some(1), "one"), (Some(changed), "two")] {
        if let Some(mtime) = mtime {
            host.ask(&json!({ "subtype": "seed_read_state", "path": "a.txt", "mtime": mtime }));
        }
        host.say(&write);
        host.turn();
        assert_eq!(place.read("a.txt").as_deref(), Some(then), "{mtime:?}");
    }
    host.end();
}

#[test]
fn skills_are_read_again() {
    let place = Place::new();
    let mut host = place.start(&[]);
    place.write(".claude/commands/greet.md", "---\ndescription: Greets\n---\n@say hello\n");
    let skills = host.ask(&json!({ "subtype": "reload_skills" }))["response"]["skills"].clone();
    assert!(skills.as_array().unwrap().iter().any(|skill| skill["name"] == "greet"), "{skills}");
    let answer = host.ask(&json!({ "subtype": "reload_plugins" }))["response"].clone();
    assert_eq!((&answer["plugins"], &answer["error_count"]), (&json!([]), &json!(0)));
    assert!(answer["commands"].as_array().unwrap().iter().any(|command| command["name"] == "greet"));
    host.end();
}

#[test]
fn a_change_of_the_model_between_turns_is_reported() {
    let place = Place::new();
    let mut host = place.start(&[]);
    let change = |host: &mut Host, model: &str| {
        host.send(&json!({
            "type": "control_request", "request_id": model, "request": { "subtype": "set_model", "model": model }
        }));
        let frames = host.until(|frame| frame["type"] == "control_response");
        frames.iter().filter(|frame| frame["isReplay"] == true).cloned().collect::<Vec<_>>()
    };
    assert!(change(&mut host, "haiku").is_empty(), "nothing was answered before");
    host.say("@say one");
    host.turn();
    let reported = change(&mut host, "sonnet");
    assert_eq!(reported.len(), 1, "{reported:?}");
    let text = reported[0]["message"]["content"].as_str().unwrap();
    assert!(text.starts_with("<local-command-stdout>Set model to `sonnet (claude-sonnet-"), "{text}");
    assert!(change(&mut host, "sonnet").is_empty(), "it is the same model");
    host.end();
}
