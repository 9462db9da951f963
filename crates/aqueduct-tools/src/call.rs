//! A call of a tool, and what it returns.

use std::pin::Pin;

use aqueduct_mcp::{McpToolResult, ToolError};
use aqueduct_wire::block::Content;
use aqueduct_wire::hint::{Hint, HintedError as _};
use aqueduct_wire::json::Raw;
use tokio_util::sync::CancellationToken;

use crate::checkpoint::CheckpointError;
use crate::file::{FileError, ResolvedPaths};

/// A call on its way.
pub type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<CallOutput, ToolFailure>> + Send + 'a>>;

/// One call of a tool.
pub struct ToolInvocation<'a> {
    /// The id of the model's `tool_use` block.
    pub id: &'a str,
    /// The input: an object; the tool checks the rest.
    pub input: Raw<'a>,
    /// Where its paths led when it was allowed, if that is known.
    pub resolved: Option<ResolvedPaths>,
    /// Whether rules and mode allow to read its file, so that the file may be changed without having been read.
    pub may_be_unread: bool,
    /// Ends the call when the user interrupts. The tool then returns [`ToolFailure::Interrupted`] soon.
    pub cancel: CancellationToken,
}

/// The output of a call.
#[derive(Debug, Clone)]
pub struct CallOutput {
    /// For the model.
    pub content: Content<'static>,
    /// For hosts: `tool_use_result`.
    pub result: Raw<'static>,
    /// The tool ran and reports a failure, such as a command with an exit code.
    pub is_error: bool,
}

/// Why a call has no output.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolFailure {
    /// The call is invalid: a missing member, a file that was not read before. The text contains what the model should
    /// do instead.
    Rejected(String),
    /// The tool tried, and could not.
    Failed(String),
    /// The user interrupted it; what it had by then.
    Interrupted(String),
}

impl From<McpToolResult> for CallOutput {
    fn from(result: McpToolResult) -> Self {
        CallOutput { content: result.content, result: result.result, is_error: false }
    }
}

impl From<ToolError> for ToolFailure {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Interrupted => ToolFailure::Interrupted(String::new()),
            error => ToolFailure::Failed(error.to_string()),
        }
    }
}

impl From<FileError> for ToolFailure {
    fn from(error: FileError) -> Self {
        ToolFailure::Failed(error.advised())
    }
}

impl From<CheckpointError> for ToolFailure {
    fn from(error: CheckpointError) -> Self {
        let next = match error.hint() {
            Some(hint) => format!("Nothing was changed. {hint}"),
            None => "Nothing was changed.".to_owned(),
        };
        ToolFailure::Failed(Hint::sentence(next).after(error))
    }
}
