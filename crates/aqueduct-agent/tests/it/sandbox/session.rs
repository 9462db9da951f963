//! The sandbox in a session: what is reported, and which commands it applies to.

use aqueduct_testing::require;
use serde_json::json;

use super::{By, command, place, run, start_bold};

#[test]
fn what_the_model_and_what_users_see() {
    let place = require!(place(By::Landlock, json!({ "enabled": true, "bogus": 1 })));
    let output = command(&place, &["-p", "/doctor"]).output().unwrap();
    let (reported, printed) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(reported.contains("held by Landlock alone"), "{reported}");
    assert!(printed.contains("settings.json:1: sandbox.bogus is not known here"), "{printed}");
}

#[test]
fn subagents_are_held_too() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    let mut host = start_bold(&place);
    let prompt = "@tool Bash {\"command\":\"touch ../outside; touch inside\"}\n@say done";
    let input = json!({ "description": "d", "prompt": prompt, "subagent_type": "general-purpose" });
    host.say(&format!("@tool Task {input}\n@say done"));
    host.turn();
    host.end();
    assert!(place.read("inside").is_some());
    assert!(!place.home().parent().unwrap().join("outside").exists());
}

#[test]
fn commands_in_custom_commands_are_held_too() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    place.write_home(".claude/commands/look.md", "Look: !`touch ../outside || echo refused`\n");
    let mut host = start_bold(&place);
    host.say("/look");
    host.turn();
    host.end();
    assert!(!place.home().parent().unwrap().join("outside").exists());
}

#[test]
fn a_host_turns_it_on_while_the_session_runs() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    place.write_home(".claude/settings.json", "{}");
    let mut host = start_bold(&place);
    assert!(run(&mut host, "touch ../first").0);
    host.ask(&json!({ "subtype": "apply_flag_settings", "settings": { "sandbox": { "enabled": true } } }));
    assert!(!run(&mut host, "touch ../second").0);
    host.end();
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't hold commands in a sandbox")]
fn a_session_without_a_sandbox_starts_no_bubblewrap() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = crate::host::Place::new();
    let program = place.home().join("bin/bwrap");
    place.write_home(
        "bin/bwrap",
        &format!("#!/bin/sh\ntouch {}\nexit 1\n", place.home().join("asked").display()),
    );
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = place.command(&[crate::host::STREAM, &["--dangerously-skip-permissions"]].concat());
    command.env("PATH", format!("{}:{path}", place.home().join("bin").display()));
    let mut host = crate::host::Host::start(command);
    host.ask(&json!({ "subtype": "initialize" }));
    host.say("@tool Bash {\"command\":\"true\"}\n@say done");
    host.turn();
    assert!(!place.home().join("asked").exists());
    host.ask(&json!({ "subtype": "apply_flag_settings", "settings": { "sandbox": { "enabled": true } } }));
    assert!(place.home().join("asked").exists(), "the setting asks for it");
    host.end();
}
