//! A call of a tool, and what it returns.

use std::pin::Pin;

use aqueduct_mcp::{ToolError, ToolResult};
use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use tokio_util::sync::CancellationToken;

use crate::checkpoint::CheckpointError;
use crate::file::{FileError, ResolvedPaths};

/// A call on its way.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<Output, Failure>> + Send + 'a>>;

/// One call of a tool.
pub struct Call<'a> {
    /// The id of the model's `tool_use` block.
    pub id: &'a str,
    /// The input: an object; the tool checks the rest.
    pub input: Raw<'a>,
    /// Where its paths led when it was allowed, if that is known.
    pub resolved: Option<ResolvedPaths>,
    /// Whether rules and mode allow to read its file, so that the file may be changed without having been read.
    pub may_be_unread: bool,
    /// Ends the call when the user interrupts. The tool then returns [`Failure::Interrupted`] soon.
    pub cancel: CancellationToken,
}

/// What a call gave.
#[derive(Debug, Clone)]
pub struct Output {
    /// For the model.
    pub content: Content<'static>,
    /// For hosts: `tool_use_result`.
    pub result: Raw<'static>,
    /// The tool ran and says that it failed: a command with an exit code, say.
    pub is_error: bool,
}

/// Why a call gave nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The call makes no sense as it stands: a missing member, a file that was not read before. The text
    /// tells the model what to do instead.
    Rejected(String),
    /// The tool tried, and could not.
    Failed(String),
    /// The user interrupted it; what it had by then.
    Interrupted(String),
}

impl From<ToolResult> for Output {
    fn from(result: ToolResult) -> Self {
        Output { content: result.content, result: result.result, is_error: false }
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Interrupted => Failure::Interrupted(String::new()),
            error => Failure::Failed(error.to_string()),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Failure::Failed(error.to_string())
    }
}

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Self {
        Failure::Failed(format!("{error} Nothing was changed."))
    }
}
