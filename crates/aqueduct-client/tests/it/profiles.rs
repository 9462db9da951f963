//! Agents of another dialect. What Qwen Code sends here, its version 0.15.10 sent.

use aqueduct_client::{
    Answers, Error, Hook, OPTIONS, Outcome, PROFILES, Permission, Profile, Session, Thinking,
};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::hook::{HookEvent, HookOutput};
use aqueduct_wire::permission::PermissionMode;
use serde_json::{Value, json};

use crate::peer::Peer;

fn arguments(builder: aqueduct_client::Builder) -> Result<Vec<String>, Error> {
    let child = builder.child()?;
    Ok(child.arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect())
}

fn qwen() -> aqueduct_client::Builder {
    Session::builder().program("/opt/bin/qwen")
}

fn write_file() -> Value {
    json!({
        "subtype": "can_use_tool", "tool_name": "write_file", "tool_use_id": "call_0004",
        "input": {"file_path": "/proj/x.txt", "content": "abc"},
        "permission_suggestions": [{"type": "allow", "label": "Allow Edit", "description": "Edit file: x.txt"}],
        "blocked_path": null,
    })
}

#[test]
fn options_become_the_flags_of_the_profile() {
    let builder = qwen()
        .model("qwen3")
        .permission_mode(PermissionMode::AcceptEdits)
        .allowed_tools(["read_file", "write_file"])
        .max_turns(3u32)
        .no_session_persistence(true)
        .resume("0e247808-b5ba-4658-9d0c-68751b24d4b4")
        .on_permission(|_| async { Permission::allow() });
    insta::assert_snapshot!(arguments(builder).unwrap().join("\n"), @r"
    --output-format
    stream-json
    --input-format
    stream-json
    --model=qwen3
    --approval-mode=auto-edit
    --allowed-tools=read_file,write_file
    --resume=0e247808-b5ba-4658-9d0c-68751b24d4b4
    --chat-recording=false
    --max-session-turns=3
    ");
}

#[test]
fn an_option_that_the_agent_lacks_is_refused() {
    let error = arguments(qwen().max_budget_usd(1.5)).unwrap_err();
    insta::assert_snapshot!(error.advised(), @"Qwen Code has no --max-budget-usd. Limit the turns with --max-turns");
    let error = arguments(qwen().thinking(Thinking::Disabled)).unwrap_err();
    insta::assert_snapshot!(error.advised(), @"Qwen Code has no --thinking. Set it in Qwen Code's settings.json instead");
    let error = arguments(qwen().permission_mode(PermissionMode::DontAsk)).unwrap_err();
    insta::assert_snapshot!(error.advised(), @"Qwen Code has no permission mode dontAsk. Its modes are default, manual, plan, acceptEdits, bypassPermissions");
    let hook = Hook::new(HookEvent::PreToolUse, |_| async { HookOutput::new() });
    let error = arguments(qwen().hook(hook)).unwrap_err();
    insta::assert_snapshot!(error.advised(), @"Qwen Code has no hooks of its host. Set hooks up in its own settings");
    assert!(arguments(qwen().fork_session(false)).is_ok(), "a switch that is off asks for nothing");
}

#[test]
fn a_profile_can_be_chosen_and_otherwise_follows_from_the_program() {
    assert_eq!(Profile::of_program("/usr/bin/qwen".as_ref()), Profile::QWEN);
    assert_eq!(Profile::of_program("claude".as_ref()), Profile::REFERENCE);
    assert_eq!(Profile::of_program("my-agent".as_ref()), Profile::REFERENCE);
    let given = arguments(Session::builder().program("my-agent").profile(Profile::QWEN)).unwrap();
    assert!(!given.contains(&"--verbose".to_owned()), "{given:?}");
}

#[test]
fn profiles_name_options_that_exist() {
    for profile in PROFILES {
        assert_eq!(Profile::named(profile.name), Some(*profile));
        for (name, _) in profile.flags {
            assert!(OPTIONS.iter().any(|option| option.name == *name), "{}: {name}", profile.name);
        }
    }
}

#[tokio::test]
async fn suggestions_of_another_form_are_left_out() {
    let builder = qwen().on_permission(|request| async move {
        assert!(request.suggestions().is_empty(), "{request:?}");
        Permission::allow()
    });
    let (mut peer, _session, _events) = Peer::start(builder).await;
    assert_eq!(peer.served(write_file()).await["behavior"], "allow");
}

#[tokio::test]
async fn without_a_callback_a_permission_is_denied_with_a_reason() {
    for (builder, reason) in [
        (qwen(), "Permission was not granted"),
        (Session::builder(), "Permission was not granted"),
        (qwen().denial("No terminal here."), "No terminal here."),
        (Session::builder().denial("No terminal here."), "No terminal here."),
    ] {
        let (mut peer, _session, _events) = Peer::start(builder).await;
        let answer = peer.served(write_file()).await;
        assert_eq!(answer["behavior"], "deny", "{answer}");
        assert!(answer["message"].as_str().unwrap().starts_with(reason), "{answer}");
    }
}

#[tokio::test]
async fn answers_reach_a_model_whose_agent_drops_them() {
    let builder = qwen().on_question(|asked| async move {
        let mut answers = Answers::new();
        answers.choose(&asked.questions()[0].question, ["B"]);
        answers
    });
    let (mut peer, _session, _events) = Peer::start(builder).await;
    let input = json!({"questions": [{
        "question": "Which?", "header": "Pick", "multiSelect": false,
        "options": [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}],
    }]});
    let asked = json!({"subtype": "can_use_tool", "tool_name": "ask_user_question", "tool_use_id": "c", "input": input});
    let answer = peer.served(asked).await;
    assert_eq!(answer["behavior"], "deny");
    assert_eq!(answer["message"], "The user answered the questions:\nWhich? B");
}

