//! Plugins: what folders bring that the command line names.

use serde_json::{Value, json};

use crate::host::{Place, find};

fn kit(place: &Place) {
    place.write("kit/.claude-plugin/plugin.json", r#"{"name":"kit","version":"1.2.0"}"#);
    place.write(
        "kit/commands/hi.md",
        "---\ndescription: Says hi\n---\n@say hi $ARGUMENTS from ${CLAUDE_PLUGIN_ROOT}\n",
    );
    place.write("kit/skills/greet/SKILL.md", "---\nname: greet\ndescription: Greets\n---\n@say greeted\n");
    place.write("kit/agents/helper.md", "---\nname: helper\ndescription: Helps\n---\nYou help.\n");
    let hook = json!({ "type": "command", "command": "echo heard > \"$CLAUDE_PLUGIN_ROOT/log\"" });
    let hooks = json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [hook] }], "Nonsense": [] } });
    place.write("kit/hooks/hooks.json", &hooks.to_string());
}

#[test]
fn what_a_plugin_brings_is_there_under_its_name() {
    let place = Place::new();
    kit(&place);
    let mut host = place.start(&["--plugin-dir", "kit", "--dangerously-skip-permissions"]);
    let said = |frames: &[Value]| find(frames, "result")["result"].as_str().unwrap().to_owned();
    host.say("/kit:hi Ada");
    let frames = host.turn();
    assert_eq!(said(&frames), format!("hi Ada from {}", place.project().join("kit").display()));
    let init = &frames[0];
    assert_eq!(
        (&init["plugins"][0]["name"], &init["plugins"][0]["version"]),
        (&json!("kit"), &json!("1.2.0"))
    );
    assert!(init["agents"].as_array().unwrap().contains(&json!("kit:helper")));
    assert!(init["skills"].as_array().unwrap().contains(&json!("kit:greet")));
    host.say("/kit:greet");
    assert_eq!(said(&host.turn()), "greeted");
    let call = json!({ "description": "d", "prompt": "@say x", "subagent_type": "kit:helper", "run_in_background": false });
    host.say(&format!("@tool Agent {call}"));
    assert!(host.turn().iter().any(|frame| frame["tool_use_result"]["agentType"] == "kit:helper"));
    assert_eq!(place.read("kit/log").unwrap().trim(), "heard");
}

#[test]
fn one_that_is_not_there_is_named_and_the_rest_works() {
    let place = Place::new();
    kit(&place);
    place.write("odd/.claude-plugin/plugin.json", "{oops");
    let mut host = place.start(&["--plugin-dir", "kit", "--plugin-dir", "nowhere", "--plugin-dir", "odd"]);
    host.say("@say fine");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "fine");
    let kinds: Vec<&Value> =
        frames[0]["plugin_errors"].as_array().unwrap().iter().map(|error| &error["type"]).collect();
    assert_eq!(kinds, ["path-not-found", "manifest-invalid"]);
    let output =
        place.command(&["-p", "@say hi", "--plugin-dir", "kit", "--plugin-dir", "nowhere"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("/nowhere: there is no such folder"), "{stderr}");
    assert!(stderr.contains("/kit/hooks/hooks.json:1: hooks.Nonsense is no event"), "{stderr}");
}
