//! Callbacks that panic, never return or never answer, and agents that ask for too much.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aqueduct_client::mcp::{McpServer, Tool, ToolResult};
use aqueduct_client::{Hook, Outcome, Permission};
use aqueduct_wire::hook::{HookEvent, HookOutput};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::alone::alone;
use crate::script::Script;

/// Asks, and returns the response as the text of a result. Quotes become `^`.
const ECHO: &str = r#"ask; echo "$REQUEST"; ask; result "$(printf %s "$line" | tr '"' ^)""#;

fn request(request: &str) -> String {
    format!(r#"{{"type":"control_request","request_id":"r","request":{request}}}"#)
}

const BASH: &str = r#"{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}"#;

async fn reported(builder: aqueduct_client::Builder, asked: &str) -> Value {
    let (session, events) = builder.env("REQUEST", request(asked)).start().await.unwrap();
    drop(events);
    let Outcome::Done(report) = session.turn("hello").await.unwrap() else { panic!("not done") };
    session.close().await;
    serde_json::from_str(&report.text().replace('^', "\"")).unwrap()
}

fn panicked(reported: &Value) {
    assert_eq!(reported["response"]["subtype"], "error", "{reported}");
    assert_eq!(reported["response"]["error_code"], "internal_error", "{reported}");
}

#[test]
fn that_panic() {
    alone(async || {
        let agent = Script::new(ECHO);
        // Before the first await, behind it, and where there is none.
        let at_once = |_| -> std::future::Ready<Permission> { panic!("on purpose") };
        panicked(&reported(agent.builder().on_permission(at_once), BASH).await);
        let later = |_| async {
            tokio::task::yield_now().await;
            panic!("on purpose")
        };
        panicked(&reported(agent.builder().on_permission(later), BASH).await);
        panicked(&reported(agent.builder().on_request(|_| panic!("on purpose")), BASH).await);
        let hook: fn(_) -> std::future::Ready<HookOutput<'static>> = |_| panic!("on purpose");
        let hook = Hook::new(HookEvent::Stop, hook);
        let stop = r#"{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"Stop"}}"#;
        panicked(&reported(agent.builder().hook(hook), stop).await);
        // The model receives that a tool failed, and continues.
        let tool: fn(Value) -> std::future::Ready<ToolResult> = |_| panic!("on purpose");
        let server = McpServer::new("s").tool(Tool::with_schema("t", "", json!({}), tool));
        let call = r#"{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}}"#;
        let answer = reported(agent.builder().mcp(server), call).await;
        assert_eq!(answer["response"]["response"]["mcp_response"]["result"]["isError"], true, "{answer}");
    });
}

#[test]
fn no_user_to_ask() {
    alone(async || {
        let agent = Script::new(ECHO);
        let answer = reported(agent.builder(), BASH).await;
        assert_eq!(answer["response"]["response"]["behavior"], "deny", "{answer}");
        for asked in [
            r#"{"subtype":"hook_callback","callback_id":"x","input":{}}"#,
            r#"{"subtype":"mcp_message","server_name":"s","message":{}}"#,
            r#"{"subtype":"something_new"}"#,
            r#"{"subtype":"can_use_tool"}"#,
            r#"{}"#,
        ] {
            let answer = reported(agent.builder(), asked).await;
            assert_eq!(answer["response"]["subtype"], "error", "{asked}: {answer}");
        }
        let elicitation = r#"{"subtype":"elicitation","mcp_server_name":"s","message":"who?"}"#;
        let answer = reported(agent.builder(), elicitation).await;
        assert_eq!(answer["response"]["response"], json!({"action": "decline"}));
    });
}

#[test]
fn a_dropped_responder() {
    alone(async || {
        let agent = Script::new(ECHO);
        let answer = reported(agent.builder().on_request(drop), BASH).await;
        assert_eq!(answer["response"]["response"]["behavior"], "deny", "{answer}");
    });
}

#[test]
fn that_never_return() {
    alone(async || {
        /// Reports when it is dropped.
        struct Dropped(Option<oneshot::Sender<()>>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                let _ = self.0.take().unwrap().send(());
            }
        }
        let cancel = r#"{"type":"control_cancel_request","request_id":"r"}"#;
        let agent = Script::new("ask; echo \"$REQUEST\"; ask; echo \"$CANCEL\"; answer; result; ask; result");
        let (dropped, is_dropped) = oneshot::channel();
        let (asked, is_asked) = oneshot::channel();
        let once = std::sync::Mutex::new(Some((Dropped(Some(dropped)), asked)));
        let builder = agent.builder().env("REQUEST", request(BASH)).env("CANCEL", cancel);
        let builder = builder.on_permission(move |_| {
            let (dropped, asked) = once.lock().unwrap().take().unwrap();
            async move {
                asked.send(()).unwrap();
                std::future::pending::<()>().await;
                drop(dropped);
                Permission::allow()
            }
        });
        let (session, events) = builder.start().await.unwrap();
        drop(events);
        session.send("hello").await.unwrap();
        is_asked.await.unwrap();
        session.interrupt().await.unwrap();
        // The agent took its question back, so the future is dropped though it never came to an end.
        is_dropped.await.unwrap();
        assert!(matches!(session.turn("more").await.unwrap(), Outcome::Done(_)));
        session.close().await;
    });
}

