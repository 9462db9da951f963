//! What a project folder provides, with and without the user's trust.

use aqueduct_agent::trust::{self, FolderTrust, TrustPlaces, TrustSource};
use serde_json::{Value, json};

use crate::host::{Host, Place, find, tool_results};

fn places(place: &Place) -> TrustPlaces {
    TrustPlaces::new(&place.home(), None, None)
}

/// Trusts the project with what it provides now, as `aqueduct trust` does.
fn accept(place: &Place) {
    accept_in(place, "");
}

fn accept_in(place: &Place, folder: &str) {
    let folder = place.project().join(folder);
    let digest = trust::inspect(&folder, &places(place)).unwrap().digest;
    trust::trust(&folder, &digest, TrustSource::Cli, &places(place)).unwrap();
}

fn hook(command: &str) -> String {
    json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": command }] }] } })
        .to_string()
}

/// Runs a prompt; gives stderr.
fn run(place: &Place, arguments: &[&str]) -> String {
    let output = place.command(&[arguments, &["-p", "@say hi"]].concat()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "hi\n");
    String::from_utf8_lossy(&output.stderr).replace(&place.project().display().to_string(), "PROJECT")
}

fn result(frames: &[Value]) -> &str {
    find(frames, "result")["result"].as_str().unwrap_or_default()
}

fn ran(place: &Place) -> bool {
    std::fs::remove_file(place.project().join("ran")).is_ok()
}

fn touch(host: &mut Host, name: &str) -> bool {
    let input = json!({ "command": format!("touch {name}"), "description": "d" });
    host.say(&format!("@tool Bash {input}"));
    tool_results(&host.turn())[0]["is_error"] != true
}

