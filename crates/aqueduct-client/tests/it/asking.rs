//! Requests of the agent and their responses.

use aqueduct_client::{Answers, Dialog, Elicitation, Hook, Outcome, Permission, PermissionRequest, Session};
use aqueduct_wire::control::{InitializeRequest, PermissionAllow, PermissionReply};
use aqueduct_wire::hook::{HookEvent, HookInput, HookOutput};
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::ControlError;
use aqueduct_wire::tool::BashInput;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::peer::Peer;

fn raw(value: Value) -> Raw<'static> {
    Raw::from_serialize(&value).unwrap()
}

fn bash() -> Value {
    json!({
        "subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "toolu_1",
        "permission_suggestions": [{
            "type": "addRules", "behavior": "allow", "destination": "session",
            "rules": [{"toolName": "Bash", "ruleContent": "ls:*"}],
        }],
    })
}

async fn decided(decide: fn(&PermissionRequest) -> Permission) -> Value {
    let builder = Session::builder().on_permission(move |request| async move { decide(&request) });
    let (mut peer, _session, _events) = Peer::start(builder).await;
    peer.served(bash()).await
}

#[tokio::test]
async fn permissions() {
    assert_eq!(
        decided(|_| Permission::allow()).await,
        json!({
            "behavior": "allow", "updatedInput": {"command": "ls"}, "toolUseID": "toolu_1",
            "decisionClassification": "user_temporary",
        })
    );
    assert_eq!(
        decided(|_| Permission::allow_with(json!({"command": "pwd"}))).await["updatedInput"],
        json!({"command": "pwd"})
    );
    let typed = decided(|request| {
        let mut bash = request.input().view::<BashInput<'_>>().unwrap();
        bash.timeout = Some(5.into());
        Permission::allow_with(bash)
    });
    assert_eq!(typed.await["updatedInput"], json!({"command": "ls", "timeout": 5}));
    let always = decided(|request| Permission::allow_always(request.suggestions().to_vec())).await;
    assert_eq!(always["updatedPermissions"], bash()["permission_suggestions"]);
    assert_eq!(always["decisionClassification"], "user_permanent");
    assert_eq!(
        decided(|request| Permission::deny(format!("no {}", request.tool()))).await,
        json!({
            "behavior": "deny", "message": "no Bash", "toolUseID": "toolu_1",
            "decisionClassification": "user_reject",
        })
    );
    let interrupting = decided(|_| Permission::deny_and_interrupt("stop")).await;
    assert_eq!((&interrupting["behavior"], &interrupting["interrupt"]), (&json!("deny"), &json!(true)));
}

#[tokio::test]
async fn denied_and_interrupted_by_an_agent_that_does_not_report_it() {
    let builder = Session::builder().on_permission(|_| async { Permission::deny_and_interrupt("stop") });
    let (mut peer, session, _events) = Peer::start(builder).await;
    let agent = async {
        peer.prompted().await;
        peer.served(bash()).await;
        peer.say(json!({"type": "result", "subtype": "error_during_execution", "is_error": false})).await;
    };
    let (outcome, ()) = tokio::join!(session.turn("hello"), agent);
    assert!(matches!(outcome.unwrap(), Outcome::Interrupted(Some(_))));
}

fn question() -> Value {
    json!({"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": {"questions": [
        {"question": "Which?", "header": "W", "multiSelect": true, "options": [{"label": "a", "description": ""}, {"label": "b", "description": ""}]},
        {"question": "Why?", "header": "Y", "multiSelect": false, "options": [{"label": "c", "description": ""}, {"label": "d", "description": ""}]},
    ]}})
}

#[tokio::test]
async fn questions() {
    let builder = Session::builder().on_question(|asked| async move {
        let mut answers = Answers::new();
        let [which, why] = asked.questions() else { panic!("two questions") };
        answers.choose(&which.question, which.options.iter().map(|option| &*option.label));
        answers.say(&why.question, "Because \"I\" say so");
        answers
    });
    let (mut peer, _session, _events) = Peer::start(builder).await;
    let answer = peer.served(question()).await;
    assert_eq!(answer["behavior"], "allow");
    assert_eq!(answer["updatedInput"]["questions"], question()["input"]["questions"]);
    assert_eq!(answer["updatedInput"]["answers"], json!({"Which?": "a, b", "Why?": "Because \"I\" say so"}));
}