#[tokio::test]
async fn requests_are_translated_or_refused() {
    let (mut peer, session, _events) = Peer::start(qwen()).await;
    let asking = session.clone();
    let asked =
        tokio::spawn(async move { asking.set_permission_mode(PermissionMode::BypassPermissions).await });
    let request = peer.asked("set_permission_mode").await;
    assert_eq!(request.request["mode"], "yolo");
    request.answer(&mut peer, json!({"status": "updated", "mode": "yolo"})).await;
    asked.await.unwrap().unwrap();
    let error = session.rewind_files("x").await.unwrap_err();
    insta::assert_snapshot!(error.advised(), @"Qwen Code has no request rewind_files. Do without, or use another agent");
    let error = session.set_model(None).await.unwrap_err();
    insta::assert_snapshot!(error.advised(), @"Qwen Code has no default model to return to. Name the model");
}

#[tokio::test]
async fn an_interrupt_that_ends_the_agent_is_an_interruption() {
    let (mut peer, session, events) = Peer::start(qwen()).await;
    drop(events);
    let turn = tokio::spawn({
        let session = session.clone();
        async move { session.turn("Say a lot.").await }
    });
    peer.prompted().await;
    let interrupting = tokio::spawn({
        let session = session.clone();
        async move { session.interrupt().await }
    });
    let request = peer.asked("interrupt").await;
    request.answer(&mut peer, json!({"subtype": "interrupt"})).await;
    interrupting.await.unwrap().unwrap();
    drop(peer);
    assert_eq!(turn.await.unwrap().unwrap(), Outcome::Interrupted(None));
}

#[tokio::test]
async fn a_denial_that_interrupts_is_followed_by_an_interrupt() {
    let builder = qwen().on_permission(|_| async { Permission::deny_and_interrupt("stop") });
    let (mut peer, _session, _events) = Peer::start(builder).await;
    assert_eq!(peer.served(write_file()).await["behavior"], "deny");
    peer.asked("interrupt").await;
}