#[test]
fn that_still_run_when_the_agent_goes() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; echo \"$REQUEST\"; ask; exit 2");
        let running = Arc::new(());
        let builder = agent.builder().env("REQUEST", request(BASH)).on_permission({
            let running = running.clone();
            move |_| {
                let running = running.clone();
                async move {
                    std::future::pending::<()>().await;
                    drop(running);
                    Permission::allow()
                }
            }
        });
        let (session, events) = builder.start().await.unwrap();
        drop(events);
        session.send("hello").await.unwrap();
        while Arc::strong_count(&running) < 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        session.send("and die").await.unwrap();
        session.ended().await;
        assert_eq!(Arc::strong_count(&running), 1, "neither the callback nor what it ran is left");
    });
}

#[test]
fn thousands_at_once() {
    alone(async || {
        // The agent asks all of it before it reads the first answer.
        const COUNT: usize = 4000;
        let agent = Script::new(
            r#"ask; n=0
            while [ $n -lt "$COUNT" ]; do
                printf '{"type":"control_request","request_id":"r%s","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}\n' $n
                n=$((n + 1))
            done
            allowed=0
            while [ $n -gt 0 ]; do
                ask; case "$line" in *'"behavior":"allow"'*) allowed=$((allowed + 1));; esac
                n=$((n - 1))
            done
            result $allowed"#,
        );
        let asked = Arc::new(AtomicUsize::new(0));
        let builder = agent.builder().env("COUNT", COUNT.to_string()).on_permission({
            let asked = asked.clone();
            move |_| {
                let asked = asked.clone();
                async move {
                    asked.fetch_add(1, Ordering::Relaxed);
                    tokio::task::yield_now().await;
                    Permission::allow()
                }
            }
        });
        let (session, events) = builder.start().await.unwrap();
        drop(events);
        let Outcome::Done(report) = session.turn("hello").await.unwrap() else { panic!("not done") };
        assert_eq!(report.text(), COUNT.to_string());
        assert_eq!(asked.load(Ordering::Relaxed), COUNT);
        session.close().await;
    });
}

#[test]
fn more_than_can_be_held() {
    alone(async || {
        // Nothing answers, so after some thousands the rest is refused, and memory stays what it is.
        const COUNT: usize = 6000;
        let agent = Script::new(
            r#"ask; n=0
            while [ $n -lt "$COUNT" ]; do
                printf '{"type":"control_request","request_id":"r%s","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}\n' $n
                n=$((n + 1))
            done
            ask; case "$line" in *too_many_requests*) result refused;; *) result "$id";; esac"#,
        );
        let held = std::sync::Mutex::new(Vec::new());
        let builder = agent.builder().env("COUNT", COUNT.to_string());
        let builder = builder.on_request(move |asked| held.lock().unwrap().push(asked));
        let (session, events) = builder.start().await.unwrap();
        drop(events);
        let Outcome::Done(report) = session.turn("hello").await.unwrap() else { panic!("not done") };
        assert_eq!(report.text(), "refused");
        session.close().await;
    });
}
