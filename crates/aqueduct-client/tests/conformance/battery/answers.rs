//! Answers of a given shape: by a schema, and by a type.

use aqueduct_wire::json::Raw;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::place::Place;
use crate::verdict::{Trouble, Verdict, can_not, ensure};

/// The final answer has the shape that was asked for.
pub(crate) async fn structured_output(place: Place) -> Verdict {
    Verdict::of(async {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
        let Ok(schema) = Raw::from_serialize(&schema) else {
            return Err(Trouble::Failed("the schema can't be written".to_owned()));
        };
        let builder = place.session().json_schema(schema);
        let outcome = builder.query("@tool StructuredOutput {\"n\":7}\n@say done").await?;
        let Some(output) = outcome.report().and_then(|report| report.structured_output()) else {
            return can_not("it gives no structured output");
        };
        ensure!(output.as_str().contains('7'), "the output was {}", output.as_str());
        Ok(())
    })
    .await
}

/// What the model is asked for, with everything that makes a schema of a type odd.
#[derive(Debug, Deserialize, JsonSchema)]
struct Review {
    /// Whether it can be merged.
    approved: bool,
    severity: Severity,
    score: Option<u8>,
    range: (u32, u32),
    parts: Vec<Part>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// It can wait.
    Low,
    High,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Part {
    name: String,
    parts: Vec<Part>,
}

/// The final answer is a value of a type, whose schema every agent takes.
pub(crate) async fn answer(place: Place) -> Verdict {
    Verdict::of(async {
        let output = r#"{"approved":true,"severity":"high","score":null,"range":[3,9],"parts":[{"name":"a","parts":[{"name":"b","parts":[]}]}]}"#;
        let review: Review = place.session().answer(format!("@tool StructuredOutput {output}\n@say done")).await?;
        ensure!(
            review.approved && review.severity == Severity::High && review.score.is_none() && review.range == (3, 9),
            "the answer was {review:?}"
        );
        let names: Vec<&str> = review.parts.iter().flat_map(|part| [&part.name, &part.parts[0].name]).map(String::as_str).collect();
        ensure!(names == ["a", "b"], "the parts were {names:?}");
        Ok(())
    })
    .await
}

/// So is a type that is not an object.
pub(crate) async fn answer_in_a_wrapper(place: Place) -> Verdict {
    Verdict::of(async {
        let prompt = "@tool StructuredOutput {\"answer\":[\"low\",\"high\"]}\n@say done";
        let answer: Vec<Severity> = place.session().answer(prompt).await?;
        ensure!(answer == [Severity::Low, Severity::High], "the answer was {answer:?}");
        Ok(())
    })
    .await
}

/// A schema as generators write it, with the name of its dialect, is taken too.
pub(crate) async fn schema_with_a_dialect(place: Place) -> Verdict {
    Verdict::of(async {
        let schema = schemars::schema_for!(Part).to_value();
        ensure!(schema["$schema"].is_string(), "the schema names no dialect: {schema}");
        let builder = place.session().json_schema(Raw::from(&schema));
        let outcome =
            builder.query("@tool StructuredOutput {\"name\":\"a\",\"parts\":[]}\n@say done").await?;
        let output = outcome.report().and_then(|report| report.structured_output());
        ensure!(output.is_some_and(|output| output.as_str().contains("name")), "the output was {output:?}");
        Ok(())
    })
    .await
}
