//! Print mode without a stream: a prompt on the command line or on stdin, and one output.

use anyhow::Result;
use serde_json::json;

use super::super::stage::Stage;
use super::{SKIP, Scenario, bash, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("print-text", |stage| stage.run_once(&["-p", "@say hello"], "")),
    scenario("print-json", |stage| stage.run_once(&["-p", "--output-format", "json", "@say hello"], "")),
    scenario("print-stream-json", |stage| {
        stage.run_once(&["-p", "--verbose", "--output-format", "stream-json", "@say hello"], "")
    }),
    scenario("print-stream-json-quiet", |stage| {
        stage.run_once(&["-p", "--output-format", "stream-json", "@say hello"], "")
    }),
    scenario("print-from-stdin", |stage| stage.run_once(&["-p"], "@say hello\n")),
    scenario("print-stdin-and-prompt", |stage| {
        stage.run_once(&["-p", "@say from the prompt"], "some context\n")
    }),
    scenario("print-nothing", |stage| stage.run_once(&["-p"], "")),
    scenario("print-blank", |stage| stage.run_once(&["-p", "   "], "")),
    scenario("print-bad-output-format", |stage| {
        stage.run_once(&["-p", "--output-format", "xml", "@say hi"], "")
    }),
    scenario("print-bad-input-format", |stage| {
        stage.run_once(&["-p", "--input-format", "xml", "@say hi"], "")
    }),
    scenario("print-stream-input-text-output", |stage| {
        stage.run_once(&["-p", "--input-format", "stream-json"], "{\"type\":\"user\"}\n")
    }),
    scenario("print-partial-without-stream", |stage| {
        stage.run_once(&["-p", "--include-partial-messages", "@say hi"], "")
    }),
    scenario("print-replay-without-stream", |stage| {
        stage.run_once(&["-p", "--replay-user-messages", "@say hi"], "")
    }),
    scenario("print-max-turns", |stage| {
        let prompt = format!("{}\n{}", bash("echo 1"), bash("echo 2"));
        stage.run_once(&["-p", SKIP, "--max-turns", "1", &prompt], "")?;
        stage.run_once(&["-p", SKIP, "--max-turns", "1", "--output-format", "json", &prompt], "")
    }),
    scenario("print-tool", |stage| stage.run_once(&["-p", SKIP, &bash("echo hi")], "")),
    scenario("print-denied", |stage| {
        stage.run_once(&["-p", "--output-format", "json", &bash("touch made")], "")
    }),
    scenario("print-schema", |stage| {
        let schema =
            json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
        let prompt = super::tool("StructuredOutput", &json!({ "n": 1 }));
        stage.run_once(&["-p", "--json-schema", &schema.to_string(), &prompt], "")?;
        stage.run_once(&["-p", "--output-format", "json", "--json-schema", &schema.to_string(), &prompt], "")
    }),
    scenario("print-schema-never", |stage| {
        let schema =
            json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
        stage
            .run_once(&["-p", "--output-format", "json", "--json-schema", &schema.to_string(), "@say no"], "")
    }),
    scenario("print-continue", print_continue),
    scenario("print-resume-without-id", |stage| stage.run_once(&["-p", "--resume"], "")),
    scenario("print-session-id-bad", |stage| stage.run_once(&["-p", "--session-id", "no", "@say hi"], "")),
    scenario("print-stream-input", |stage| {
        let flags = ["-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"];
        let line = |text: &str| {
            json!({ "type": "user", "message": { "role": "user", "content": text } }).to_string() + "\n"
        };
        stage.run_once(&flags, &(line("@say one") + &line("@say two")))
    }),
];

fn print_continue(stage: &mut Stage) -> Result<()> {
    stage.run_once(&["-p", "@say one"], "")?;
    stage.run_once(&["-p", "--continue", "--output-format", "json", "@say two"], "")?;
    stage.run_once(&["-p", "-c", "--fork-session", "--output-format", "json", "@say three"], "")
}
