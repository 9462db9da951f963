//! Input as it should not be, or seldom is. Versions differ in what they do about it: what counts is
//! that their output is understood.

use std::time::Duration;

use anyhow::Result;

use super::super::session::is_result;
use super::super::stage::Stage;
use super::{Scenario, nonsense, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("input-string-content", |stage| {
        say(stage, r#"{"type":"user","message":{"role":"user","content":"@say ok"}}"#)
    }),
    nonsense("input-no-message", |stage| say(stage, r#"{"type":"user","content":"hi"}"#)),
    nonsense("input-no-type", |stage| say(stage, r#"{"message":{"role":"user","content":"hi"}}"#)),
    nonsense("input-bare-message", |stage| say(stage, r#"{"role":"user","content":"hi"}"#)),
    nonsense("input-not-json", |stage| say(stage, "not json")),
    scenario("input-empty-line", |stage| say(stage, "")),
    nonsense("input-unknown-type", |stage| say(stage, r#"{"type":"nonsense"}"#)),
    scenario("input-orphan-response", |stage| {
        say(
            stage,
            r#"{"type":"control_response","response":{"subtype":"success","request_id":"none","response":{}}}"#,
        )
    }),
    scenario("input-keep-alive", |stage| say(stage, r#"{"type":"keep_alive"}"#)),
    scenario("input-cancel-unknown", |stage| {
        say(stage, r#"{"type":"control_cancel_request","request_id":"none"}"#)
    }),
    scenario("input-environment", |stage| {
        say(stage, r#"{"type":"update_environment_variables","variables":{"A":"b"}}"#)
    }),
];

fn say(stage: &mut Stage, line: &str) -> Result<()> {
    let mut session = stage.start(&[])?;
    session.send_line(line);
    session.user("@say ok");
    session.maybe(Duration::from_secs(10), is_result);
    session.end()
}
