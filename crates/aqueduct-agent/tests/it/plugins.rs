//! Plugins: what folders bring that the command line names.

use serde_json::{Value, json};

use crate::host::{Place, find, tool_results};
use crate::mcp_server::entry;

fn kit(place: &Place) {
    place.write("kit/.claude-plugin/plugin.json", r#"{"name":"kit","version":"1.2.0"}"#);
    place.write(
        "kit/commands/hi.md",
        "---\ndescription: Greets\n---\n@say hi $ARGUMENTS from ${CLAUDE_PLUGIN_ROOT}\n",
    );
    place.write("kit/skills/greet/SKILL.md", "---\nname: greet\ndescription: Greets\n---\n@say greeted\n");
    place.write("kit/agents/helper.md", "---\nname: helper\ndescription: Helps\n---\nYou help.\n");
    let hook = json!({ "type": "command", "command": "echo received > \"$CLAUDE_PLUGIN_ROOT/log\"" });
    let hooks = json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [hook] }], "Nonsense": [] } });
    place.write("kit/hooks/hooks.json", &hooks.to_string());
}

#[test]
fn what_a_plugin_brings_is_there_under_its_name() {
    let place = Place::new();
    kit(&place);
    let mut host = place.start(&["--plugin-dir", "kit", "--dangerously-skip-permissions"]);
    let result = |frames: &[Value]| find(frames, "result")["result"].as_str().unwrap().to_owned();
    host.say("/kit:hi Ada");
    let frames = host.turn();
    assert_eq!(result(&frames), format!("hi Ada from {}", place.project().join("kit").display()));
    let init = &frames[0];
    assert_eq!(
        (&init["plugins"][0]["name"], &init["plugins"][0]["version"]),
        (&json!("kit"), &json!("1.2.0"))
    );
    assert!(init["agents"].as_array().unwrap().contains(&json!("kit:helper")));
    assert!(init["skills"].as_array().unwrap().contains(&json!("kit:greet")));
    host.say("/kit:greet");
    assert_eq!(result(&host.turn()), "greeted");
    let call = json!({ "description": "d", "prompt": "@say x", "subagent_type": "kit:helper", "run_in_background": false });
    host.say(&format!("@tool Agent {call}"));
    assert!(host.turn().iter().any(|frame| frame["tool_use_result"]["agentType"] == "kit:helper"));
    assert_eq!(place.read("kit/log").unwrap().trim(), "received");
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
    assert!(stderr.contains("/kit/hooks/hooks.json:1: hooks.Nonsense is not an event"), "{stderr}");
}

#[test]
fn servers_of_plugins_are_connected() {
    let place = Place::new();
    kit(&place);
    let server = entry(&json!({ "greets": true }));
    place.write(
        "kit/.mcp.json",
        &json!({ "plain": server, "odd": { "args": ["${CLAUDE_PLUGIN_ROOT}"] } }).to_string(),
    );
    let manifest = json!({ "name": "more", "mcpServers": { "own": server } });
    place.write("more/.claude-plugin/plugin.json", &manifest.to_string());
    let named = json!({ "name": "third", "mcpServers": "./servers.json" });
    place.write("third/.claude-plugin/plugin.json", &named.to_string());
    place.write("third/servers.json", &json!({ "mcpServers": { "filed": server } }).to_string());

    let folders = ["--plugin-dir", "kit", "--plugin-dir", "more", "--plugin-dir", "third"];
    let mut host = place.start(&[&folders[..], &["--allowed-tools", "mcp__plugin_kit_plain"]].concat());
    host.say("@tool mcp__plugin_kit_plain__echo {\"x\":1}\n@say done");
    let frames = host.turn();
    assert_eq!(tool_results(&frames)[0]["content"][0]["text"], "{\"x\":1}");
    let servers = frames.iter().find(|frame| frame["subtype"] == "init").unwrap()["mcp_servers"].clone();
    let reported = |name: &str, status: &str| json!({ "name": name, "status": status, "source": "plugin" });
    for (name, status) in [
        ("plugin:kit:plain", "connected"),
        ("plugin:kit:odd", "failed"),
        ("plugin:more:own", "connected"),
        ("plugin:third:filed", "connected"),
    ] {
        assert!(servers.as_array().unwrap().contains(&reported(name, status)), "{name} in {servers}");
    }

    let mut host = place.start(&["--plugin-dir-no-mcp", "kit"]);
    host.say("/kit:greet");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "greeted");
    assert_eq!(frames[0]["mcp_servers"], json!([]));
}
