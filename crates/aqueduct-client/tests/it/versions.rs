//! Agents of other versions, and what is not asked of them.

use std::time::Duration;

use aqueduct_client::{Child, Error, Outcome, Session, Version, probe};
use aqueduct_testing::yield_until;
use aqueduct_wire::hint::HintedError as _;
use serde_json::json;

use crate::alone::alone;
use crate::peer::Peer;
use crate::script::Script;

#[test]
fn a_request_that_the_agent_is_too_old_for() {
    alone(async || {
        // It would never answer; it receives only the prompt.
        let agent = Script::new(
            r#"ask; case "$line" in *'"type":"user"'*) result prompt;; *) result "$line";; esac"#,
        );
        let (session, events) = agent.builder().env("VERSION", "2.1.37").start().await.unwrap();
        drop(events);
        let error = session.cancel_queued("x").await.unwrap_err();
        assert_eq!(
            error.advised(),
            "the request cancel_async_message needs an agent of version 2.1.325 or later, and this one is 2.1.37. \
             Update the agent, or do without"
        );
        assert!(matches!(session.context_usage().await, Err(Error::Unsupported { .. })));
        let Outcome::Done(report) = session.turn("hello").await.unwrap() else { panic!("not done") };
        assert_eq!(report.text(), "prompt", "nothing was sent before");
        assert_eq!(session.version().await, Some(Version::OLDEST));
        assert_eq!(session.capabilities().knows("cancel_async_message"), Some(false));
        assert_eq!(session.capabilities().knows("interrupt"), Some(true));
        assert_eq!(session.capabilities().knows("from_the_future"), None);
        session.close().await;
    });
}

#[test]
fn an_option_that_the_agent_is_too_old_for() {
    alone(async || {
        let agent = Script::new("").builder().env("VERSION", "2.1.74");
        let error = agent.effort(aqueduct_client::Effort::Low).hook_events(true).start().await.unwrap_err();
        let Error::Unsupported { what, needs, has } = error else { panic!("{error:?}") };
        assert_eq!(
            (what.as_str(), needs, has),
            ("the option --include-hook-events", Version::new(2, 1, 325), Version::new(2, 1, 74))
        );
        // One that it knows is fine.
        let agent = Script::new("").builder().env("VERSION", "2.1.74");
        let (session, events) = agent.effort(aqueduct_client::Effort::Low).start().await.unwrap();
        drop(events);
        session.close().await;
    });
}

#[tokio::test]
async fn what_the_agent_reports_counts() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    assert_eq!((session.version().await, session.id()), (None, None));
    let agent = async {
        peer.prompted().await;
        peer.say(json!({
            "type": "system", "subtype": "init", "session_id": "5e55", "claude_code_version": "2.1.74",
            "capabilities": ["interrupt_receipt_v1"],
        }))
        .await;
        peer.result("done").await;
    };
    let (outcome, ()) = tokio::join!(session.turn("hello"), agent);
    outcome.unwrap();
    assert_eq!(session.version().await, Some(Version::new(2, 1, 74)));
    assert_eq!(session.id().as_deref(), Some("5e55"));
    assert!(session.capabilities().has("interrupt_receipt_v1"));
    assert_eq!(session.capabilities().named(), ["interrupt_receipt_v1"]);
    // Refused before it is sent: no answer would ever come.
    assert!(matches!(session.cancel_queued("x").await, Err(Error::Unsupported { .. })));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_given_up() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let (answer, asked) = tokio::join!(session.interrupt(), peer.asked("interrupt"));
    assert!(matches!(answer, Err(Error::TimedOut { .. })));
    // An agent of unknown version receives no cancellation: the oldest crash on it. The next line it reads is the next
    // request.
    let agent = async {
        peer.asked("set_model").await.answer(&mut peer, json!({"claude_code_version": "x"})).await;
        asked.answer(&mut peer, json!({})).await;
        peer
    };
    let (answer, mut peer) = tokio::join!(session.set_model(None), agent);
    answer.unwrap();
    // One that is young enough is.
    peer.say(
        json!({"type": "system", "subtype": "init", "session_id": "s", "claude_code_version": "2.1.325"}),
    )
    .await;
    yield_until("the version is known", async || session.version().await.is_some()).await;
    let (answer, asked) = tokio::join!(session.interrupt(), peer.asked("interrupt"));
    assert!(matches!(answer, Err(Error::TimedOut { .. })));
    assert_eq!(peer.receive().await, Some(json!({"type": "control_cancel_request", "request_id": asked.id})));
}

#[tokio::test]
async fn hooks_that_must_block() {
    let guard = || {
        let event = aqueduct_wire::hook::HookEvent::PreToolUse;
        let hook = aqueduct_client::Hook::new(event, |_| async { aqueduct_wire::hook::HookOutput::new() });
        Session::builder().hook(hook.blocking_on_failure())
    };
    for (reply, is_fine) in [
        (json!({}), false),
        (json!({"hook_on_failure_supported": true}), true),
        (json!({"hook_on_failure_supported": true, "hooks_applied": false}), false),
    ] {
        let (mut peer, builder) = Peer::new(guard());
        let agent = async {
            let asked = peer.asked("initialize").await;
            assert_eq!(asked.request["hooks"]["PreToolUse"][0]["onFailure"], "block");
            asked.answer(&mut peer, reply.clone()).await;
            peer
        };
        let (_peer, started) = tokio::join!(agent, builder.start());
        assert_eq!(started.is_ok(), is_fine, "{reply}");
        if let Err(error) = started {
            assert!(matches!(error, Error::Unsupported { .. }), "{error:?}");
        }
    }
}

fn shell(script: &str) -> Child {
    Child {
        program: "/bin/sh".into(),
        arguments: ["-c", script, "sh"].map(Into::into).to_vec(),
        ..Child::default()
    }
}

#[test]
fn probes() {
    alone(async || {
        // Arguments before the flag are kept: many agents are started through another program.
        let found = probe(&shell("echo \"2.1.74 ($1)\"")).await.unwrap();
        assert_eq!((found.version, found.line.as_str()), (Version::new(2, 1, 74), "2.1.74 (--version)"));
        let error = probe(&shell("echo v20.1")).await.unwrap_err();
        assert_eq!(
            error.advised(),
            "the agent's answer to --version can't be read: v20.1. See `aqueduct wire check` for what changed"
        );
        assert!(matches!(probe(&shell("exit 1")).await, Err(Error::Unreadable { .. })));
        assert!(matches!(probe(&shell("yes | tr -d '\\n'")).await, Err(Error::Unreadable { .. })));
        // One that has answered and continues to run is ended, with all that it started.
        let found = probe(&shell("sleep 1000 & echo 2.1.37; sleep 1000")).await.unwrap();
        assert_eq!(found.version, Version::OLDEST);
        // So is one that is not waited for.
        let stuck = shell("sleep 1000 & sleep 1000");
        tokio::time::timeout(Duration::from_millis(100), probe(&stuck)).await.unwrap_err();
    });
}
