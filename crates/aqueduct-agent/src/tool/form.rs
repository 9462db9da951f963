//! `StructuredOutput`: the model gives its answer in the form that the host wants.

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{Raw, Str};
use serde_json::Value;

use super::{Call, Failure, Output, Running};
use crate::schema::Schema;

/// The tool's name.
pub(crate) const STRUCTURED_OUTPUT: &str = "StructuredOutput";

/// The result when the answer matches the schema.
const TAKEN: &str = "The structured output was accepted.";

/// The form that an answer must have, as a tool.
#[derive(Debug)]
pub(crate) struct Form {
    /// The schema as the host wrote it.
    pub(super) raw: Raw<'static>,
    schema: Schema,
}

impl Form {
    /// What it does, for the model.
    pub(super) const DESCRIPTION: &str = "Return the final answer as structured output that matches this \
        schema; the user requires this format. Work on the task with the other tools first. Then call this \
        tool once, as the last step, with everything that the schema requires.";

    /// The form of a JSON Schema, or what is wrong with that.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("is not valid JSON: {error}"))?;
        let is_object = value.get("type").is_none_or(|kind| kind == "object");
        if !value.is_object() || !is_object {
            return Err("must be a JSON Schema of type object".to_owned());
        }
        let raw = Raw::from(&value);
        let schema = Schema::new(value).map_err(|error| format!("is not a valid JSON Schema: {error}"))?;
        Ok(Form { raw, schema })
    }

    /// Takes an answer.
    pub(super) fn take<'a>(&'a self, call: Call<'a>) -> Running<'a> {
        Box::pin(async move {
            let value: Value =
                call.input.to().map_err(|_| Failure::Failed("The output is not valid JSON.".to_owned()))?;
            let faults = self.schema.faults(&value);
            if !faults.is_empty() {
                let what = format!("Output does not match required schema: {}", faults.join(", "));
                return Err(Failure::Failed(what));
            }
            let result = Raw::written(&Str::from(TAKEN));
            Ok(Output { content: Content::Text(TAKEN.into()), result, is_error: false })
        })
    }
}
