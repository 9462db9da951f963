//! Mistakes in what people write: named with file and line, and the rest works.

use serde_json::{Value, json};

use crate::host::{Place, find};

/// The notes of a turn, with the folders of a test replaced.
fn notes(place: &Place, frames: &[Value]) -> String {
    let notes = frames.iter().filter(|frame| frame["subtype"] == "informational");
    let notes: Vec<&str> = notes.map(|frame| frame["content"].as_str().unwrap()).collect();
    let (project, home) = (place.project().display().to_string(), place.home().display().to_string());
    notes.join("\n").replace(&project, "/proj").replace(&home, "/home/ada")
}

#[test]
fn the_host_is_told_of_the_mistakes_of_all_files_once() {
    let place = Place::new();
    place.write_home(
        ".claude/settings.json",
        "{\n  \"permissons\": {},\n  \"env\": { \"A\": [] },\n  \"hooks\": { \"Stopp\": [] }\n}",
    );
    place.write_home(".claude.json", "{\n  \"projects\": ,\n}");
    place.write(".mcp.json", "{\n  \"mcpServers\": {\n    \"x\": {\n      \"type\": \"sdk\" }\n  }\n}");
    place.write(".claude/commands/odd.md", "---\nalowed-tools: Bash\n---\n@say odd\n");
    place.write(
        ".claude/agents/odd.md",
        "---\nname: odd\ndescription: Odd\ntools:\n  - Read\n  - Raed\n---\nx\n",
    );
    let mut host = place.start(&[]);
    host.say("/odd");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "odd");
    assert_eq!(frames[0]["subtype"], "init");
    insta::assert_snapshot!(notes(&place, &frames), @r#"
    /home/ada/.claude/settings.json:4: hooks.Stopp is no event; its hooks never run
    /home/ada/.claude/settings.json:2: permissons is not known here and is ignored; do you mean permissions?
    /home/ada/.claude/settings.json:3: env.A must be a text; it is ignored
    /home/ada/.claude.json:2: is no JSON: expected value at line 2 column 15; nothing of it counts, neither trust nor MCP servers
    /proj/.mcp.json:4: the MCP server "x": `type` "sdk" is for the host's own servers, not for files
    /proj/.claude/commands/odd.md:2: alowed-tools is not known here and is ignored
    /proj/.claude/agents/odd.md:6: tools: there is no tool "Raed" here
    "#);
    host.say("/doctor");
    let frames = host.turn();
    assert_eq!(notes(&place, &frames), "");
    let report = find(&frames, "result")["result"].as_str().unwrap().to_owned();
    for part in ["permissons", "\"sdk\"", "alowed-tools", "Raed"] {
        assert!(report.contains(part), "{report}");
    }
}

#[test]
fn a_wrong_entry_of_the_host_costs_itself_only() {
    let place = Place::new();
    let mut host = place.start(&[]);
    let good = json!({ "description": "d", "prompt": "p" });
    host.send(&json!({ "type": "control_request", "request_id": "first", "request": {
        "subtype": "initialize",
        "agents": { "bad": 5, "good": good },
        "hooks": { "Stop": { "not": "a list" }, "PreToolUse": [{ "hookCallbackIds": ["guard"] }] },
    } }));
    let frames = host.until(|frame| frame["type"] == "control_response");
    insta::assert_snapshot!(notes(&place, &frames), @r"
    initialize: hooks.Stop must be a list of matchers
    initialize: agents.bad must be an object with description and prompt; it is left out
    ");
    let answer = &frames.last().unwrap()["response"]["response"];
    let agents = answer["agents"].as_array().unwrap();
    assert!(agents.iter().any(|agent| agent["name"] == "good"), "{agents:?}");
    host.say("@tool Bash {\"command\":\"true\"}");
    assert_eq!(host.request()["request"]["callback_id"], "guard");
}

#[test]
fn a_server_of_the_host_without_a_host_fails_at_once() {
    let place = Place::new();
    let config = r#"{"mcpServers":{"mine":{"type":"sdk","name":"mine"}}}"#;
    let output = place.command(&["-p", "@say hi", "--mcp-config", config]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "hi\n");
}

#[test]
fn what_looks_like_a_skill_or_a_command_and_is_none_is_named() {
    let place = Place::new();
    place.write(".claude/skills/empty/README.md", "x\n");
    place.write(".claude/skills/flat.md", "x\n");
    place.write(".claude/skills/folder/SKILL.md/file", "x\n");
    place.write(
        ".claude/skills/one/SKILL.md",
        "---\ndescription: [x]\nagent: Plan\neffort: huge\n---\n@say one\n",
    );
    place.write(".claude/skills/open/SKILL.md", "---\ndescription: x\n@say open\n");
    place.write(".claude/skills/silent/SKILL.md", "---\nname: silent\ndescription:\n---\n@say silent\n");
    place.write(".claude/commands/one.md", "@say never\n");
    place.write(".claude/commands/two words.md", "x\n");
    place.write(".claude/commands/hint.md", "---\nargument-hint: [file] [line]\n---\n@say hint\n");
    place.write(
        ".claude/commands/rules.md",
        "---\nallowed-tools:\n  - Read\n  - Bash(\ndescription: x\n\tmodel: haiku\n---\n\n",
    );
    std::fs::write(place.project().join(".claude/commands/bytes.md"), b"one\ntwo \xff\n").unwrap();
    place.write(".claude/agents", "x\n");
    std::os::unix::fs::symlink("nowhere", place.project().join(".claude/skills/link")).unwrap();
    let output = place.command(&["-p", "/one"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "one\n");
    let project = place.project().display().to_string();
    let said = String::from_utf8_lossy(&output.stderr).replace(&project, "/proj");
    insta::assert_snapshot!(said.trim_end(), @"
    /proj/.claude/skills/empty/SKILL.md:1: it is not there; every skill has one
    /proj/.claude/skills/flat.md:1: a skill is a folder with a SKILL.md
    /proj/.claude/skills/link:1: it is a link that leads nowhere
    /proj/.claude/commands/two words.md:1: nobody can call a command with spaces in its name
    /proj/.claude/skills/folder/SKILL.md:1: can't be read: it is no file
    /proj/.claude/skills/one/SKILL.md:2: description must be a text
    /proj/.claude/skills/one/SKILL.md:3: agent means nothing without `context: fork`
    /proj/.claude/skills/one/SKILL.md:4: effort must be one of low, medium, high, xhigh, max
    /proj/.claude/skills/open/SKILL.md:1: the front matter is never closed; end it with a line `---`
    /proj/.claude/skills/silent/SKILL.md:3: a skill needs a description, for the model to choose by
    /proj/.claude/commands/bytes.md:2: can't be read: it is not UTF-8
    /proj/.claude/commands/one.md:1: /proj/.claude/skills/one/SKILL.md has the same name and counts
    /proj/.claude/commands/rules.md:1: it says nothing: what the model is to do stands below the front matter
    /proj/.claude/commands/rules.md:4: allowed-tools: rule `Bash(` does not end with the parenthesis that closes its content; write it as `Tool` or `Tool(content)`
    /proj/.claude/commands/rules.md:6: this line begins with a tab; indent with spaces
    /proj/.claude/agents:1: this must be a folder
    ");
}
