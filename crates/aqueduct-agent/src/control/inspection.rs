//! Requests about files and figures.

use std::path::PathBuf;

use aqueduct_wire::control::{
    BinaryVersionReply, ContextUsageCategory, ContextUsageReply, ReadFileReply, ReadFileRequest,
    RewindFilesReply, RewindFilesRequest, SessionCostReply,
};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::{ControlError, INVALID_REQUEST};

use super::{ControlAnswer, reply};
use crate::session::{AgentSession, PROTOCOL_VERSION};

/// How much of a file is sent, where the host does not say.
const READ_BYTES: u64 = 1024 * 1024;

/// Takes files back to what they were before a message.
pub(super) async fn rewind_files(session: &AgentSession, request: &RewindFilesRequest<'_>) -> ControlAnswer {
    let dry_run = request.dry_run == Some(true);
    let uuid = request.user_message_id.to_string();
    let checkpoints = session.tool_context.files.checkpoints.clone();
    let rewound = tokio::task::spawn_blocking(move || checkpoints.rewind(&uuid, dry_run));
    let rewound = match rewound.await {
        Ok(rewound) => rewound.map_err(|error| error.advised()),
        Err(error) => Err(error.to_string()),
    };
    let mut answer = RewindFilesReply::new();
    match rewound {
        Ok(rewound) => {
            answer.can_rewind = Some(true);
            answer.skipped_links = Raw::from_serialize(&rewound.skipped_links).ok().filter(|_| !dry_run);
            let names = rewound.files_changed.iter().map(|path| path.display().to_string().into());
            answer.files_changed = Some(names.collect());
            answer.insertions = Some((rewound.insertions as u64).into());
            answer.deletions = Some((rewound.deletions as u64).into());
        }
        Err(error) if dry_run => {
            answer.can_rewind = Some(false);
            answer.error = Some(error.into());
        }
        Err(error) => return Err(ControlError { message: error, code: None }),
    }
    reply(&answer)
}

/// Reads a file for the host.
pub(super) async fn read_file(session: &AgentSession, request: &ReadFileRequest<'_>) -> ControlAnswer {
    let path = session.tool_context.workspace.cwd().join(PathBuf::from(request.path.as_str()));
    let most = request.max_bytes.as_ref().and_then(|bytes| bytes.as_u64()).unwrap_or(READ_BYTES);
    let read = tokio::task::spawn_blocking(move || {
        use std::io::Read as _;
        let file = std::fs::File::open(&path)?;
        if !file.metadata()?.is_file() {
            return Err(std::io::Error::other("not a regular file"));
        }
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok((path, bytes))
    });
    let (path, mut bytes) = match read.await {
        Ok(Ok(read)) => read,
        Ok(Err(error)) => {
            return Err(ControlError::new(
                INVALID_REQUEST,
                format!("{} can't be read: {error}", request.path),
            ));
        }
        Err(error) => return Err(ControlError::new(INVALID_REQUEST, error.to_string())),
    };
    let mut answer = ReadFileReply::new();
    if bytes.len() as u64 > most {
        bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        answer.truncated = Some(true);
    }
    let text = String::from_utf8_lossy(&bytes);
    answer.lossy = matches!(text, std::borrow::Cow::Owned(_)).then_some(true);
    answer.contents = Some(text.into_owned().into());
    answer.abs_path = Some(path.display().to_string().into());
    reply(&answer)
}

/// How full the model's window is.
pub(super) fn context_usage(session: &AgentSession) -> ControlAnswer {
    let model = session.model();
    let window = session.window_of(&model);
    let used = session.usage.context_tokens();
    let category = |id: &'static str, name: &'static str, tokens: u64, kind: &'static str| {
        let mut category = ContextUsageCategory::new();
        category.id = Some(id.into());
        category.name = Some(name.into());
        category.tokens = Some(tokens.into());
        category.color = Some("default".into());
        category.kind = Some(kind.into());
        category
    };
    let mut answer = ContextUsageReply::new();
    answer.categories = Some(vec![
        category("messages", "Messages", used, "used"),
        category("free_space", "Free space", window.saturating_sub(used), "free"),
    ]);
    answer.total_tokens = Some(used.into());
    answer.max_tokens = Some(window.into());
    answer.raw_max_tokens = Some(window.into());
    answer.percentage = Some((used.saturating_mul(100) / window.max(1)).into());
    answer.model = Some(model.into());
    answer.grid_rows = Some(Vec::new());
    answer.memory_files = Some(Vec::new());
    answer.mcp_tools = Some(session.tool_context.mcp.weighed(&session.deferred_tool_names(None)));
    answer.agents = Some(Vec::new());
    answer.is_auto_compact_enabled = Some(session.options.autocompact.as_deref() != Some("off"));
    reply(&answer)
}

/// What was spent.
pub(super) fn session_cost(session: &AgentSession) -> ControlAnswer {
    let mut answer = SessionCostReply::new();
    answer.text = Some(format!("${:.4}", session.usage.cost()).into());
    reply(&answer)
}

/// The version of the protocol.
pub(super) fn binary_version() -> ControlAnswer {
    let mut answer = BinaryVersionReply::new();
    answer.version = Some(PROTOCOL_VERSION.into());
    reply(&answer)
}
