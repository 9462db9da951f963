//! Every message with every scope.

use std::collections::BTreeSet;

use aqueduct_bridge::auth::Grant;
use aqueduct_bridge::message::{ClientMessage, Scope};
use aqueduct_wire::table::Definition;
use serde_json::{Value, json};

use super::{FIXTURES, ask, line, outcome, scopes, socket, token, world};

/// Messages whose content decides what they need.
fn special() -> Vec<(&'static str, Value)> {
    let id = "0198c0de-7a11-7000-8000-000000000001";
    let always = |more: Value| {
        let mut message = json!({"type": "approve_always", "id": "p-1", "sessionId": id});
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        message
    };
    let rules = |destination: Value| {
        always(json!({"updates": [{
            "type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": destination
        }]}))
    };
    let mode = |mode: &str| json!({"type": "set_permission_mode", "mode": mode, "sessionId": id});
    let approve = |more: Value| {
        let mut message = json!({"type": "approve", "id": "p-1", "sessionId": id});
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        message
    };
    let set_mode = |mode: &str, destination: &str| {
        always(json!({"updates": [{"type": "setMode", "mode": mode, "destination": destination}]}))
    };
    vec![
        (
            "start in bypassPermissions",
            json!({"type": "start", "projectPath": "/p", "permissionMode": "bypassPermissions"}),
        ),
        (
            "start in an unknown mode",
            json!({"type": "start", "projectPath": "/p", "permissionMode": "BYPASS"}),
        ),
        (
            "resume in bypassPermissions",
            json!({"type": "resume_session", "sessionId": id, "permissionMode": "bypassPermissions"}),
        ),
        ("set mode bypassPermissions", mode("bypassPermissions")),
        ("set an unknown mode", mode("bypasspermissions")),
        ("set mode acceptEdits", mode("acceptEdits")),
        ("set mode auto", mode("auto")),
        ("approve", approve(json!({}))),
        ("approve another input", approve(json!({"updatedInput": {"command": "id"}}))),
        ("approve a budget", approve(json!({"budgetUsd": 5}))),
        ("approve a plan into default", approve(json!({"mode": "default"}))),
        ("approve a plan into acceptEdits", approve(json!({"mode": "acceptEdits"}))),
        ("approve a plan into bypassPermissions", approve(json!({"mode": "bypassPermissions"}))),
        ("approve a plan into an unknown mode", approve(json!({"mode": "yolo"}))),
        ("always allow", always(json!({}))),
        ("always allow a rule in the session", always(json!({"rules": ["Bash(ls)"]}))),
        (
            "always allow a rule in projectSettings",
            always(json!({"rules": ["Bash(ls)"], "destination": "projectSettings"})),
        ),
        (
            "always allow a rule in userSettings",
            always(json!({"rules": ["Bash(ls)"], "destination": "userSettings"})),
        ),
        ("always allow an update of session", rules(json!("session"))),
        ("always allow an update of localSettings", rules(json!("localSettings"))),
        ("always allow an update of userSettings", rules(json!("userSettings"))),
        ("always allow an update of policySettings", rules(json!("policySettings"))),
        ("always allow an update without destination", rules(Value::Null)),
        ("always allow, with acceptEdits", set_mode("acceptEdits", "session")),
        ("always allow, with bypassPermissions", set_mode("bypassPermissions", "session")),
        (
            "always allow, with a folder in userSettings",
            always(json!({"updates": [
                {"type": "addDirectories", "directories": ["/"], "destination": "userSettings"}
            ]})),
        ),
        (
            "always allow, the second update in userSettings",
            always(json!({"updates": [
                {"type": "addDirectories", "directories": ["/p"], "destination": "session"},
                {"type": "removeRules", "rules": [{"toolName": "Bash"}], "behavior": "deny", "destination": "userSettings"}
            ]})),
        ),
        ("pair a device that watches", json!({"type": "pair_device", "scope": "watch"})),
        ("pair a device that administers", json!({"type": "pair_device", "scope": "admin"})),
    ]
}

#[tokio::test]
async fn every_message_with_every_scope() {
    let world = world().await;
    let mut sockets = Vec::new();
    for scope in Scope::ALL {
        sockets.push(socket(&world, &token(&world, Grant::of(*scope)).await).await);
    }
    let mut seen = BTreeSet::new();
    let fixtures = FIXTURES.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let fixtures = fixtures.filter_map(|message| {
        let kind = message["type"].as_str().unwrap().to_owned();
        // The first of a kind is the plain one; what others hold is below.
        seen.insert(kind.clone()).then_some((kind, message))
    });
    let all: Vec<(String, Value)> =
        fixtures.chain(special().into_iter().map(|(name, message)| (name.to_owned(), message))).collect();
    let mut matrix = line("", &scopes());
    for (name, message) in &all {
        let mut outcomes = Vec::new();
        for (scope, socket) in Scope::ALL.iter().zip(&mut sockets) {
            let mut message = message.clone();
            message.as_object_mut().unwrap().remove("confirm");
            let reply = ask(socket, &message).await;
            if let Some(needed) = reply["scope"].as_str().filter(|_| reply["code"] == "forbidden") {
                let needed = Scope::parse(needed).unwrap();
                assert!(needed > *scope, "{name}: {reply}");
                assert!(reply["message"].as_str().unwrap().contains("aqueduct token new --scope"), "{reply}");
            }
            outcomes.push(outcome(&reply).to_owned());
        }
        matrix.push_str(&line(name, &outcomes));
    }
    insta::assert_snapshot!(matrix);

    let Definition::Union(union) = ClientMessage::DEFINITION else { panic!() };
    let kinds: BTreeSet<String> = union.variants.iter().map(|variant| variant.tag.to_owned()).collect();
    assert_eq!(seen, kinds, "every kind has a row");
}

/// The table and the function of the message agree where the content adds nothing.
#[test]
fn a_scope_only_rises_with_the_content() {
    for text in FIXTURES.lines() {
        let message = ClientMessage::parse(text).unwrap();
        let row = ClientMessage::SCOPES.iter().find(|row| row.0 == message.tag()).unwrap();
        assert!(message.need().scope >= row.1, "{text}");
        let names_one = serde_json::from_str::<Value>(text).unwrap().get("sessionId").is_some();
        let is_start = message.tag() == "start";
        assert_eq!(message.session_id().is_some(), names_one && !is_start, "{text}");
    }
}
