//! `StructuredOutput`: the model gives its answer in the form that the host wants.

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{Raw, Str};
use serde_json::Value;

use super::{CallOutput, ToolFailure, ToolFuture, ToolInvocation};
use crate::schema::{Schema, SchemaError};

/// The tool's name.
pub const STRUCTURED_OUTPUT: &str = "StructuredOutput";

/// The result when the answer matches the schema.
const TAKEN: &str = "The structured output was accepted.";

/// The form that an answer must have, as a tool.
#[derive(Debug)]
pub struct AnswerForm {
    /// The schema as the host wrote it.
    pub(super) raw: Raw<'static>,
    schema: Schema,
}

/// Why a text is not the schema of a form.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// It is not JSON.
    #[error("is not valid JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// It does not describe an object, which is what a tool receives.
    #[error("must be a JSON Schema of type object")]
    NotAnObject,
    /// It is not a schema.
    #[error("is not a valid JSON Schema: {0}")]
    Schema(#[from] SchemaError),
}

impl AnswerForm {
    /// What it does, for the model.
    pub(super) const DESCRIPTION: &str = "Return the final answer as structured output that matches this \
        schema; the user requires this format. Work on the task with the other tools first. Then call this \
        tool once, as the last step, with everything that the schema requires.";

    /// The form of a JSON Schema, or what is wrong with that.
    pub fn new(text: &str) -> Result<Self, FormError> {
        let value: Value = serde_json::from_str(text)?;
        let is_object = value.get("type").is_none_or(|kind| kind == "object");
        if !value.is_object() || !is_object {
            return Err(FormError::NotAnObject);
        }
        let raw = Raw::from(&value);
        Ok(AnswerForm { raw, schema: Schema::new(value)? })
    }

    /// Takes an answer.
    pub(super) fn take<'a>(&'a self, call: ToolInvocation<'a>) -> ToolFuture<'a> {
        Box::pin(async move {
            let value: Value = call
                .input
                .to()
                .map_err(|_| ToolFailure::Failed("The output is not valid JSON.".to_owned()))?;
            let faults = self.schema.faults(&value);
            if !faults.is_empty() {
                let what = format!("Output does not match required schema: {}", faults.join(", "));
                return Err(ToolFailure::Failed(what));
            }
            let result = Raw::written(&Str::from(TAKEN));
            Ok(CallOutput { content: Content::Text(TAKEN.into()), result, is_error: false })
        })
    }
}
