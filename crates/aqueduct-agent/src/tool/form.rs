//! `StructuredOutput`: the model gives its answer in the form that the host wants.

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{Raw, Str};
use serde_json::Value;

use super::{Call, Failure, Output, Running};
use crate::json_text::to_raw;
use crate::schema::Schema;

/// The tool's name.
pub(crate) const STRUCTURED_OUTPUT: &str = "StructuredOutput";

/// What the model is told when its answer is in the form.
const TAKEN: &str = "The answer has the right form and was taken.";

/// The form that an answer must have, as a tool.
#[derive(Debug)]
pub(crate) struct Form {
    /// The schema as the host wrote it.
    pub(super) raw: Raw<'static>,
    schema: Schema,
}

impl Form {
    /// What it does, for the model.
    pub(super) const DESCRIPTION: &str = "Give your answer: the user wants it in this form, and in no other. Work on the \
        task with the other tools first. Then call this once, as the last thing you do, with everything that the form \
        asks for.";

    /// The form of a JSON Schema, or what is wrong with that.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("is not valid JSON: {error}"))?;
        let is_object = value.get("type").is_none_or(|kind| kind == "object");
        if !value.is_object() || !is_object {
            return Err("must be a JSON Schema of the type object".to_owned());
        }
        let raw = Raw::from(&value);
        let schema = Schema::new(value).map_err(|error| format!("is not a valid JSON Schema: {error}"))?;
        Ok(Form { raw, schema })
    }

    /// Takes an answer.
    pub(super) fn take<'a>(&'a self, call: Call<'a>) -> Running<'a> {
        Box::pin(async move {
            let value: Value =
                call.input.to().map_err(|_| Failure::Failed("The answer is no JSON.".to_owned()))?;
            let faults = self.schema.faults(&value);
            if !faults.is_empty() {
                let what = format!("Output does not match required schema: {}", faults.join(", "));
                return Err(Failure::Failed(what));
            }
            let result = to_raw(&Str::from(TAKEN));
            Ok(Output { content: Content::Text(TAKEN.into()), result, is_error: false })
        })
    }
}
