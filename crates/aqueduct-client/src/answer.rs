//! Answers of a Rust type.

use aqueduct_wire::json::Raw;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{Builder, Error, Prompt, Report};

/// The member that has an answer which is not an object: agents take the answer as the input of a tool, which is one.
const WRAPPER: &str = "answer";

/// What a model gives for a type that is not an object.
#[derive(Deserialize)]
struct WrappedAnswer<T> {
    answer: T,
}

impl Builder {
    /// Starts an agent for one prompt, and returns its answer as a value of a type. The schema of the type goes to the
    /// model, with the documentation of its fields, and takes the place of [`json_schema`](Builder::json_schema).
    ///
    /// A run that is not done is [`Error::NotDone`], and an answer that does not fit the type is [`Error::Answer`].
    ///
    /// ```no_run
    /// use aqueduct_client::{Error, Session};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Verdict {
    ///     /// Whether the change can be merged.
    ///     approved: bool,
    ///     /// One sentence for each problem.
    ///     problems: Vec<String>,
    /// }
    ///
    /// # async fn example() -> Result<(), Error> {
    /// let verdict = Session::builder().answer::<Verdict>("Review the last commit.").await?;
    /// println!("approved: {}, problems: {}", verdict.approved, verdict.problems.len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn answer<T: DeserializeOwned + JsonSchema>(
        self,
        prompt: impl Into<Prompt>,
    ) -> Result<T, Error> {
        self.answer_type::<T>().query(prompt).await?.into_result()?.answer()
    }

    /// Asks for answers of a type, in queries, streams and sessions: [`Report::answer`] reads them. The schema of the type
    /// goes to the model as with [`answer`](Builder::answer).
    ///
    /// ```no_run
    /// use aqueduct_client::{Error, Session};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Verdict {
    ///     approved: bool,
    /// }
    ///
    /// # async fn example() -> Result<(), Error> {
    /// let mut stream = Session::builder().answer_type::<Verdict>().query("Review the last commit.").stream();
    /// while let Some(event) = stream.next().await {
    ///     print!("{}", event?.text().unwrap_or_default());
    /// }
    /// let report = stream.finish().await?.done()?;
    /// let verdict: Verdict = report.answer()?;
    /// println!("approved: {}, for {:?} US$", verdict.approved, report.cost_usd());
    /// # Ok(())
    /// # }
    /// ```
    pub fn answer_type<T: JsonSchema>(self) -> Self {
        self.json_schema(Raw::from(&AnswerSchema::of::<T>().schema))
    }
}

impl Report {
    /// The answer as a value of the type that [`Builder::answer_type`] asked for. One that is not there or does not fit is
    /// [`Error::Answer`].
    ///
    /// ```
    /// use aqueduct_client::{Error, Outcome};
    ///
    /// /// The answer of a session that was started with `answer_type::<Vec<String>>()`.
    /// fn problems(outcome: Outcome) -> Result<Vec<String>, Error> {
    ///     outcome.done()?.answer()
    /// }
    /// ```
    pub fn answer<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, Error> {
        AnswerSchema::of::<T>().read(self)
    }
}

/// The schema of a type, and how its values are read.
struct AnswerSchema {
    schema: Value,
    is_wrapped: bool,
}

impl AnswerSchema {
    fn of<T: JsonSchema>() -> Self {
        // Draft 7 is the dialect that all agents check with. Older ones ignore a schema with formats that they don't
        // know, such as those of integers.
        let settings = SchemaSettings::draft07().with(|settings| settings.meta_schema = None);
        let without_formats = RecursiveTransform(|schema: &mut Schema| {
            schema.remove("format");
        });
        let settings = settings.with_transform(without_formats);
        let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
        if schema["type"] == "object" {
            return AnswerSchema { schema, is_wrapped: false };
        }
        let definitions = schema.as_object_mut().and_then(|members| members.remove("definitions"));
        let mut wrapped = json!({"type": "object", "properties": {WRAPPER: schema}, "required": [WRAPPER]});
        if let Some(definitions) = definitions {
            wrapped["definitions"] = definitions;
        }
        AnswerSchema { schema: wrapped, is_wrapped: true }
    }

    fn read<T: DeserializeOwned>(&self, report: &Report) -> Result<T, Error> {
        let wanted = std::any::type_name::<T>();
        let failed = |reason: String| Error::Answer { wanted, reason, report: report.clone() };
        let Some(output) = report.structured_output() else {
            return Err(failed("the agent gave no structured output".to_owned()));
        };
        let read = match self.is_wrapped {
            true => output.to::<WrappedAnswer<T>>().map(|wrapped| wrapped.answer),
            false => output.to::<T>(),
        };
        read.map_err(|error| failed(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Tree {
        /// What it is called.
        name: String,
        size: Option<u32>,
        place: (f64, f64),
        marks: BTreeMap<String, bool>,
        branches: Vec<Tree>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    enum Choice {
        Keep,
        Replace { with: String },
    }

    /// Members that an agent does not accept.
    const FOREIGN: &[&str] = &["$schema", "$defs", "prefixItems", "unevaluatedProperties", "format"];

    #[test]
    fn schemas_are_of_draft_7_and_of_type_object() {
        for form in
            [AnswerSchema::of::<Tree>(), AnswerSchema::of::<Choice>(), AnswerSchema::of::<Vec<Tree>>()]
        {
            let text = form.schema.to_string();
            let found: Vec<_> =
                FOREIGN.iter().filter(|member| text.contains(&format!("\"{member}\":"))).collect();
            assert!(found.is_empty(), "{found:?} in {text}");
            assert_eq!(form.schema["type"], "object", "{}", form.schema);
        }
        assert_eq!(
            AnswerSchema::of::<Tree>().schema["properties"]["name"]["description"],
            "What it is called."
        );
        // References to definitions still resolve in the wrapper.
        assert!(AnswerSchema::of::<Vec<Tree>>().schema["definitions"]["Tree"].is_object());
    }
}
