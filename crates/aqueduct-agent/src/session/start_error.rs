//! Why a session can't begin.

use aqueduct_model::script::ScriptError;
use aqueduct_tools::FormError;
use aqueduct_tools::worktree::WorktreeError;
use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::{ResultFrame, ResultSubtype, StartupFailureReason};
use aqueduct_wire::hint::{Hint, HintedError};
use aqueduct_wire::json::{Map, Number};

use super::TurnTotals;
use super::models::ModelsError;
use crate::clock::fresh_uuid;
use crate::configuration::ConfigurationError;
use crate::mcp_config::SourceError;
use crate::transcript::TranscriptFileError;

/// Why a session can't begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// The settings can't be used.
    #[error("Error: {0}")]
    Configuration(#[from] ConfigurationError),
    /// The permission mode can't be entered.
    #[error("Error: {0}")]
    Rules(#[from] aqueduct_rules::Error),
    /// `--mcp-config` can't be used.
    #[error("Error: {0}")]
    Mcp(#[from] SourceError),
    /// The session's id can't be used.
    #[error("Error: {0}")]
    Session(TranscriptFileError),
    /// The conversation to resume does not exist or can't be read.
    #[error("{0}")]
    Resume(TranscriptFileError),
    /// `--resume` without an id.
    #[error("Error: --resume requires a valid session ID when used with --print: --resume <session-id>")]
    ResumeWhat,
    /// A file that the command line names can't be read, or written.
    #[error("Error: {path} can't be used: {error}")]
    File {
        /// The file.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// `--await-initialize`, and another frame came first.
    #[error("The first frame must be an initialize request, because of --await-initialize")]
    NotInitialized,
    /// `--agent` names an unknown agent type.
    #[error("Error: there is no agent {name:?}")]
    Agent {
        /// Who was named.
        name: String,
        /// Who is there.
        all: String,
    },
    /// `--json-schema` can't be used.
    #[error("Error: --json-schema {0}")]
    Form(FormError),
    /// Settings want no command without a sandbox, and there is none.
    #[error("Error: {0}, and settings let no command run without it (sandbox.failIfUnavailable)")]
    Sandbox(String),
    /// `--worktree` can't be done.
    #[error("Error creating worktree: {0}")]
    Worktree(#[from] WorktreeError),
    /// The environment names an API that can't be called.
    #[error("Error: {0}")]
    Endpoint(#[from] ModelsError),
    /// The script of the scripted model can't be used.
    #[error("Error: {path}: {error}")]
    Script {
        /// The file.
        path: String,
        /// What is wrong with it.
        error: ScriptError,
    },
}

impl HintedError for StartError {
    fn hint(&self) -> Option<Hint> {
        match self {
            StartError::Session(error) | StartError::Resume(error) => error.hint(),
            StartError::Agent { all, .. } => Some(Hint::sentence(format!("There are: {all}"))),
            StartError::Sandbox(_) => Some(Hint::sentence("Install bubblewrap, or change the settings")),
            StartError::Worktree(error) => error.hint(),
            StartError::Endpoint(error) => error.hint(),
            StartError::Configuration(error) => error.hint(),
            StartError::Rules(error) => error.hint(),
            StartError::Mcp(_)
            | StartError::ResumeWhat
            | StartError::File { .. }
            | StartError::NotInitialized
            | StartError::Form(_)
            | StartError::Script { .. } => None,
        }
    }
}

impl StartError {
    /// The result that hosts get where a session can't begin.
    pub(crate) fn result(&self, session_id: Option<&str>) -> Option<String> {
        let reason = match self {
            StartError::Resume(_) => None,
            StartError::Sandbox(_) => Some(StartupFailureReason::SandboxRequiredUnavailable),
            StartError::NotInitialized => Some(StartupFailureReason::InitializeNotFirst),
            _ => return None,
        };
        let mut frame = ResultFrame::new(ResultSubtype::ErrorDuringExecution);
        frame.is_error = Some(true);
        frame.duration_ms = Some(0u64.into());
        frame.duration_api_ms = Some(0u64.into());
        frame.num_turns = Some(0u64.into());
        frame.session_id = Some(session_id.map_or_else(fresh_uuid, str::to_owned).into());
        frame.total_cost_usd = Number::from_f64(0.0);
        frame.usage = Some(Box::new(TurnTotals::default().to_usage()));
        frame.model_usage = Some(Map::default());
        frame.permission_denials = Some(Vec::new());
        frame.uuid = Some(fresh_uuid().into());
        frame.errors = Some(vec![self.advised().into()]);
        frame.startup_failure_reason = reason;
        frame.result_index = Some(0u64.into());
        Some(FromAgent::Result(Box::new(frame)).to_line())
    }
}
