//! `AskUserQuestion`: the model asks, the host answers.

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::row::{Audience, ToolFacts, ToolNeed};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};

/// The tool.
pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "AskUserQuestion",
    description: "Ask the user one to four questions, each with two to four options to choose from. The user \
        can always answer in their own words instead, so do not add an option for that. Use it when a \
        decision is the user's to make and you can't find the answer yourself; put the option you recommend \
        first. Set multiSelect where several options can be chosen together.",
    schema: r#"{"type":"object","properties":{"questions":{"type":"array","minItems":1,"maxItems":4,"items":{"type":"object","properties":{"question":{"type":"string","description":"The whole question, with a question mark"},"header":{"type":"string","description":"A word or two for a label, at most 12 characters"},"options":{"type":"array","minItems":2,"maxItems":4,"items":{"type":"object","properties":{"label":{"type":"string","description":"One to five words"},"description":{"type":"string","description":"What this choice means"},"preview":{"type":"string","description":"Content to preview for this option, such as code"}},"required":["label","description"]}},"multiSelect":{"type":"boolean","description":"Whether several options may be chosen"}},"required":["question","header","options","multiSelect"]}},"answers":{"type":"object","additionalProperties":{"type":"string"},"description":"Filled in by the user"}},"required":["questions"]}"#,
    run,
    facts: ToolFacts {
        needs: ToolNeed::User,
        audience: Audience::MainAgent,
        is_rare: true,
        asks_user: true,
        ..ToolFacts::NONE
    },
};

fn run<'a>(_: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move { answer(&call.input) })
}

/// The answers come with the input: the host adds them when it allows the call.
fn answer(input: &Raw<'_>) -> Result<CallOutput, ToolFailure> {
    let input: Value = input.to().map_err(|error| ToolFailure::Rejected(error.to_string()))?;
    let questions =
        input.get("questions").and_then(Value::as_array).filter(|questions| !questions.is_empty());
    let Some(questions) = questions else {
        return Err(ToolFailure::Rejected("AskUserQuestion needs at least one question.".to_owned()));
    };
    let answers = input.get("answers").and_then(Value::as_object);
    let mut given = serde_json::Map::new();
    let mut lines = Vec::new();
    for question in questions {
        let Some(text) = question.get("question").and_then(Value::as_str) else { continue };
        let Some(answer) = answers.and_then(|answers| answers.get(text)) else { continue };
        let Some(chosen) = joined(answer) else { continue };
        lines.push(format!("\"{text}\"=\"{chosen}\""));
        given.insert(text.to_owned(), answer.clone());
    }
    // An answer to a question in other words is an answer all the same.
    for (text, answer) in answers.into_iter().flatten() {
        if let Some(chosen) = joined(answer).filter(|_| !given.contains_key(text)) {
            lines.push(format!("\"{text}\"=\"{chosen}\""));
            given.insert(text.clone(), answer.clone());
        }
    }
    let content = if lines.is_empty() {
        "The user saw the questions and answered none of them. Continue with the best option, or ask in \
         plain text for what you must know."
            .to_owned()
    } else {
        format!("The user has answered: {}.", lines.join(", "))
    };
    let mut result = serde_json::json!({ "questions": questions, "answers": given });
    if let (Some(annotations), Some(result)) = (input.get("annotations"), result.as_object_mut()) {
        result.insert("annotations".to_owned(), annotations.clone());
    }
    Ok(CallOutput {
        content: Content::Text(content.into()),
        result: Raw::from(&result).into_owned(),
        is_error: false,
    })
}

/// An answer as text: a string, several labels, or the user's own words.
fn joined(answer: &Value) -> Option<String> {
    let text = match answer {
        Value::String(text) => text.clone(),
        Value::Array(labels) => {
            let labels: Vec<String> = labels.iter().filter_map(joined).collect();
            labels.join(", ")
        }
        Value::Object(answer) => {
            ["other", "text", "label", "answer"].iter().find_map(|key| answer.get(*key)).and_then(joined)?
        }
        Value::Number(number) => number.to_string(),
        Value::Bool(yes) => yes.to_string(),
        Value::Null => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::json::Json as _;

    use super::*;

    fn reported(answers: Value) -> String {
        let input = serde_json::json!({
            "questions": [{ "question": "Which?", "header": "W", "options": [], "multiSelect": true }],
            "answers": answers,
        });
        let output = answer(&Raw::from(&input)).expect("an output");
        let mut text = String::new();
        output.content.write(&mut text);
        text
    }

    #[test]
    fn answers_come_in_many_forms() {
        assert!(reported(serde_json::json!({ "Which?": "A" })).contains(r#"\"Which?\"=\"A\""#));
        assert!(reported(serde_json::json!({ "Which?": ["A", "B"] })).contains(r#"\"A, B\""#));
        assert!(reported(serde_json::json!({ "Which?": { "other": "neither" } })).contains("neither"));
        assert!(reported(serde_json::json!({})).contains("none"));
        assert!(reported(Value::Null).contains("none"));
    }

    #[test]
    fn a_call_without_questions_is_rejected() {
        assert!(matches!(answer(&Raw::from(&serde_json::json!({}))), Err(ToolFailure::Rejected(_))));
    }
}
