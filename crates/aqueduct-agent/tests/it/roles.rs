//! `--agent`: what kind of agent the session itself is.

use serde_json::json;

use crate::host::{Host, Place, find};

const SCRIPT: &str = "when system contains \"You review.\"\n@say reviewer\n\notherwise\n@say default\n";

fn start(place: &Place, arguments: &[&str]) -> Host {
    place.start_with_script(SCRIPT, arguments)
}

#[test]
fn the_session_has_its_prompt_tools_and_model() {
    let place = Place::new();
    place.write(
        ".claude/agents/reviewer.md",
        "---\nname: reviewer\ndescription: d\ntools: Read, Grep\nmodel: haiku\n---\nYou review.\n",
    );
    let mut host = start(&place, &["--agent", "reviewer"]);
    host.say("hello");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "reviewer");
    assert_eq!(frames[0]["tools"], json!(["Read", "Grep"]));
    assert!(frames[0]["model"].as_str().unwrap().contains("haiku"));
    // Settings name one, too; the host's own instructions and model count for more.
    place.write(".claude/settings.json", r#"{"agent":"reviewer"}"#);
    let mut host = start(&place, &["--model", "opus"]);
    host.say("hello");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "reviewer");
    assert!(frames[0]["model"].as_str().unwrap().contains("opus"));
    let mut host = start(&place, &["--system-prompt", "Own."]);
    host.say("hello");
    assert_eq!(find(&host.turn(), "result")["result"], "default");
}

#[test]
fn it_may_come_from_the_host_and_is_missed_once() {
    let place = Place::new();
    let mut host = start(&place, &["--agent", "hosted"]);
    let agents = json!({ "hosted": { "description": "d", "prompt": "You review." } });
    host.ask(&json!({ "subtype": "initialize", "agents": agents }));
    host.say("hello");
    assert_eq!(find(&host.turn(), "result")["result"], "reviewer");

    let mut host = start(&place, &["--agent", "missing"]);
    for is_first in [true, false] {
        host.say("hello");
        let frames = host.turn();
        let reported = frames.iter().any(|frame| frame.to_string().contains("there is no agent"));
        assert_eq!(reported, is_first);
    }
}

#[test]
fn without_a_host_there_must_be_such_an_agent() {
    let place = Place::new();
    let output = place.command(&["-p", "@say hi", "--agent", "missing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "Error: there is no agent \"missing\". There are: Explore, general-purpose, Plan\n"
    );
}

#[test]
fn its_hooks_hold_for_the_session() {
    let place = Place::new();
    place.write_home(
        ".claude/agents/careful.md",
        "---\nname: careful\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: echo no shell >&2; exit 2\n---\nBe careful.\n",
    );
    let output = place
        .command(&[
            "-p",
            "@tool Bash {\"command\":\"touch made\"}",
            "--agent",
            "careful",
            "--dangerously-skip-permissions",
        ])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("no shell"), "{output:?}");
    assert_eq!(place.read("made"), None);
}
