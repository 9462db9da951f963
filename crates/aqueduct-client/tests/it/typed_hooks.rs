//! Typed hooks: what each answer is on the wire.

use aqueduct_client::hook::{PermissionRequestCall, PreToolUseCall, SessionStartCall};
use aqueduct_client::{Hook, Session};
use aqueduct_wire::hook::{HookOutput, PermissionRequestInput, PreToolUseInput, SessionStartInput};
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::BashInput;
use serde_json::{Value, json};

use crate::peer::Peer;

/// What a hook answers to an input.
async fn answered(hook: Hook, input: Value) -> Value {
    let (mut peer, _session, _events) = Peer::start(Session::builder().hook(hook)).await;
    peer.served(json!({"subtype": "hook_callback", "callback_id": "hook_0", "input": input})).await
}

fn bash() -> Value {
    json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}})
}

fn on_wire(answer: impl Into<HookOutput<'static>>) -> Value {
    Raw::written(&answer.into()).to().unwrap()
}

#[tokio::test]
async fn proceeding_with_input_and_context() {
    let hook = Hook::pre_tool_use(|call| async move {
        assert_eq!(call.tool_name, "Bash");
        call.proceed().with_context("It is late.").with_input(json!({"command": "ls -a"}))
    });
    assert_eq!(
        answered(hook, bash()).await,
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "updatedInput": {"command": "ls -a"}, "additionalContext": "It is late.",
        }})
    );
    let typed = Hook::pre_tool_use(|call| async move {
        let mut input = call.tool_input.view::<BashInput<'_>>().unwrap();
        input.command = "pwd".into();
        call.allow().with_input(input)
    });
    let answer = answered(typed, bash()).await;
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "allow");
    assert_eq!(answer["hookSpecificOutput"]["updatedInput"], json!({"command": "pwd"}));
    assert_eq!(answered(Hook::pre_tool_use(|call| async move { call.proceed() }), bash()).await, json!({}));
}

#[tokio::test]
async fn blocking() {
    let stop = Hook::stop(|call| async move { call.block("Not yet.").with_message("One more round") });
    let input = json!({"hook_event_name": "Stop", "stop_hook_active": false});
    assert_eq!(
        answered(stop, input).await,
        json!({"decision": "block", "reason": "Not yet.", "systemMessage": "One more round"})
    );
    let prompt = Hook::user_prompt_submit(|call| async move {
        call.block(format!("no {}", call.prompt)).with_hidden_prompt()
    });
    let input = json!({"hook_event_name": "UserPromptSubmit", "prompt": "secrets"});
    assert_eq!(
        answered(prompt, input).await,
        json!({
            "decision": "block", "reason": "no secrets",
            "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "suppressOriginalPrompt": true},
        })
    );
}

#[tokio::test]
async fn an_input_of_another_shape_is_refused() {
    let hook = Hook::pre_tool_use(|call| async move { call.proceed() });
    let (mut peer, _session, _events) = Peer::start(Session::builder().hook(hook)).await;
    let input = json!({"hook_event_name": "PreToolUse"});
    peer.ask("r1", json!({"subtype": "hook_callback", "callback_id": "hook_0", "input": input})).await;
    let answer = peer.answered("r1").await;
    assert_eq!(answer["subtype"], "error", "{answer}");
    assert!(answer["error"].as_str().unwrap().contains("PreToolUse"), "{answer}");
}

#[tokio::test]
async fn an_event_of_the_future() {
    let hook = Hook::new("FromTheFuture", |call| async move { call.block(call.input().tag()) });
    let (mut peer, builder) = Peer::new(Session::builder().hook(hook));
    let agent = async {
        let asked = peer.asked("initialize").await;
        assert_eq!(asked.request["hooks"], json!({"FromTheFuture": [{"hookCallbackIds": ["hook_0"]}]}));
        asked.answer(&mut peer, json!({})).await;
        peer
    };
    let (mut peer, started) = tokio::join!(agent, builder.start());
    let _started = started.unwrap();
    let input = json!({"hook_event_name": "FromTheFuture", "x": 1});
    let answer =
        peer.served(json!({"subtype": "hook_callback", "callback_id": "hook_0", "input": input})).await;
    assert_eq!(answer, json!({"decision": "block", "reason": "FromTheFuture"}));
}

#[test]
fn calls_can_be_made_in_tests() {
    let call = PreToolUseCall::from(PreToolUseInput::new("Bash", json!({"command": "ls"})));
    let denied = on_wire(call.deny("no"));
    assert_eq!(
        denied,
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no",
        }})
    );
    assert_eq!(on_wire(call.block("no")), denied);
    assert_eq!(on_wire(call.stop("enough")), json!({"continue": false, "stopReason": "enough"}));

    let call = PermissionRequestCall::from(PermissionRequestInput::new("Bash", json!({"command": "ls"})));
    assert_eq!(
        on_wire(call.allow_with(json!({"command": "pwd"}))),
        json!({"hookSpecificOutput": {
            "hookEventName": "PermissionRequest",
            "decision": {"behavior": "allow", "updatedInput": {"command": "pwd"}},
        }})
    );
    let call = SessionStartCall::from(SessionStartInput::new());
    assert_eq!(
        on_wire(call.proceed().with_context("c").with_title("t").with_first_prompt("p").with_watched(["/a"])),
        json!({"hookSpecificOutput": {
            "hookEventName": "SessionStart", "additionalContext": "c", "initialUserMessage": "p",
            "sessionTitle": "t", "watchPaths": ["/a"],
        }})
    );
}
