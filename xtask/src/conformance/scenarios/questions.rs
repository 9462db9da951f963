//! Questions to the user, and every form an answer can have.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{ASK, Scenario, allow, deny, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("question-answered", |stage| ask(stage, |request| answered(request, json!("Lint, Test")))),
    scenario("question-answered-as-array", |stage| {
        ask(stage, |request| answered(request, json!(["Lint", "Test"])))
    }),
    scenario("question-refused", |stage| ask(stage, deny)),
    scenario("question-no-user", no_user_to_ask),
];

fn question() -> String {
    let option = |label: &str| json!({ "label": label, "description": format!("Take {label}") });
    let questions = json!([
        { "question": "Which library?", "header": "Library", "multiSelect": false, "options": [option("React"), option("Vue")] },
        { "question": "Which extras?", "header": "Extras", "multiSelect": true, "options": [option("Lint"), option("Test")] },
    ]);
    tool("AskUserQuestion", &json!({ "questions": questions }))
}

fn ask(stage: &mut Stage, answer: fn(&Value) -> Value) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&question());
    session.converse(answer)?;
    session.end()
}

fn answered(request: &Value, extras: Value) -> Value {
    let mut answer = allow(request);
    answer["updatedInput"]["answers"] = json!({ "Which library?": "React", "Which extras?": extras });
    answer
}

fn no_user_to_ask(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&["--allowed-tools", "AskUserQuestion"])?;
    session.user(&question());
    session.result()?;
    session.end()
}
