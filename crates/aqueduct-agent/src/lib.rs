//! The agent: a program that any stream-json host can drive.
//!
//! This crate owns the conversation: the turn loop, the control requests of the host, the tools, permissions
//! as they meet a host, transcripts, memory files, compaction. It does not own the model's protocol
//! (`aqueduct-model`), the rules (`aqueduct-rules`) or the frames (`aqueduct-wire`), and it never reads the
//! environment: a program hands it an [`Environment`].
//!
//! | module | holds |
//! |---|---|
//! | [`environment`] | what the program knows of the machine |
//! | `tool` | the table of tools, and one file or folder for each |
//! | `guard` | the process between a tool's command and the agent, so that nothing outlives it |
//! | `sandbox` | what holds a tool's commands, where settings ask for it |
//! | `checkpoint` | what files were before they were changed, and the way back |
//! | `file` | files found, opened, decoded, compared, and replaced as a whole |
//! | `transcript` | conversations on disk: append, load, resume, fork |
//! | `memory`, `prompt` | what the model is told before the conversation |
//! | [`repository`] | which repository git would use in a directory, and which programs it brings along |
//! | `configuration` | settings files of all scopes |
//! | `provision` | what a project folder's files run or widen |
//! | [`trust`] | which folders the user trusts, and with which provisions |
//! | `mcp` | MCP servers, in the host, as processes, and on the network |
//! | `subcommand` | `auth`, `mcp`, `config` and the other commands beside conversations |
//! | `web` | pages fetched with care, and HTML as Markdown |

pub mod environment;
pub mod guard;
pub mod options;
pub mod program;
mod project_folders;
mod provision;
pub mod repository;
pub mod trust;

mod agent;
mod checkpoint;
mod command;
mod configuration;
mod control;
mod file;
mod front_matter;
mod git;
mod history;
mod hook;
mod host;
mod inbox;
mod journal;
mod json_text;
mod mcp;
mod memory;
mod moment;
mod outbox;
mod output_style;
mod path_targets;
mod permission;
mod plugin;
mod prompt;
mod prompt_queue;
mod real_path;
mod recipe;
mod sandbox;
mod schema;
mod session;
mod side_by_side;
mod side_call;
mod subagent;
mod subcommand;
mod tool;
mod transcript;
mod turn;
mod upstream;
mod wait_report;
mod web;
mod worktree;

pub use agent::{Complain, Signal, run};
pub use environment::Environment;
pub use path_targets::resolve as resolve_paths;
pub use session::PROTOCOL_VERSION;