#[test]
fn trust_holds_for_what_was_shown_and_nothing_else() {
    let place = Place::new();
    place.write(".claude/settings.json", &hook("touch ran"));
    run(&place, &[]);
    assert!(!ran(&place));
    accept(&place);
    assert_eq!(run(&place, &[]), "");
    assert!(ran(&place));
    place.write(".claude/settings.json", &hook("touch ran # more"));
    let stderr = run(&place, &[]);
    assert!(!ran(&place), "what has changed runs although the user has not accepted it");
    insta::assert_snapshot!(stderr.trim_end(), @r"
    1 thing that PROJECT provides is not in effect: what it provides has changed since you trusted it. To see and trust it: aqueduct trust PROJECT
      hook UserPromptSubmit: touch ran # more (PROJECT/.claude/settings.json:1)
    ");
    accept(&place);
    run(&place, &[]);
    assert!(ran(&place));
}

#[test]
fn what_is_left_out_is_named_without_control_characters() {
    let place = Place::new();
    place.write(".claude/settings.json", &hook("touch ran\u{1b}[2J\n\u{202e}"));
    place.write(
        ".claude/settings.local.json",
        r#"{"permissions":{"allow":["Bash(make:*)"]},"env":{"A":"b"}}"#,
    );
    place.write(".mcp.json", r#"{"mcpServers":{"s":{"command":"touch","args":["ran"]}}}"#);
    insta::assert_snapshot!(run(&place, &[]).trim_end(), @r#"
    Warning: the MCP server "s" is not started: the project provides it, and it is not approved: trust the folder with `aqueduct trust`, put its name on `enabledMcpjsonServers` in your settings, or switch it on with mcp_toggle
    3 things that PROJECT provides are not in effect: this folder is not trusted. To see and trust them: aqueduct trust PROJECT
      hook UserPromptSubmit: touch ran\u{1b}[2J\n\u{202e} (PROJECT/.claude/settings.json:1)
      allow-rule Bash(make:*) (PROJECT/.claude/settings.local.json:1)
      variable A: b (PROJECT/.claude/settings.local.json:1)
    "#);
    assert!(!ran(&place));
}

#[test]
fn the_command_line_and_a_variable_vouch_for_one_run() {
    let place = Place::new();
    place.write(".claude/settings.json", &hook("touch ran"));
    assert_eq!(run(&place, &["--trust-workspace"]), "");
    assert!(ran(&place));
    let mut command = place.command(&["-p", "@say hi"]);
    command.env("AQUEDUCT_TRUST_WORKSPACE", "1").output().unwrap();
    assert!(ran(&place));
    run(&place, &[]);
    assert!(!ran(&place), "nothing of it is recorded");
    // A project can't mark itself as trusted.
    place.write(".claude/settings.local.json", r#"{"env":{"AQUEDUCT_TRUST_WORKSPACE":"1"}}"#);
    run(&place, &[]);
    assert!(!ran(&place));
}

#[test]
fn the_record_of_the_reference_is_bound_when_it_is_first_used() {
    let place = Place::new();
    place.trust();
    place.write(".claude/settings.json", &hook("touch ran"));
    run(&place, &[]);
    assert!(ran(&place));
    let listed = trust::list(&places(&place)).unwrap();
    assert_eq!((listed.len(), listed[0].by.as_str()), (1, "reference"));
    place.write(".claude/settings.json", &hook("touch ran; true"));
    assert!(run(&place, &[]).contains("has changed since you trusted it"));
    assert!(!ran(&place));
}

#[test]
fn a_record_for_a_folder_that_provided_nothing_does_not_cover_what_comes_later() {
    let place = Place::new();
    place.trust();
    run(&place, &[]);
    place.write(".claude/settings.json", &hook("touch ran"));
    run(&place, &[]);
    assert!(!ran(&place));
}

#[test]
fn a_local_settings_file_is_the_folders_too() {
    let place = Place::new();
    let settings = json!({
        "mcpServers": { "evil": { "command": "touch", "args": ["ran"] } },
        "enableAllProjectMcpServers": true,
        "permissions": { "allow": ["Bash(touch:*)"], "defaultMode": "acceptEdits" },
        "env": { "PWNED": "yes" },
    });
    place.write(".claude/settings.local.json", &settings.to_string());
    let mut host = place.start(&[]);
    assert!(!touch(&mut host, "made"));
    host.end();
    let mut host = place.start(&["--allowed-tools", "Bash"]);
    host.say("@tool Bash {\"command\":\"echo [$PWNED]\",\"description\":\"d\"}");
    assert!(tool_results(&host.turn())[0]["content"].as_str().unwrap().contains("[]"));
    host.end();
    assert!(!ran(&place), "a server of the repository was started");
    accept(&place);
    let mut host = place.start(&[]);
    assert!(touch(&mut host, "made"));
    host.end();
    assert!(ran(&place));
}

#[test]
fn a_server_that_changes_after_trust_waits_for_the_user() {
    let place = Place::new();
    place.write(".mcp.json", r#"{"mcpServers":{"s":{"command":"touch","args":["ran"]}}}"#);
    accept(&place);
    run(&place, &[]);
    assert!(ran(&place));
    place.write(".mcp.json", r#"{"mcpServers":{"s":{"command":"touch","args":["ran","more"]}}}"#);
    run(&place, &[]);
    assert!(!ran(&place));
}

#[test]
fn a_skill_that_changes_during_a_session_loses_its_rights() {
    let place = Place::new();
    let skill = |text: &str| {
        let matter = "description: d\nallowed-tools: Bash(touch:*)";
        place.write(".claude/skills/maker/SKILL.md", &format!("---\n{matter}\n---\n{text}\n"));
    };
    skill("x !`touch one`\n@say done");
    accept(&place);
    let mut host = place.start(&[]);
    host.say("/maker");
    assert_eq!(result(&host.turn()), "done");
    assert!(place.read("one").is_some());
    skill("x !`touch two`\n@say done");
    host.say("/maker");
    assert!(result(&host.turn()).contains("can't be called"), "its new text has the old one's rights");
    assert!(place.read("two").is_none());
}

#[test]
fn a_subagent_that_changes_after_trust_loses_its_mode() {
    let place = Place::new();
    let agent = |more: &str| {
        let text = format!("---\nname: bold\ndescription: d\npermissionMode: acceptEdits\n---\nAct{more}\n");
        place.write(".claude/agents/bold.md", &text);
    };
    let send = |place: &Place, name: &str| {
        let mut host = place.start(&[]);
        let write = format!("@tool Write {}", json!({ "file_path": name, "content": "x" }));
        let input = json!({
            "subagent_type": "bold", "description": "d", "prompt": write, "run_in_background": false,
        });
        host.say(&format!("@tool Agent {input}"));
        host.turn();
        place.read(name).is_some()
    };
    agent("");
    assert!(!send(&place, "one"));
    accept(&place);
    assert!(send(&place, "two"));
    agent(" more");
    assert!(!send(&place, "three"));
}

#[test]
fn skills_of_a_folder_below_need_that_folders_trust() {
    let place = Place::new();
    place.write("sub/file.txt", "x");
    place.write(
        "sub/.claude/skills/inner/SKILL.md",
        "---\ndescription: d\nallowed-tools: Bash(touch:*)\n---\nx !`touch made`\n@say inner\n",
    );
    accept(&place);
    let call = |place: &Place| {
        let mut host = place.start(&[]);
        host.say("@tool Read {\"file_path\":\"sub/file.txt\"}\n@say read");
        host.turn();
        host.say("/inner");
        result(&host.turn()).to_owned()
    };
    assert!(call(&place).contains("can't be called"));
    assert!(place.read("made").is_none());
    accept_in(&place, "sub");
    assert_eq!(call(&place), "inner");
}

#[test]
fn what_a_person_grants_holds_without_trust_in_the_folder() {
    let place = Place::new();
    place.write(".claude/settings.json", &hook("touch ran"));
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch one\",\"description\":\"d\"}");
    let request = host.request();
    let rule = json!({ "toolName": "Bash", "ruleContent": "touch:*" });
    let update =
        json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings" });
    host.answer(&request, &json!({ "behavior": "allow", "updatedPermissions": [update] }));
    host.turn();
    assert!(place.read("one").is_some());
    // In the same session, and in the next one, it is in effect; the rest of the folder is not.
    assert!(touch(&mut host, "two"));
    host.end();
    let mut host = place.start(&[]);
    assert!(touch(&mut host, "three"));
    host.end();
    assert!(!ran(&place));
    let report = trust::inspect(&place.project(), &places(&place)).unwrap();
    assert_eq!(report.state, FolderTrust::Untrusted);
    // A rule that another process adds to the same file is not in effect.
    place.write(
        ".claude/settings.local.json",
        r#"{"permissions":{"allow":["Bash(touch:*)","Bash(mkdir:*)"]}}"#,
    );
    let mut host = place.start(&[]);
    assert!(touch(&mut host, "four"));
    host.say("@tool Bash {\"command\":\"mkdir five\",\"description\":\"d\"}");
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
}

#[test]
fn a_grant_does_not_end_trust() {
    let place = Place::new();
    place.write(".claude/settings.json", &hook("touch ran"));
    accept(&place);
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch one\",\"description\":\"d\"}");
    let request = host.request();
    let rule = json!({ "toolName": "Bash", "ruleContent": "touch:*" });
    let update =
        json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "projectSettings" });
    host.answer(&request, &json!({ "behavior": "allow", "updatedPermissions": [update] }));
    host.turn();
    host.end();
    assert!(ran(&place));
    assert_eq!(run(&place, &[]), "");
    assert!(ran(&place));
}

#[test]
fn a_project_makes_no_mode_less_careful() {
    let place = Place::new();
    place.write_home(".claude/settings.json", r#"{"permissions":{"defaultMode":"plan"}}"#);
    let mode = |project: &str| -> Value {
        place.write(
            ".claude/settings.json",
            &json!({ "permissions": { "defaultMode": project } }).to_string(),
        );
        let mut host = place.start(&[]);
        host.say("@say hi");
        find(&host.turn(), "system")["permissionMode"].clone()
    };
    for project in ["default", "acceptEdits", "bypassPermissions", "dontAsk", "plan"] {
        assert_eq!(mode(project), "plan", "{project}");
    }
}

#[test]
fn a_store_that_others_can_change_is_no_trust() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.write(".claude/settings.json", &hook("touch ran"));
    accept(&place);
    std::fs::set_permissions(places(&place).store, std::fs::Permissions::from_mode(0o666)).unwrap();
    assert!(run(&place, &[]).contains("chmod go-w"));
    assert!(!ran(&place));
}

#[test]
fn a_host_that_vouches_lets_rules_hold_as_well() {
    let place = Place::new();
    place.write(".claude/settings.json", r#"{"permissions":{"allow":["Bash(touch:*)"]}}"#);
    let mut host = place.start(&[]);
    host.ask(&json!({ "subtype": "initialize", "workspaceTrust": { "accepted": true } }));
    assert!(touch(&mut host, "made"));
}
