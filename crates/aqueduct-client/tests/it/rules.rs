//! Permissions by rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aqueduct_client::rules::{Behavior, PermissionRules};
use aqueduct_client::{Permission, Session};
use serde_json::{Value, json};

use crate::peer::Peer;

fn call(tool: &str, input: Value) -> Value {
    json!({"subtype": "can_use_tool", "tool_name": tool, "input": input})
}

fn bash(command: &str) -> Value {
    call("Bash", json!({"command": command}))
}

#[tokio::test]
async fn the_handler_decides_what_rules_do_not() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("notes")).unwrap();
    std::os::unix::fs::symlink("/etc", folder.path().join("notes/etc")).unwrap();
    let rules = PermissionRules::new(folder.path())
        .allow(["Bash(make:*)", "Edit(notes/**)"])
        .and_then(|rules| rules.deny(["Bash(rm:*)"]))
        .and_then(|rules| rules.ask(["Bash(make clean)"]))
        .unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let handler = rules.or(move |request| {
        count.fetch_add(1, Ordering::Relaxed);
        async move { Permission::deny(format!("asked about {}", request.tool())) }
    });
    let (mut peer, _session, _events) = Peer::start(Session::builder().on_permission(handler)).await;
    let allowed = peer.served(bash("make test")).await;
    assert_eq!(allowed, json!({"behavior": "allow", "updatedInput": {"command": "make test"}}));
    let denied = peer.served(bash("make test && rm -r build")).await;
    assert_eq!(denied["behavior"], "deny");
    assert!(denied["message"].as_str().unwrap().contains("Bash(rm:*)"), "{denied}");
    let note = folder.path().join("notes/a.md");
    let written = peer.served(call("Write", json!({"file_path": note, "content": "a"}))).await;
    assert_eq!(written["behavior"], "allow");
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    // An ask rule; no rule; a link that leads out; a reading that only looks harmless; a question.
    let linked = folder.path().join("notes/etc/hosts");
    for (number, request) in [
        bash("make clean"),
        bash("touch x"),
        call("Write", json!({"file_path": linked, "content": ""})),
        bash("cat x"),
        call("AskUserQuestion", json!({"questions": []})),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = peer.served(request).await;
        assert!(answer["message"].as_str().unwrap().starts_with("asked about"), "{answer}");
        assert_eq!(asked.load(Ordering::Relaxed), number + 1);
    }
}

#[tokio::test]
async fn nobody_can_be_asked() {
    let rules = PermissionRules::new("/proj").allow(["mcp__files"]).unwrap();
    let builder = Session::builder().on_permission(rules.or_deny("Only files."));
    let (mut peer, _session, _events) = Peer::start(builder).await;
    assert_eq!(peer.served(call("mcp__files__read", json!({}))).await["behavior"], "allow");
    assert_eq!(peer.served(bash("ls")).await, json!({"behavior": "deny", "message": "Only files."}));
}

#[test]
fn rules_that_cannot_be_used() {
    let mut rules = PermissionRules::new("/proj");
    let error = rules.add_rules(Behavior::Deny, ["Bash(rm:*)", "Bash(mv", "read(x)"]).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("deny[1]: rule `Bash(mv`") && message.contains("did you mean `Read`?"),
        "{message}"
    );
    assert_eq!(error.rules().len(), 2);
}
