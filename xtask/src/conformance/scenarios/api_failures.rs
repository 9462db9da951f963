//! What the Messages API answers in place of a message, and what a turn makes of it.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{SKIP, Scenario, bash, deep};

pub(super) const SCENARIOS: &[Scenario] = &[
    deep("failure-bad-request", |stage| {
        twice(stage, &error(400, "invalid_request_error", "max_tokens: too high"))
    }),
    deep("failure-advised-prompt-too-long", |stage| {
        twice(
            stage,
            &error(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"),
        )
    }),
    deep("failure-low-credit", |stage| {
        let message = "Your credit balance is too low to access the Anthropic API.";
        twice(stage, &error(400, "invalid_request_error", message))
    }),
    deep("failure-key", |stage| twice(stage, &error(401, "authentication_error", "invalid x-api-key"))),
    deep("failure-forbidden", |stage| twice(stage, &error(403, "permission_error", "not allowed"))),
    deep("failure-advised-no-such-model", |stage| {
        twice(stage, &error(404, "not_found_error", "model: nothing"))
    }),
    deep("failure-advised-too-large", |stage| {
        twice(stage, &error(413, "request_too_large", "Request exceeds the maximum size"))
    }),
    deep("failure-rate-limit", |stage| twice(stage, &error(429, "rate_limit_error", "slow down"))),
    deep("failure-advised-server", |stage| twice(stage, &error(500, "api_error", "Internal server error"))),
    deep("failure-advised-overloaded", |stage| twice(stage, &error(529, "overloaded_error", "Overloaded"))),
    deep("failure-advised-bad-gateway", |stage| {
        twice(stage, &json!({ "status": 502, "body": "<html><body>Bad gateway</body></html>" }))
    }),
    deep("failure-timeout", |stage| twice(stage, &error(408, "timeout_error", "Timed out"))),
    deep("failure-conflict", |stage| twice(stage, &error(409, "conflict_error", "Conflict"))),
    deep("failure-without-body", |stage| twice(stage, &json!({ "status": 400, "body": "" }))),
    deep("failure-advised-should-not-retry", |stage| {
        let mut answer = error(500, "api_error", "Internal server error");
        answer["headers"] = json!({ "x-should-retry": "false" });
        twice(stage, &answer)
    }),
    deep("failure-retry-after", retry_after),
    deep("failure-after-a-tool", after_a_tool),
    deep("failure-fallback-model", |stage| fallback(stage, &error(529, "overloaded_error", "Overloaded"))),
    deep("failure-advised-fallback", |stage| {
        fallback(stage, &error(404, "not_found_error", "model: nothing"))
    }),
    deep("failure-in-print-mode", in_print_mode),
];

/// Enough for the program to see a failure of every attempt.
const ALWAYS: usize = 99;

fn error(status: u16, kind: &str, message: &str) -> Value {
    let body =
        json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": "req_x" });
    json!({ "status": status, "body": body })
}

fn script(times: usize, answer: &Value, text: &str) -> String {
    format!("@http {times} {answer} {text}")
}

/// A turn that fails, and one after it.
fn twice(stage: &mut Stage, answer: &Value) -> Result<()> {
    let mut session = stage.start_with(&[], &[("CLAUDE_CODE_MAX_RETRIES", "1")])?;
    session.user(&script(ALWAYS, answer, "never"));
    session.result()?;
    session.user("@say next");
    session.result()?;
    session.end()
}

fn retry_after(stage: &mut Stage) -> Result<()> {
    let mut answer = error(429, "rate_limit_error", "slow down");
    answer["headers"] = json!({ "retry-after": "1" });
    let mut session = stage.start(&[])?;
    session.user(&script(1, &answer, "continued"));
    session.result()?;
    session.end()
}

fn after_a_tool(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    let failure = script(ALWAYS, &error(400, "invalid_request_error", "bad"), "never");
    session.user(&format!("{}\n{failure}", bash("echo worked")));
    session.result()?;
    session.user("@say next");
    session.result()?;
    session.end()
}

fn fallback(stage: &mut Stage, answer: &Value) -> Result<()> {
    let mut session =
        stage.start_with(&["--fallback-model", "haiku"], &[("CLAUDE_CODE_MAX_RETRIES", "4")])?;
    session.user(&script(3, answer, "from the other model"));
    session.result()?;
    session.user("@say next");
    session.result()?;
    session.end()
}

fn in_print_mode(stage: &mut Stage) -> Result<()> {
    let prompt = script(ALWAYS, &error(400, "invalid_request_error", "bad"), "never");
    stage.run_once(&["-p", &prompt], "")?;
    stage.run_once(&["-p", "--output-format", "json", &prompt], "")
}
