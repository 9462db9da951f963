//! `--agent`: what kind of agent the session itself is.

use serde_json::json;

use crate::host::{Host, Place, find};

const STREAM: &[&str] = &["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];

fn start(place: &Place, arguments: &[&str]) -> Host {
    place.write("script", "when system contains \"You review.\"\n@say reviewer\n\notherwise\n@say nobody\n");
    let mut command = place.command(&[STREAM, arguments].concat());
    command.env("AQUEDUCT_SCRIPT", "script");
    Host::start(command)
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
    assert_eq!(find(&host.turn(), "result")["result"], "nobody");
}

#[test]
fn it_may_come_from_the_host_and_is_missed_once() {
    let place = Place::new();
    let mut host = start(&place, &["--agent", "hosted"]);
    let agents = json!({ "hosted": { "description": "d", "prompt": "You review." } });
    host.ask(&json!({ "subtype": "initialize", "agents": agents }));
    host.say("hello");
    assert_eq!(find(&host.turn(), "result")["result"], "reviewer");

    let mut host = start(&place, &["--agent", "nobody"]);
    for is_first in [true, false] {
        host.say("hello");
        let frames = host.turn();
        let told = frames.iter().any(|frame| frame.to_string().contains("there is no agent"));
        assert_eq!(told, is_first);
    }
}
