//! When permission is requested, and what settings can relax.

use aqueduct_testing::require;
use serde_json::{Value, json};

use super::{By, call, place, run, start, start_bold};

#[test]
fn leaving_the_sandbox_is_asked_about() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true, "autoAllowBashIfSandboxed": true })));
    let outside = place.home().join("outside");
    let mut host = start(&place, &["--permission-prompt-tool", "stdio"]);
    // Inside the sandbox, no permission is requested, even if the command cannot be analyzed.
    assert!(run(&mut host, "touch new-$RANDOM-$(echo x)").0);
    for command in [format!("touch {}", outside.display()), "ls".to_owned()] {
        let input = json!({ "command": command, "dangerouslyDisableSandbox": true });
        host.say(&format!("@tool Bash {input}\n@say done"));
        let request = host.request();
        assert_eq!(request["request"]["decision_reason_type"], "sandboxOverride", "{request}");
        assert_eq!(request["request"]["permission_suggestions"], Value::Null, "{request}");
        host.answer(&request, &json!({ "behavior": "allow", "updatedInput": input }));
        let frames = host.turn();
        let result = frames.iter().find(|frame| frame["type"] == "user").unwrap();
        assert_eq!(result["tool_use_result"]["dangerouslyDisableSandbox"], true, "{result}");
    }
    assert!(outside.exists());
    host.end();
}

#[test]
fn settings_can_close_the_way_out() {
    let sandbox = json!({ "enabled": true, "allowUnsandboxedCommands": false });
    let place = require!(place(By::Bubblewrap, sandbox));
    let mut host = start_bold(&place);
    let input = json!({ "command": "touch ../outside", "dangerouslyDisableSandbox": true });
    let (result, text) = call(&mut host, &input);
    assert!(result["is_error"] == true && text.contains("Nothing runs outside"), "{text}");
    host.end();
}

#[test]
fn commands_that_settings_exclude_run_outside_and_are_asked_about() {
    let sandbox =
        json!({ "enabled": true, "autoAllowBashIfSandboxed": true, "excludedCommands": ["touch *"] });
    let place = require!(place(By::Bubblewrap, sandbox));
    let mut host = start(&place, &["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch ../outside\"}\n@say done");
    let request = host.request();
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": request["request"]["input"] }));
    host.turn();
    assert!(place.home().parent().unwrap().join("outside").exists());
    let (well, text) = run(&mut host, "touch ../other; touch ../other && echo $?");
    assert!(!well && text.contains("Read-only file system"), "{text}");
    host.end();
}

#[test]
fn rules_and_protected_places_still_ask_inside() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    let settings = json!({
        "sandbox": { "enabled": true, "autoAllowBashIfSandboxed": true },
        "permissions": { "ask": ["Bash(git push:*)"], "deny": ["Bash(curl:*)"] },
    });
    place.write_home(".claude/settings.json", &settings.to_string());
    let mut host = start(&place, &["--permission-prompt-tool", "stdio"]);
    for asked in ["git push", "rm -rf ~"] {
        host.say(&format!("@tool Bash {}\n@say done", json!({ "command": asked })));
        let request = host.request();
        host.answer(&request, &json!({ "behavior": "deny", "message": "no" }));
        host.turn();
    }
    let (well, text) = run(&mut host, "curl example.com");
    assert!(!well && text.contains("curl"), "{text}");
    host.end();
}

#[test]
fn landlock_alone_waives_no_question() {
    let place = require!(place(By::Landlock, json!({ "enabled": true, "autoAllowBashIfSandboxed": true })));
    let mut host = start(&place, &["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch new\"}\n@say done");
    let request = host.request();
    assert_eq!(request["request"]["tool_name"], "Bash");
    host.answer(&request, &json!({ "behavior": "deny", "message": "no" }));
    host.turn();
    host.end();
}

#[test]
fn a_project_that_is_not_trusted_tightens_and_nothing_else() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    let project = json!({ "sandbox": {
        "enabled": false, "autoAllowBashIfSandboxed": true, "excludedCommands": ["touch *"],
        "filesystem": { "allowWrite": [".."], "denyWrite": ["kept"] },
    } });
    place.write(".claude/settings.json", &project.to_string());
    place.write("kept/a", "");
    let mut host = start_bold(&place);
    assert!(!run(&mut host, "touch ../outside").0);
    assert!(!run(&mut host, "touch kept/b").0);
    assert!(run(&mut host, "touch new").0);
    host.end();
    // Once the project is trusted, its settings apply.
    place.trust();
    let mut host = start_bold(&place);
    assert!(run(&mut host, "touch ../outside kept/b").0);
    host.end();
}
