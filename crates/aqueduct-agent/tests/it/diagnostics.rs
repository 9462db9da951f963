//! Errors in user-written files: each is reported with file and line, and the rest still works.

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
fn the_host_is_notified_of_the_errors_of_all_files_once() {
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
    /home/ada/.claude/settings.json:4: hooks.Stopp is not an event; its hooks never run
    /home/ada/.claude/settings.json:2: permissons is not known here and is ignored; do you mean permissions?
    /home/ada/.claude/settings.json:3: env.A must be a text; it is ignored
    /home/ada/.claude.json:2: is not valid JSON: expected value at line 2 column 15; it is ignored, including trust and MCP servers
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
    let output = place.command(&["--trust-workspace", "-p", "/one"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "one\n");
    let project = place.project().display().to_string();
    let printed = String::from_utf8_lossy(&output.stderr).replace(&project, "/proj");
    insta::assert_snapshot!(printed.trim_end(), @"
    /proj/.claude/skills/empty/SKILL.md:1: it is not there; every skill has one
    /proj/.claude/skills/flat.md:1: a skill is a folder with a SKILL.md
    /proj/.claude/skills/link:1: it is a link that leads nowhere
    /proj/.claude/commands/two words.md:1: the name of a command must not contain spaces
    /proj/.claude/skills/folder/SKILL.md:1: can't be read: it is not a file
    /proj/.claude/skills/one/SKILL.md:2: description must be a text
    /proj/.claude/skills/one/SKILL.md:3: agent means nothing without `context: fork`
    /proj/.claude/skills/one/SKILL.md:4: effort must be one of low, medium, high, xhigh, max
    /proj/.claude/skills/open/SKILL.md:1: the front matter is never closed; end it with a line `---`
    /proj/.claude/skills/silent/SKILL.md:3: a skill needs a description, for the model to choose by
    /proj/.claude/commands/bytes.md:2: can't be read: it is not UTF-8
    /proj/.claude/commands/one.md:1: /proj/.claude/skills/one/SKILL.md has the same name and is used
    /proj/.claude/commands/rules.md:6: this line begins with a tab; indent with spaces
    /proj/.claude/agents:1: this must be a folder
    ");
}

#[test]
fn names_that_nothing_has_are_reported() {
    let place = Place::new();
    place.write_home(
        ".claude/settings.json",
        "{\n  \"outputStyle\": \"Nowhere\",\n  \"agent\": \"missing\"\n}",
    );
    let flags = ["--effort", "huge", "--allowed-tools", "Bash( ls", "--add-dir", "nowhere"];
    let output = place.command(&[&["-p", "@say fine"], &flags[..]].concat()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "fine\n");
    let home = place.home().display().to_string();
    let printed = String::from_utf8_lossy(&output.stderr).replace(&home, "/home/ada");
    insta::assert_snapshot!(printed.trim_end(), @r#"
    Warning: --effort: there is no effort "huge"; it is ignored. There are low, medium, high, xhigh, max
    /home/ada/.claude/settings.json:2: outputStyle: there is no "Nowhere"; it is ignored
    /home/ada/.claude/settings.json:3: agent: there is no "missing"; it is ignored
    Warning: --allowed-tools: rule `Bash( ls` does not end with the parenthesis that closes its content; write it as `Tool` or `Tool(content)`
    Warning: --add-dir: nowhere is not a folder
    "#);
    let refused = place.command(&["-p", "x", "--agent", "missing"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there is no agent \"missing\""));
    let refused = place.command(&["-p", "x", "--thinking", "maybe"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn errors_of_hooks_in_front_matter_have_their_lines() {
    let place = Place::new();
    place.write(
        ".claude/skills/one/SKILL.md",
        "---\ndescription: d\nhooks:\n  Stopp: []\n  Stop:\n    - hooks:\n        - type: command\n          comand: x\n---\n@say one\n",
    );
    place.write(
        ".claude/skills/two/SKILL.md",
        "---\ndescription: d\nhooks:\n  Stop:\n    what\n---\n@say two\n",
    );
    place.write(
        ".claude/agents/three.md",
        "---\nname: three\ndescription: d\nhooks:\n  Stop:\n    - matcher: 5\n      hooks: []\n---\nx\n",
    );
    let output = place.command(&["-p", "/one"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "one\n");
    let project = place.project().display().to_string();
    let printed = String::from_utf8_lossy(&output.stderr).replace(&project, "/proj");
    insta::assert_snapshot!(printed.trim_end(), @"
    /proj/.claude/skills/one/SKILL.md:4: hooks.Stopp is not an event; its hooks never run
    /proj/.claude/skills/one/SKILL.md:7: hooks.Stop[0].hooks[0].command must be a command
    /proj/.claude/skills/two/SKILL.md:4: hooks.Stop must be a list of matchers
    /proj/.claude/agents/three.md:4: the agent is left out: a hook that can't be read may guard what it does
    /proj/.claude/agents/three.md:6: hooks.Stop[0].matcher must be a text
    ");
}

#[test]
fn errors_of_plugins_are_reported_and_the_rest_of_them_works() {
    let place = Place::new();
    place.write(
        "kit/.claude-plugin/plugin.json",
        "{\n  \"name\": \"kit\",\n  \"version\": 5,\n  \"commands\": \"./else\",\n  \"nmae\": \"x\",\n  \"version\": 6\n}",
    );
    place.write("kit/hooks/hooks.json", "{\n  \"hoks\": {},\n  \"hooks\": {\n    \"Stopp\": []\n  }\n}");
    place.write("kit/commands/greet.md", "---\nmodl: x\n---\n@say hello\n");
    place.write("torn/.claude-plugin/plugin.json", "{\n  \"name\": ,\n}");
    place.write("named/.claude-plugin/plugin.json", "{\n  \"name\": \"a b\"\n}");
    place.write("hollow/hooks/hooks.json", "[]");
    let flags = ["kit", "torn", "named", "hollow"].map(|name| ["--plugin-dir", name]).concat();
    let output = place.command(&[&["-p", "/kit:greet"], &flags[..]].concat()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "hello\n");
    let project = place.project().display().to_string();
    let printed = String::from_utf8_lossy(&output.stderr).replace(&project, "/proj");
    insta::assert_snapshot!(printed.trim_end(), @r#"
    /proj/torn/.claude-plugin/plugin.json:2: is not valid JSON: expected value at line 2 column 11
    /proj/named/.claude-plugin/plugin.json:2: name must have 1 to 64 letters, digits, hyphens, dots and underscores
    /proj/kit/.claude-plugin/plugin.json:3: version is defined twice: here and on line 6; the last definition is used
    /proj/kit/.claude-plugin/plugin.json:4: commands has no effect here: the plugin's usual folders count
    /proj/kit/.claude-plugin/plugin.json:5: nmae is not known here and is ignored
    /proj/kit/.claude-plugin/plugin.json:6: version must be a text; it is ignored
    /proj/kit/hooks/hooks.json:2: hoks is not known here and is ignored
    /proj/kit/hooks/hooks.json:4: hooks.Stopp is not an event; its hooks never run
    /proj/hollow/hooks/hooks.json:1: must be an object with "hooks"
    /proj/kit/commands/greet.md:2: modl is not known here and is ignored
    "#);
}

#[test]
fn an_invalid_restriction_is_not_ignored() {
    let place = Place::new();
    place.write(".claude/agents/open.md", "---\nname: open\ndescription: d\ntools: [Read\n---\nx\n");
    place.write(
        ".claude/agents/deep.md",
        "---\nname: deep\ndescription: d\ndisallowedTools: {a: b}\n---\nx\n",
    );
    place.write(
        ".claude/skills/private/SKILL.md",
        "---\ndescription: d\ndisable-model-invocation: very\n---\n@say private\n",
    );
    place.write(".claude/skills/other/SKILL.md", "---\nname: twin\ndescription: d\n---\n@say other\n");
    place.write(".claude/skills/third/SKILL.md", "---\nname: twin\ndescription: d\n---\n@say third\n");
    let mut host = place.start(&[]);
    host.say("@tool Skill {\"skill\":\"private\"}");
    let frames = host.turn();
    let agents = frames[0]["agents"].as_array().unwrap();
    assert!(!agents.contains(&json!("open")) && !agents.contains(&json!("deep")), "{agents:?}");
    assert!(find(&frames, "result")["result"].as_str().unwrap().contains("Only the user"), "{frames:#?}");
    insta::assert_snapshot!(notes(&place, &frames), @"
    /proj/.claude/skills/private/SKILL.md:3: disable-model-invocation must be true or false
    /proj/.claude/skills/third/SKILL.md:2: /proj/.claude/skills/other/SKILL.md has the same name and is used
    /proj/.claude/agents/deep.md:4: disallowedTools must be a list of tools, or a text with tools and commas
    /proj/.claude/agents/deep.md:4: the list of tools can't be read; the agent is left out
    /proj/.claude/agents/open.md:1: the agent is left out: its front matter can't be read
    /proj/.claude/agents/open.md:5: not valid YAML: while parsing a flow sequence, expected ',' or ']'; quote values that contain `: ` or ` #`, or that begin with a special character
    ");
}

#[test]
fn errors_of_output_styles_and_memory_are_reported() {
    let place = Place::new();
    place.write(
        ".claude/output-styles/a.md",
        "---\nname: same\ncolour: red\nkeep-coding-instructions: 5\n---\nA.\n",
    );
    place.write(".claude/output-styles/b.md", "---\ndescription: [x]\nname: same\n---\nB.\n");
    place.write(".claude/output-styles/c.md", "---\nname: c\n---\n\n");
    place.write("CLAUDE.md/file", "x\n");
    let output = place.command(&["-p", "@say fine"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "fine\n");
    let project = place.project().display().to_string();
    let printed = String::from_utf8_lossy(&output.stderr).replace(&project, "/proj");
    insta::assert_snapshot!(printed.trim_end(), @r#"
    /proj/CLAUDE.md:1: can't be read: it is not a file
    /proj/.claude/output-styles/a.md:3: colour is not known here and is ignored
    /proj/.claude/output-styles/a.md:4: keep-coding-instructions must be true or false
    /proj/.claude/output-styles/b.md:2: description must be a text
    /proj/.claude/output-styles/b.md:3: there is another style "same", which is used
    /proj/.claude/output-styles/c.md:1: it is empty: write the instructions for the model below the front matter
    "#);
}
