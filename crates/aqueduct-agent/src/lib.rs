//! The agent: a program that any stream-json host can drive.
//!
//! [`program::main`] is the process, [`run`] the loop of a session, `Turn::run` a turn. This crate owns the conversation:
//! turns, control requests of the host, permissions towards a host, transcripts, memory files, compaction. It does not own
//! the tools (`aqueduct-tools`), the model's protocol (`aqueduct-model`), the rules (`aqueduct-rules`) or the frames
//! (`aqueduct-wire`).
//!
//! | module | contents |
//! |---|---|
//! | [`program`], `command_line`, [`options`] | the process: signals, runtime; flags and arguments; what they ask for |
//! | `subcommand` | `auth`, `mcp`, `config` and the other commands beside conversations |
//! | `agent` | the loop: input, notices, signals, one turn after the other, the exit code |
//! | `inbox`, `outbox`, `host`, `upstream` | stdin to frames; frames to stdout; control requests of both directions; the output of another agent as input |
//! | `session` | the state that lives as long as the process |
//! | `turn` | a turn, from a prompt to its result |
//! | `control` | control requests of the host, one subject a file |
//! | `prompt_queue`, `command`, `custom_command` | waiting prompts; built-in slash commands; commands and skills in files |
//! | `history`, `transcript` | the conversation as the model receives it; conversations on disk: append, load, resume, fork |
//! | `prompt`, `memory`, `output_style` | the system prompt, memory files, and output styles |
//! | `permission`, `path_targets`, [`repository`] | whether a call may run; where its paths lead; which repository git would use |
//! | `hook_config`, `hook` | hooks as they are configured; hooks that run |
//! | `mcp_config`, `mcp_host` | which MCP servers are configured, and where; what `aqueduct-mcp` needs of the session |
//! | `subagent`, `subagent_run` | kinds of subagents, their tasks and their results; a subagent that runs |
//! | `configuration` | settings files of all scopes |
//! | [`diagnostic`] | what is wrong with files, options and requests that are read all the same |
//! | `provision`, [`trust`] | what the files of a project run or widen; which folders the user trusts with it |
//! | `project_folders`, `plugin`, `front_matter` | which `.claude` folders count; plugin folders; YAML at the beginning of Markdown files |
//! | `wait_report` | reports on slow work |
//! | `provider`, `key_helper`, `effort` | Bedrock, Vertex, Foundry; keys from a command; how much a model thinks |
//! | `clock`, `side_by_side` | timestamps and ids; several futures in one task |
//! | [`trace`], `log` | the events of the log, and its spans; where it is written |
//!
//! # Invariants
//!
//! - **The transcript comes first.** What a frame reports is in the file before the frame is sent. If it can't be stored,
//!   the turn ends with an error.
//! - **Every tool call has a result**, also when it is denied, interrupted or cut off by a crash: models reject a
//!   conversation without it.
//! - **Each turn has one `result` frame**, whatever happens in it, and `init` precedes it.
//! - **Only frames go to stdout.** `outbox` writes them; `program` writes to stderr; nothing else prints.
//! - **No process outlives the agent.** Every command starts through `aqueduct_os::guard`.
//! - **A prompt is served once.** Its uuid is remembered, in the transcript too.
//! - **A failing hook adds a notice and does not end the turn.** Only a refusal that the event allows stops anything.
//! - **A folder runs nothing by itself.** What its files run or widen is a `Provision`, listed by the reader that loads it,
//!   and in effect only if `provision::AcceptedProvisions` has its digest. A new setting that runs or widens
//!   something needs a row in `configuration/provided.rs`.
//! - **An MCP server can delay only its own calls.** Every wait for a server has a limit, and what it sends unasked is
//!   dropped or waits in its own queue.
//! - **Everything is bounded.** Channels, files, output and time have named limits.
//! - Deliberately absent: the environment, home and working directory except through [`Environment`]; logins of other
//!   programs; a terminal.

pub mod command_line;
pub mod diagnostic;
pub mod options;
pub mod program;
mod project_folders;
mod provision;
pub mod repository;
pub mod trace;
pub mod trust;

mod agent;
mod clock;
mod command;
mod configuration;
mod control;
mod custom_command;
mod effort;
mod front_matter;
mod history;
mod hook;
mod hook_config;
mod host;
mod inbox;
mod key_helper;
mod log;
mod mcp_config;
mod mcp_host;
mod memory;
mod outbox;
mod output_style;
mod path_targets;
mod permission;
mod plugin;
mod prompt;
mod prompt_queue;
mod provider;
mod session;
mod side_by_side;
mod subagent;
mod subagent_run;
mod subcommand;
mod transcript;
mod turn;
mod upstream;
mod wait_report;

pub use agent::{ProcessSignal, ReportError, run};
pub use aqueduct_os::environment::{self, Environment};
pub use path_targets::resolve as resolve_paths;
pub use session::PROTOCOL_VERSION;
