//! One call of a model.

mod body;
mod mark;

use aqueduct_wire::json::Raw;

#[cfg(feature = "client")]
use crate::price::LONG_WINDOW_BETA;
use crate::price::LONG_WINDOW_SUFFIX;

/// The beta feature that fast mode is.
#[cfg(feature = "client")]
const FAST_MODE_BETA: &str = "fast-mode-2026-02-01";

/// The beta feature that a budget for a task is.
#[cfg(feature = "client")]
const TASK_BUDGET_BETA: &str = "task-budgets-2026-03-13";

/// What is asked of a model.
///
/// Messages and tools are kept as JSON text: a model's output is sent back to it unchanged, signatures and
/// unknown members included.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The model's full name. `[1m]` behind it asks for a window of a million tokens.
    pub model: String,
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
    /// The system prompt, in parts; the last one ends what is cached.
    pub system: Vec<String>,
    /// The conversation, oldest first.
    pub messages: Vec<ModelMessage>,
    /// What the model may call.
    pub tools: Vec<ModelTool>,
    /// Whether and how much the model thinks before it answers.
    pub thinking: ThinkingMode,
    /// What is shown of the thinking: `summarized`, `omitted`, …; the model's default if unset.
    pub thinking_display: Option<String>,
    /// How hard the model tries: `low`, `medium`, `high`, …
    pub effort: Option<String>,
    /// About how many tokens the whole task may take. The model knows, and plans with it.
    pub task_budget: Option<u64>,
    /// Whether the call is served in fast mode, which costs more.
    pub is_fast: bool,
    /// Names of beta features, for the `anthropic-beta` header.
    pub betas: Vec<String>,
    /// Who asks, for the API's abuse detection: an opaque id.
    pub user: Option<String>,
}

impl Request {
    /// The model's name as the API knows it.
    pub(crate) fn model_name(&self) -> &str {
        self.model.strip_suffix(LONG_WINDOW_SUFFIX).unwrap_or(&self.model)
    }

    /// The names of the beta features that are asked for.
    #[cfg(feature = "client")]
    pub(crate) fn beta_names(&self) -> Vec<&str> {
        let mut betas: Vec<&str> = self.betas.iter().map(String::as_str).collect();
        if self.model.ends_with(LONG_WINDOW_SUFFIX) && !betas.contains(&LONG_WINDOW_BETA) {
            betas.push(LONG_WINDOW_BETA);
        }
        if self.task_budget.is_some() && !betas.contains(&TASK_BUDGET_BETA) {
            betas.push(TASK_BUDGET_BETA);
        }
        if self.is_fast && !betas.contains(&FAST_MODE_BETA) {
            betas.push(FAST_MODE_BETA);
        }
        betas
    }
}

/// The role of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestRole {
    /// The user; tool results too.
    User,
    /// The model.
    Assistant,
}

/// A message of the conversation.
#[derive(Debug, Clone)]
pub struct ModelMessage {
    /// Its role.
    pub role: RequestRole,
    /// A JSON string or a list of blocks.
    pub content: Raw<'static>,
}

/// Something that a model may call.
#[derive(Debug, Clone)]
pub enum ModelTool {
    /// A tool on this side.
    Local {
        /// Its name.
        name: String,
        /// What it does, for the model.
        description: String,
        /// The JSON Schema of its input.
        schema: Raw<'static>,
    },
    /// A tool on the model's side, as the API describes it.
    Server(Raw<'static>),
}

impl ModelTool {
    /// The JSON of a tool that is described as JSON.
    fn raw(&self) -> Option<&Raw<'static>> {
        match self {
            ModelTool::Local { .. } => None,
            ModelTool::Server(raw) => Some(raw),
        }
    }
}

/// Whether a model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThinkingMode {
    /// The model's default: most don't.
    #[default]
    Off,
    /// Explicitly off.
    Disabled,
    /// As the model sees fit.
    Adaptive,
    /// At most this many tokens.
    Budget(u32),
}
