//! What the file tools have in common: their input, the blocking work, the answer.

use std::path::PathBuf;

use aqueduct_wire::block::Content;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::{Extra, Json, Number, Raw};
use tokio_util::sync::CancellationToken;

use super::{CallOutput, ToolContext, ToolFailure, ToolInvocation};
use crate::checkpoint::Checkpoints;
use crate::file::{FileError, FileLocation, FileStates, ResolvedPaths, locate};

/// A call of a file tool with all that its work needs, to be taken to a thread that may block.
pub(super) struct FileCall {
    pub(super) input: Raw<'static>,
    pub(super) cwd: PathBuf,
    pub(super) home: PathBuf,
    pub(super) files: FileStates,
    pub(super) checkpoints: Checkpoints,
    /// Where its path led when it was allowed.
    pub(super) resolved: Option<ResolvedPaths>,
    /// Whether the file may be changed without having been read.
    pub(super) may_be_unread: bool,
    pub(super) cancel: CancellationToken,
}

impl FileCall {
    /// A call that runs. The skills of the file's folder become known.
    pub(super) fn new(tool_context: &ToolContext, call: ToolInvocation<'_>) -> Self {
        let call = FileCall::to_check(tool_context, call);
        if let Some(file) = file_of(&call.input) {
            tool_context
                .skills
                .catalog
                .note_file(&call.cwd.join(file), tool_context.commands.sandbox.policy().enabled);
        }
        call
    }

    /// A call that is only checked.
    pub(super) fn to_check(tool_context: &ToolContext, call: ToolInvocation<'_>) -> Self {
        FileCall {
            input: call.input.into_owned(),
            cwd: tool_context.workspace.cwd(),
            home: tool_context.environment.home.clone(),
            files: tool_context.files.read_state.clone(),
            checkpoints: tool_context.files.checkpoints.clone(),
            resolved: call.resolved,
            may_be_unread: call.may_be_unread,
            cancel: call.cancel,
        }
    }

    /// Finds the file for a path of the input. It must be the one that was looked at when the call was allowed.
    pub(super) fn locate(&self, path: &str) -> Result<FileLocation, FileError> {
        let place = locate(path, &self.cwd, &self.home)?;
        match &self.resolved {
            Some(resolved) if !resolved.knows(&place.real) => Err(FileError::Moved(place.given)),
            _ => Ok(place),
        }
    }

    /// Does the work where blocking is allowed.
    pub(super) async fn work<T: Send + 'static>(
        self,
        work: impl FnOnce(&FileCall) -> Result<T, ToolFailure> + Send + 'static,
    ) -> Result<T, ToolFailure> {
        let done = tokio::task::spawn_blocking(move || {
            self.check_cancelled()?;
            work(&self)
        });
        done.await.unwrap_or_else(|error| Err(ToolFailure::Failed(format!("The tool failed: {error}"))))
    }

    /// Fails once the user has interrupted the call.
    pub(super) fn check_cancelled(&self) -> Result<(), ToolFailure> {
        if self.cancel.is_cancelled() {
            return Err(ToolFailure::Interrupted(
                "Interrupted before completion. Nothing was changed.".to_owned(),
            ));
        }
        Ok(())
    }
}

/// The file that a call is about.
fn file_of(input: &Raw<'_>) -> Option<PathBuf> {
    let input = input.to::<serde_json::Value>().ok()?;
    let named = input.get("file_path").or_else(|| input.get("notebook_path"))?;
    named.as_str().map(PathBuf::from)
}

/// The input as its type; `needs` names what it can't do without, for the message.
pub(super) fn input<'a, T: Json<'a>>(raw: &'a Raw<'_>, needs: &str) -> Result<T, ToolFailure> {
    raw.view().ok_or_else(|| ToolFailure::Rejected(format!("The input is invalid. It needs {needs}.")))
}

/// A whole number of the input. Models write numbers as text now and then: that is read, too.
pub(super) fn integer(
    name: &str,
    number: Option<&Number<'_>>,
    extra: &Extra<'_>,
) -> Result<Option<i64>, ToolFailure> {
    let (value, written) = match (number, extra.get(name)) {
        (Some(number), _) => (number.as_i64(), number.as_str()),
        (None, Some(raw)) if raw.as_str() != "null" => {
            (raw.as_str().trim_matches('"').parse().ok(), raw.as_str())
        }
        (None, _) => return Ok(None),
    };
    match value {
        Some(value) => Ok(Some(value)),
        None => Err(ToolFailure::Rejected(format!("`{name}` must be a whole number, not {written}."))),
    }
}

/// A yes or no of the input, as such or as text.
pub(super) fn flag(name: &str, value: Option<bool>, extra: &Extra<'_>) -> Result<bool, ToolFailure> {
    match (value, extra.get(name).map(Raw::as_str)) {
        (Some(value), _) => Ok(value),
        (None, None | Some("null" | "\"false\"")) => Ok(false),
        (None, Some("\"true\"")) => Ok(true),
        (None, Some(written)) => {
            Err(ToolFailure::Rejected(format!("`{name}` must be true or false, not {written}.")))
        }
    }
}

/// The answer of a call that went well.
pub(super) fn output(
    content: Content<'static>,
    result: &impl Json<'static>,
) -> Result<CallOutput, ToolFailure> {
    Ok(CallOutput { content, result: Raw::written(result), is_error: false })
}

/// The failure of looking at a file that is to be changed: one of the wrong kind is a call that makes no sense.
pub(super) fn unreadable(error: FileError) -> ToolFailure {
    match error {
        FileError::Folder(_) | FileError::Special { .. } | FileError::Missing { .. } => {
            ToolFailure::Rejected(error.advised())
        }
        error => error.into(),
    }
}