#[tokio::test]
async fn questions_without_a_handler() {
    let declining = Session::builder().on_question(|_| async { Answers::declined("later") });
    let (mut peer, _session, _events) = Peer::start(declining).await;
    assert_eq!(peer.served(question()).await, json!({"behavior": "deny", "message": "later"}));
    // Without a handler for questions they are a tool like any other; so is one that can't be read.
    let other = Session::builder().on_permission(|request| async move { Permission::deny(request.tool()) });
    let (mut peer, _session, _events) = Peer::start(other).await;
    assert_eq!(peer.served(question()).await["message"], "AskUserQuestion");
    let both = Session::builder()
        .on_question(|_| async { Answers::new() })
        .on_permission(|request| async move { Permission::deny(request.input().as_str()) });
    let (mut peer, _session, _events) = Peer::start(both).await;
    let odd = json!({"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": {"questions": 3}});
    assert_eq!(peer.served(odd).await["message"], r#"{"questions":3}"#);
}

#[tokio::test]
async fn hooks() {
    let hook = |event: HookEvent<'static>| {
        Hook::new(event, |call| async move {
            let mut output = HookOutput::new();
            output.system_message = Some(match call.input() {
                HookInput::PreToolUse(_) => format!("before {}", call.tool().unwrap()).into(),
                _ => "something else".into(),
            });
            output
        })
    };
    let builder = Session::builder()
        .hook(
            hook(HookEvent::PreToolUse).matching("Bash").with_timeout(std::time::Duration::from_millis(1500)),
        )
        .hook(hook(HookEvent::Stop))
        .hook(hook(HookEvent::PreToolUse));
    let (mut peer, builder) = Peer::new(builder);
    let agent = async {
        let asked = peer.asked("initialize").await;
        asked.answer(&mut peer, json!({})).await;
        (peer, asked.request["hooks"].clone())
    };
    let ((mut peer, hooks), started) = tokio::join!(agent, builder.start());
    let _started = started.unwrap();
    assert_eq!(
        hooks,
        json!({
            "PreToolUse": [
                {"matcher": "Bash", "hookCallbackIds": ["hook_0"], "timeout": 1.5},
                {"hookCallbackIds": ["hook_2"]},
            ],
            "Stop": [{"hookCallbackIds": ["hook_1"]}],
        })
    );
    let call =
        |id: &str, input: Value| json!({"subtype": "hook_callback", "callback_id": id, "input": input});
    let input = json!({"hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "t", "cwd": "/proj", "tool_name": "Bash", "tool_input": {}, "tool_use_id": "x"});
    assert_eq!(peer.served(call("hook_0", input)).await, json!({"systemMessage": "before Bash"}));
    let stop = json!({"hook_event_name": "Stop", "session_id": "s", "transcript_path": "t", "cwd": "/proj", "stop_hook_active": false});
    assert_eq!(peer.served(call("hook_1", stop)).await, json!({"systemMessage": "something else"}));
}

#[tokio::test]
async fn elicitations_and_dialogs() {
    let builder = Session::builder()
        .on_elicitation(|form| async move {
            match form.server() {
                "good" => Elicitation::Accept(Some(raw(json!({"name": form.message()})))),
                _ => Elicitation::Cancel,
            }
        })
        .on_dialog(["pick"], |dialog| async move { Dialog::Completed(raw(json!(dialog.kind()))) })
        // Set later, without losing anything above.
        .initialize({
            let mut request = InitializeRequest::new();
            request.title = Some("a title".into());
            request
        });
    let (mut peer, builder) = Peer::new(builder);
    let agent = async {
        let asked = peer.asked("initialize").await;
        assert_eq!(
            (&asked.request["title"], &asked.request["supportedDialogKinds"]),
            (&json!("a title"), &json!(["pick"]))
        );
        asked.answer(&mut peer, json!({})).await;
        peer
    };
    let (mut peer, started) = tokio::join!(agent, builder.start());
    let _started = started.unwrap();
    let elicitation =
        |server: &str| json!({"subtype": "elicitation", "mcp_server_name": server, "message": "who?"});
    assert_eq!(
        peer.served(elicitation("good")).await,
        json!({"action": "accept", "content": {"name": "who?"}})
    );
    assert_eq!(peer.served(elicitation("bad")).await, json!({"action": "cancel"}));
    let dialog = json!({"subtype": "request_user_dialog", "dialog_kind": "pick", "payload": {}});
    assert_eq!(peer.served(dialog).await, json!({"behavior": "completed", "result": "pick"}));
}

#[tokio::test]
async fn the_rest() {
    let (sender, mut taken) = mpsc::channel(8);
    let builder = Session::builder().on_request(move |asked| sender.try_send(asked).unwrap());
    let (mut peer, _session, _events) = Peer::start(builder).await;
    peer.ask("one", json!({"subtype": "something_new", "x": 1e2})).await;
    peer.ask("two", bash()).await;
    // They arrive in order, and are answered from elsewhere, later, in another.
    let (one, two) = (taken.recv().await.unwrap(), taken.recv().await.unwrap());
    assert_eq!((one.request.tag(), two.request.tag()), ("something_new", "can_use_tool"));
    assert_eq!(two.responder.id(), "two");
    two.responder.answer(&Raw::parse(r#"{"behavior":"deny","message":"no"}"#).unwrap());
    assert_eq!(peer.answered("two").await["response"]["behavior"], "deny");
    one.responder.refuse(ControlError::new("later", "Not now"));
    let answer = peer.answered("one").await;
    assert_eq!((&answer["error"], &answer["error_code"]), (&json!("Not now"), &json!("later")));
    // A withdrawn request is cancelled, and its answer is dropped.
    peer.ask("three", bash()).await;
    peer.say(json!({"type": "control_cancel_request", "request_id": "three"})).await;
    peer.ask("four", bash()).await;
    let (three, four) = (taken.recv().await.unwrap(), taken.recv().await.unwrap());
    three.responder.withdrawn().await;
    three.responder.decide(PermissionReply::Allow(PermissionAllow::new()));
    drop(four);
    let answer = peer.answered("four").await;
    assert_eq!(answer["response"]["behavior"], "deny", "a dropped responder answers for itself");
}
