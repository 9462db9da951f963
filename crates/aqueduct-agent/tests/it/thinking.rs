//! What requests contain about thinking and effort.

use serde_json::{Value, json};

use crate::api::recorded;
use crate::host::Place;

/// Thinking, output and the most tokens of the request that the agent makes.
fn asked(arguments: &[&str], variables: &[(&str, &str)]) -> (Value, Value, Value) {
    let place = Place::new();
    let body = recorded(|address| {
        let mut command = place.command(&[&["-p", "hello"], arguments].concat());
        command.env("ANTHROPIC_BASE_URL", address).env("ANTHROPIC_API_KEY", "none");
        command.envs(variables.iter().copied());
        command.output().unwrap()
    });
    (body["thinking"].clone(), body["output_config"].clone(), body["max_tokens"].clone())
}

fn thinking(arguments: &[&str]) -> Value {
    asked(arguments, &[]).0
}

#[test]
fn models_think_as_they_can() {
    let newest = ["--model", "claude-opus-5-5"];
    let adaptive = json!({ "type": "adaptive", "display": "omitted" });
    assert_eq!(asked(&newest, &[]), (adaptive.clone(), json!({ "effort": "medium" }), json!(128_000)));
    // It can't be turned off.
    assert_eq!(thinking(&[&newest[..], &["--thinking", "disabled"]].concat()), adaptive);

    let older = ["--model", "claude-opus-4-6"];
    assert_eq!(thinking(&older), adaptive);
    for off in [
        &["--thinking", "disabled"][..],
        &["--max-thinking-tokens", "0"],
        &["--settings", r#"{"alwaysThinkingEnabled":false}"#],
    ] {
        assert_eq!(thinking(&[&older, off].concat()), json!({ "type": "disabled" }), "{off:?}");
    }

    let oldest = ["--model", "claude-sonnet-4-5"];
    let budget = |tokens: u32| json!({ "type": "enabled", "budget_tokens": tokens, "display": "omitted" });
    assert_eq!(asked(&oldest, &[]), (budget(31_999), Value::Null, json!(32_000)));
    assert_eq!(thinking(&[&oldest[..], &["--max-thinking-tokens", "4000"]].concat()), budget(4000));
    assert_eq!(asked(&oldest, &[("MAX_THINKING_TOKENS", "5000")]).0, budget(5000));
    let settings = ["--settings", r#"{"alwaysThinkingEnabled":false}"#, "--thinking", "enabled"];
    assert_eq!(thinking(&[&oldest[..], &settings].concat()), budget(31_999));

    assert_eq!(asked(&["--model", "unknown-model"], &[]), (Value::Null, Value::Null, json!(32_000)));
}

#[test]
fn effort_and_budget_are_passed_on() {
    let model = ["--model", "claude-opus-5-5"];
    let output = |arguments: &[&str]| asked(&[&model, arguments].concat(), &[]).1;
    assert_eq!(output(&["--effort", "max"]), json!({ "effort": "max" }));
    assert_eq!(output(&["--settings", r#"{"effortLevel":"low"}"#]), json!({ "effort": "low" }));
    assert_eq!(output(&["--effort", "bogus"]), json!({ "effort": "medium" }));
    let budget = json!({ "effort": "medium", "task_budget": { "type": "tokens", "total": 50_000 } });
    assert_eq!(output(&["--task-budget", "50000"]), budget);
    let variables = [("CLAUDE_CODE_EFFORT_LEVEL", "high"), ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "9000")];
    let (_, output, most) = asked(&[&model[..], &["--effort", "low"]].concat(), &variables);
    assert_eq!((output, most), (json!({ "effort": "high" }), json!(9000)));
    let display = thinking(&[&model[..], &["--thinking-display", "summarized"]].concat());
    assert_eq!(display, json!({ "type": "adaptive", "display": "summarized" }));
}

#[test]
fn a_level_that_does_not_exist_is_named() {
    let place = Place::new();
    let output = place.command(&["-p", "@say hi", "--effort", "bogus"]).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "Warning: --effort: there is no effort \"bogus\"; it is ignored. There are low, medium, high, xhigh, max\n"
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "hi");
    let output = place.command(&["-p", "@say hi", "--thinking-display", "loud"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "Error: --thinking-display: unknown value loud; use summarized, omitted, highlights\n"
    );
}
