//! Ways to an agent other than starting it.

use std::time::Duration;

use aqueduct_client::{Error, ExitStatus, Ladder, Outcome, Session, Transport};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;

use crate::peer::Peer;

#[tokio::test]
async fn a_socket() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("agent.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let agent = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let (input, mut output) = stream.into_split();
        let mut input = BufReader::new(input);
        let mut line = String::new();
        input.read_line(&mut line).await.unwrap();
        output.write_all(b"{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"hi\"}\n").await.unwrap();
        // The host closes its side, and the agent still receives all of it.
        let mut rest = Vec::new();
        input.read_to_end(&mut rest).await.unwrap();
        (line, rest)
    });
    let builder = Session::builder().transport(Transport::Socket(path)).without_initialize();
    let outcome = builder.query("hello").await.unwrap();
    assert!(matches!(outcome, Outcome::Done(report) if report.text() == "hi"));
    let (line, rest) = agent.await.unwrap();
    assert!(line.contains(r#""content":"hello""#), "{line}");
    assert_eq!(rest, b"");
}

#[tokio::test]
async fn a_socket_that_is_not_there() {
    let builder = Session::builder().transport(Transport::Socket("/nowhere/agent.sock".into()));
    let error = builder.start().await.unwrap_err();
    assert!(matches!(error, Error::Connect { .. }));
    assert!(error.to_string().starts_with("can't connect to /nowhere/agent.sock: "), "{error}");
}

#[tokio::test]
async fn a_pipe_that_is_cut() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let agent = async {
        peer.prompted().await;
        drop(peer);
    };
    let (outcome, ()) = tokio::join!(session.turn("hello"), agent);
    let Outcome::Crashed(exit) = outcome.unwrap() else { panic!("no crash") };
    assert_eq!(exit.status, ExitStatus::Disconnected);
    assert_eq!(exit.to_string(), "the connection to the agent was closed");
    assert!(matches!(session.turn("more").await, Err(Error::Ended(_))));
}

#[tokio::test(start_paused = true)]
async fn a_pipe_whose_other_end_does_not_let_go() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let began = tokio::time::Instant::now();
    let ladder = Ladder { after_input: Duration::from_secs(3), after_term: Duration::from_secs(100) };
    let (exit, received) = tokio::join!(session.close_with(ladder), peer.receive());
    assert_eq!((exit.status, received), (ExitStatus::Disconnected, None));
    // There is no process to signal, so the first step is the only one.
    assert_eq!(began.elapsed(), Duration::from_secs(3));
}

#[tokio::test]
async fn an_agent_that_another_host_has_initialized() {
    let (mut peer, builder) = Peer::new(Session::builder().without_initialize());
    let (session, _events) = builder.start().await.unwrap();
    assert!(session.initialized().is_none());
    let agent = async {
        peer.prompted().await;
        peer.result("hi").await;
    };
    let (outcome, ()) = tokio::join!(session.turn("hello"), agent);
    assert!(matches!(outcome.unwrap(), Outcome::Done(_)));
}

#[tokio::test]
async fn requests_that_were_open_before() {
    let (mut peer, builder) = Peer::new(
        Session::builder()
            .on_permission(|request| async move { aqueduct_client::Permission::deny(request.tool()) }),
    );
    let agent = async {
        let asked = peer.asked("initialize").await;
        peer.say(json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": asked.id, "response": {},
            "pending_permission_requests": [{"type": "control_request", "request_id": "old", "request": {
                "subtype": "can_use_tool", "tool_name": "Bash", "input": {},
            }}],
        }}))
        .await;
        peer.answered("old").await
    };
    let (answer, started) = tokio::join!(agent, builder.start());
    let _started = started.unwrap();
    assert_eq!(answer["response"]["message"], "Bash");
}

#[tokio::test]
async fn raw_frames() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let frame = aqueduct_wire::ToAgent::parse(r#"{"type":"keep_alive","n":1e2}"#).unwrap();
    session.write(&frame).await.unwrap();
    assert_eq!(peer.receive().await, Some(json!({"type": "keep_alive", "n": 100.0})));
}
