//! An agent that dies at any byte of its output.

use aqueduct_client::{Error, Exit, ExitStatus, Outcome};

use crate::alone::alone;
use crate::script::Script;

/// The agent's output in a turn.
const RUN: &str = r#"{"type":"system","subtype":"init","session_id":"0b1e","model":"m","tools":[],"claude_code_version":"2.1.325"}
{"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[]}},"session_id":"0b1e"}
{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"grüße"}},"session_id":"0b1e"}
{"type":"control_request","request_id":"a-1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}}
{"type":"assistant","message":{"id":"msg_1","role":"assistant","content":[{"type":"text","text":"grüße"}]},"session_id":"0b1e"}
{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"grüße","session_id":"0b1e"}
"#;

/// Its answer to `initialize`, before and behind the id.
const ANSWER: (&str, &str) = (
    r#"{"type":"control_response","response":{"subtype":"success","request_id":""#,
    "\",\"response\":{}}}\n",
);

/// How often it dies.
const DEATHS: usize = 100;

#[test]
fn at_a_hundred_bytes() {
    alone(async || {
        let directory = tempfile::tempdir().unwrap();
        let run = directory.path().join("run.jsonl");
        std::fs::write(&run, RUN).unwrap();
        let agent = Script::raw(
            r#"ask; answer > "$DIR/answer"; size=$(wc -c < "$DIR/answer")
            head -c "$BYTES" "$DIR/answer"; [ "$BYTES" -lt "$size" ] && kill -9 $$
            ask; head -c $((BYTES - size)) "$DIR/run.jsonl"; kill -9 $$"#,
        );
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..DEATHS {
            let bytes = random.usize(0..ANSWER.0.len() + 11 + ANSWER.1.len() + RUN.len());
            let builder = agent.builder().env("DIR", directory.path()).env("BYTES", bytes.to_string());
            check(bytes, builder).await;
        }
    });
}

/// Sees that a session with an agent that dies after so many bytes ends as it must.
async fn check(bytes: usize, builder: aqueduct_client::Builder) {
    let killed = |exit: &Exit| assert_eq!(exit.status, ExitStatus::Signal(9), "after {bytes} bytes");
    // The id in the answer is of eight letters, a dash, and a number.
    let answer = ANSWER.0.len() + "12345678-h1".len() + ANSWER.1.len();
    let (session, mut events) = match builder.start().await {
        Ok(started) => started,
        Err(Error::Start { exit, .. }) => {
            assert!(bytes < answer - 1, "initialize was answered, after {bytes} bytes");
            assert_eq!(exit, Some(ExitStatus::Signal(9)), "after {bytes} bytes");
            return;
        }
        Err(error) => panic!("after {bytes} bytes: {error:?}"),
    };
    assert!(bytes >= answer - 1, "initialize was not answered, after {bytes} bytes");
    // The line end of the last line is not part of it.
    let is_whole = bytes >= answer + RUN.len() - 1;
    match session.turn("hello").await {
        Ok(Outcome::Done(report)) => {
            assert!(is_whole, "after {bytes} bytes");
            assert_eq!(report.text(), "grüße");
        }
        Ok(Outcome::Crashed(exit)) | Err(Error::Ended(exit)) => {
            assert!(!is_whole, "after {bytes} bytes");
            killed(&exit);
        }
        other => panic!("after {bytes} bytes: {other:?}"),
    }
    killed(&session.ended().await);
    // All that was whole has come through.
    let whole = RUN.as_bytes().get(..bytes.saturating_sub(answer)).unwrap_or(RUN.as_bytes());
    let lines = whole.iter().filter(|byte| **byte == b'\n').count();
    let mut frames = 0;
    while let Some(event) = events.next().await {
        frames += usize::from(event.frame().is_some());
    }
    assert!(frames == lines + 1 || frames == lines + 2, "{frames} frames after {bytes} bytes, {lines} lines");
}
