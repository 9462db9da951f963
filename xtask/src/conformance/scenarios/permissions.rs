//! Permissions: every answer a host can give, and what happens without a user to give one.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{ASK, Scenario, allow, bash, deny, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("permission-allow", |stage| decide(stage, allow)),
    scenario("permission-allow-changed", |stage| decide(stage, allow_changed)),
    scenario("permission-deny", |stage| decide(stage, deny)),
    scenario("permission-deny-interrupt", deny_and_interrupt),
    scenario("permission-always-suggestion", |stage| twice(stage, always_by_suggestion)),
    scenario("permission-always-update", |stage| twice(stage, always_by_update)),
    scenario("permission-no-user", no_user_to_ask),
    scenario("permission-dont-ask", dont_ask),
    scenario("plan", plan),
];

fn decide(stage: &mut Stage, answer: fn(&Value) -> Value) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&bash("touch made.txt"));
    session.converse(answer)?;
    session.end()
}

fn allow_changed(request: &Value) -> Value {
    let mut answer = allow(request);
    answer["updatedInput"]["command"] = json!("echo changed");
    answer
}

fn deny_and_interrupt(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&bash("touch made.txt"));
    session.converse(|request| {
        let mut answer = deny(request);
        answer["interrupt"] = json!(true);
        answer
    })?;
    session.user("@say still here");
    session.result()?;
    session.end()
}

/// Two calls that one rule covers.
fn twice(stage: &mut Stage, answer: fn(&Value) -> Value) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&format!("{}\n{}", bash("mkdir one"), bash("mkdir two")));
    session.converse(answer)?;
    session.end()
}

fn always_by_suggestion(request: &Value) -> Value {
    let mut answer = allow(request);
    if let Some(suggestion) = request["request"]["permission_suggestions"].get(0) {
        answer["applyPermissionSuggestion"] = suggestion.clone();
    }
    answer
}

fn always_by_update(request: &Value) -> Value {
    let mut answer = allow(request);
    answer["updatedPermissions"] = json!([{
        "type": "addRules", "behavior": "allow", "destination": "localSettings",
        "rules": [{ "toolName": "Bash", "ruleContent": "mkdir:*" }]
    }]);
    answer
}

fn no_user_to_ask(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[])?;
    session.user(&bash("touch made.txt"));
    session.result()?;
    session.end()
}

fn dont_ask(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--permission-mode", "dontAsk"]].concat())?;
    session.initialize(&json!({}))?;
    session.user(&bash("touch made.txt"));
    session.converse(allow)?;
    session.end()
}

fn plan(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--permission-mode", "plan"]].concat())?;
    session.initialize(&json!({}))?;
    let script = [bash("touch x"), tool("ExitPlanMode", &json!({ "plan": "# The plan" })), bash("touch y")];
    session.user(&script.join("\n"));
    session.converse(allow)?;
    session.end()
}
