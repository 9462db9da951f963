//! What the agent is asked for: by hosts, SDKs and people.

mod list;

pub(crate) use list::split_list;

use std::path::PathBuf;

use aqueduct_wire::hook::SetupTrigger;

/// Which worktree a session works in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorktreeChoice {
    /// A new one with a generated name.
    Unnamed,
    /// The one of this name.
    Named(String),
}

/// What the agent was asked for on its command line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AgentOptions {
    /// `--plugin-dir`: folders with commands, skills, agents, hooks and MCP servers.
    pub plugins: Vec<PathBuf>,
    /// `--plugin-dir-no-mcp`: the same, whose MCP servers the host takes care of.
    pub plugins_without_mcp: Vec<PathBuf>,
    /// The kind of agent that the session itself is.
    pub agent: Option<String>,
    /// Kinds of subagents: a JSON object.
    pub agents: Option<String>,
    /// The form that answers must have: a JSON Schema.
    pub json_schema: Option<String>,
    /// Whether the host receives the text of subagents.
    pub forward_subagent_text: bool,
    /// `-p`: answer and exit.
    pub print: bool,
    /// The prompt on the command line.
    pub prompt: Option<String>,
    /// `--output-format`.
    pub output: OutputFormat,
    /// `--input-format`.
    pub input: InputFormat,
    /// `--verbose`.
    pub verbose: bool,
    /// `--include-partial-messages`.
    pub partial_messages: bool,
    /// `--include-hook-events`.
    pub hook_events: bool,
    /// `--prompt-suggestions`: suggest the user's next prompt after a turn.
    pub prompt_suggestions: bool,
    /// `--replay-user-messages`.
    pub replay_user_messages: bool,
    /// `--await-initialize`: the first line must be an `initialize` request.
    pub await_initialize: bool,
    /// `--session-mirror`: send transcript lines to the host too.
    pub session_mirror: bool,

    /// `--worktree`.
    pub worktree: Option<WorktreeChoice>,
    /// `--tmux`, which needs a terminal.
    pub tmux: bool,
    /// `--continue`.
    pub continue_newest: bool,
    /// `--resume`; empty without an id.
    pub resume: Option<String>,
    /// `--fork-session`.
    pub fork: bool,
    /// `--session-id`.
    pub session_id: Option<String>,
    /// `--resume-session-at`: the message up to which the conversation is taken.
    pub resume_at: Option<String>,
    /// The prompt whose turn, and no other, may be left out by that.
    pub resume_drops: Option<String>,
    /// `--no-session-persistence`.
    pub unsaved: bool,
    /// `--name`.
    pub name: Option<String>,

    /// `--permission-mode`.
    pub permission_mode: Option<String>,
    /// `--dangerously-skip-permissions`.
    pub skip_permissions: bool,
    /// `--trust-workspace`: everything that the project's files provide is in effect.
    pub trust_workspace: bool,
    /// `--allow-dangerously-skip-permissions`.
    pub may_skip_permissions: bool,
    /// `--allowed-tools`, as given.
    pub allowed_tools: Vec<String>,
    /// `--disallowed-tools`, as given.
    pub disallowed_tools: Vec<String>,
    /// `--permission-prompt-tool`.
    pub permission_prompt_tool: Option<String>,
    /// `--permission-prompts`: `host` or `none`.
    pub permission_prompts: Option<String>,
    /// `--tools`: the built-in tools that exist; `None` for all of them.
    pub tools: Option<Vec<String>>,

    /// `--model`.
    pub model: Option<String>,
    /// `--fallback-model`.
    pub fallback_model: Option<String>,
    /// `--max-turns`.
    pub max_turns: Option<u32>,
    /// `--max-budget-usd`.
    pub max_budget_usd: Option<f64>,
    /// `--max-thinking-tokens`.
    pub max_thinking_tokens: Option<u32>,
    /// `--thinking`: `adaptive`, `enabled` or `disabled`.
    pub thinking: Option<String>,
    /// `--thinking-display`: `summarized`, `omitted` or `highlights`.
    pub thinking_display: Option<String>,
    /// `--task-budget`: about how many tokens a task may take.
    pub task_budget: Option<u64>,
    /// `--effort`.
    pub effort: Option<String>,
    /// `--init`, `--init-only` or `--maintenance`: the project is set up before the session begins.
    pub setup: Option<Setup>,
    /// `--init-only`: nothing is done beside that.
    pub only_setup: bool,
    /// `--betas`.
    pub betas: Vec<String>,
    /// `--autocompact`: tokens at which the conversation is summed up.
    pub autocompact: Option<String>,

    /// `--system-prompt`.
    pub system_prompt: Option<String>,
    /// `--system-prompt-file`.
    pub system_prompt_file: Option<PathBuf>,
    /// `--append-system-prompt`.
    pub append_system_prompt: Option<String>,
    /// `--append-system-prompt-file`.
    pub append_system_prompt_file: Option<PathBuf>,
    /// `--add-dir`.
    pub directories: Vec<PathBuf>,

    /// `--settings`: a file or JSON text.
    pub settings: Option<String>,
    /// `--managed-settings`: what the host's own organisation decides, as JSON text.
    pub managed_settings: Option<String>,
    /// `--disable-slash-commands`: a prompt is a prompt, and there are no skills.
    pub no_commands: bool,
    /// `--setting-sources`; an empty list means none.
    pub setting_sources: Option<Vec<String>>,
    /// `--mcp-config`: files or JSON texts.
    pub mcp_config: Vec<String>,
    /// `--strict-mcp-config`: no MCP servers but those of the command line.
    pub strict_mcp_config: bool,
    /// `--debug` or `--debug-file`.
    pub debug_file: Option<PathBuf>,
    /// `--debug`.
    pub debug: bool,
}

/// How the answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputFormat {
    /// The final text.
    #[default]
    Text,
    /// The result frame; with `--verbose`, all frames in a list.
    Json,
    /// Frames, a line each.
    StreamJson,
}

/// Why a project is set up before a session begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// It is new here.
    Init,
    /// It is looked after.
    Maintenance,
}

impl Setup {
    /// The same, as hooks receive it.
    pub(crate) fn trigger(self) -> SetupTrigger<'static> {
        match self {
            Setup::Init => SetupTrigger::Init,
            Setup::Maintenance => SetupTrigger::Maintenance,
        }
    }
}

/// How prompts are received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InputFormat {
    /// Text: the whole of stdin is one prompt.
    #[default]
    Text,
    /// Frames, a line each.
    StreamJson,
}
