//! Agents that don't start: one error for each cause, with advice that fits, however often it is tried.

use std::os::unix::fs::PermissionsExt;

use aqueduct_client::{Builder, Effort, Error, ExitStatus, Outcome, Session, StartFailure};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;

use crate::peer::Peer;
use crate::script::Script;

/// How often each failure is repeated: what comes first, the end of the process or of its pipes, is a matter of luck.
const REPETITIONS: usize = 50;

/// The error of a start, taken apart.
#[derive(Debug, PartialEq)]
struct Failed {
    failure: StartFailure,
    exit: Option<ExitStatus>,
    stderr: Vec<String>,
    message: String,
    hint: String,
}

async fn failed(builder: Builder) -> Failed {
    let error = builder.start().await.unwrap_err();
    let message = error.advised();
    let Error::Start { failure, exit, stderr, hint, .. } = error else { panic!("{error:?}") };
    assert!(message.ends_with(&hint), "{message}");
    Failed { failure, exit, stderr, message, hint }
}

/// The one error of an agent, tried often.
async fn always(builder: impl Fn() -> Builder) -> Failed {
    let first = failed(builder()).await;
    for _ in 1..REPETITIONS {
        assert_eq!(failed(builder()).await, first);
    }
    first
}

#[tokio::test]
async fn agents_that_end() {
    let table = [
        ("exit 0", StartFailure::NotAnAgent, 0, ""),
        ("exec <&-; exit 3", StartFailure::Other, 3, ""),
        ("exec >&-; exit 3", StartFailure::Other, 3, ""),
        ("exec <&-; exec >&-; exit 3", StartFailure::Other, 3, ""),
        ("ask; exit 3", StartFailure::Other, 3, ""),
        (
            "echo 'Error: --json-schema is not a valid JSON Schema: odd' >&2; exit 1",
            StartFailure::BadSchema,
            1,
            "odd",
        ),
        (
            "ask; echo 'No conversation found with session ID: 5' >&2; exit 1",
            StartFailure::UnknownSession,
            1,
            "ID: 5",
        ),
        // The reason in a result, and nothing on stderr.
        (
            r#"echo '{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["No conversation found with session ID: 5"]}'; exit 1"#,
            StartFailure::UnknownSession,
            1,
            "ID: 5",
        ),
        (
            "echo 'Not logged in. Please run /login.' >&2; exit 1",
            StartFailure::NotSignedIn,
            1,
            "Please run /login",
        ),
        ("echo \"error: unknown option '--effort'\" >&2; exit 1", StartFailure::UnknownOption, 1, "--effort"),
        (
            "echo \"sleep: unrecognized option '--output-format'\" >&2; exit 1",
            StartFailure::NotAnAgent,
            1,
            "--output-format",
        ),
    ];
    for (script, failure, code, reason) in table {
        let agent = Script::raw(script);
        let found = always(|| agent.builder()).await;
        assert_eq!((found.failure, found.exit), (failure, Some(ExitStatus::Code(code))), "{script}");
        assert!(
            found.message.starts_with("can't start /bin/sh: it ended with exit code"),
            "{}",
            found.message
        );
        assert!(found.message.contains(reason), "{}", found.message);
        assert_eq!(found.stderr.is_empty(), reason.is_empty(), "{script}: {found:?}");
    }
}

#[tokio::test]
async fn programs_that_are_not_agents() {
    for program in ["true", "cat", "sleep"] {
        let found = always(|| Session::builder().program(program)).await;
        assert_eq!(found.failure, StartFailure::NotAnAgent, "{found:?}");
        assert!(matches!(found.exit, Some(ExitStatus::Code(_))), "{found:?}");
        assert!(found.hint.contains("does not understand stream-json"), "{found:?}");
        // The same where the version matters and is asked for first.
        let found = failed(Session::builder().program(program).effort(Effort::Low)).await;
        assert_eq!(found.failure, StartFailure::NotAnAgent, "{found:?}");
    }
}

#[tokio::test]
async fn a_program_that_repeats_what_it_is_sent() {
    let agent = Script::raw("cat");
    let found = always(|| agent.builder()).await;
    assert_eq!((found.failure, found.exit), (StartFailure::NotAnAgent, None), "{found:?}");
}

#[tokio::test]
async fn programs_that_can_not_be_run() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str, mode| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        path.into_os_string()
    };
    let table = [
        ("/nowhere/agent".into(), StartFailure::NotFound, "See whether the file is there"),
        ("no-such-agent-on-path".into(), StartFailure::NotFound, "put its folder on PATH"),
        (file("data", "no program", 0o644), StartFailure::NotExecutable, "chmod +x"),
        (file("odd", "\x7fno program", 0o755), StartFailure::NotExecutable, "not a program for this system"),
    ];
    for (program, failure, hint) in table {
        let found = always(|| Session::builder().program(&program)).await;
        assert_eq!((found.failure, found.exit, found.stderr.len()), (failure, None, 0), "{found:?}");
        assert!(found.hint.contains(hint), "{found:?}");
    }
}

#[tokio::test]
async fn a_schema_that_ends_the_agent_without_a_word() {
    let agent = Script::raw("exit 1");
    let schema = Raw::parse(r#"{"type":"object","properties":5}"#).unwrap();
    let found = failed(agent.builder().json_schema(schema)).await;
    assert!(found.hint.contains("`json_schema`"), "{found:?}");
    assert!(!failed(agent.builder()).await.hint.contains("`json_schema`"));
}

#[tokio::test]
async fn a_peer_that_closes_the_pipe() {
    let (peer, builder) = Peer::new(Session::builder());
    drop(peer);
    let found = failed(builder).await;
    assert_eq!((found.failure, found.exit), (StartFailure::Other, Some(ExitStatus::Disconnected)));
    assert!(
        found.message.starts_with("can't start the agent: the connection was closed. "),
        "{}",
        found.message
    );
}

#[tokio::test]
async fn an_agent_that_is_not_signed_in() {
    let text = "Not logged in · Please run /login";
    let agent = Script::new(&format!(
        r#"ask; printf '{{"type":"result","subtype":"success","is_error":true,"result":"{text}"}}\n'"#
    ));
    let check = |error: Error| {
        let Error::Start { failure, exit: None, reason, hint, .. } = &error else { panic!("{error:?}") };
        assert_eq!((*failure, reason.as_str()), (StartFailure::NotSignedIn, text));
        assert!(hint.contains("ANTHROPIC_API_KEY"), "{hint}");
    };
    check(agent.builder().query("hello").await.unwrap_err());
    check(agent.builder().query("hello").stream().finish().await.unwrap_err());
    // A session has started, and this is how its turn ends.
    let session = agent.builder().start_without_events().await.unwrap();
    assert!(matches!(session.turn("hello").await.unwrap(), Outcome::ApiError(_)));
}
