//! The tools that the model calls: files, searches, commands, web pages, worktrees, lists, subagents and skills.
//!
//! [`TOOLS`] is the table. A tool is one file below `tool/` with a row: name, description, schema, the function that
//! runs a call, and [`ToolFacts`], which answer everything that the agent asks about it. A call runs with a
//! [`ToolContext`], whose parts own the state that the tools of one conversation share.
//!
//! | module | contents |
//! |---|---|
//! | `tool` | the table, and one file or folder for each tool; checks of inputs |
//! | `context` | what the tools of a conversation share, in parts |
//! | `call`, `notice` | a call, its output and its failure; what tools report to the host beside results |
//! | [`command`] | shell commands under a guard, in the foreground and in the background |
//! | [`mod@file`] | files: find, open, decode, replace; what was read of them; where paths of calls led |
//! | [`checkpoint`] | earlier contents of changed files, and rewinding |
//! | `hidden` | files that searches skip |
//! | `list` | the todo list and the tasks of the model |
//! | [`subagent`], `skill_catalog` | what the Agent and Skill tools request, and what they need of the agent |
//! | [`web`], [`side_call`] | pages that are fetched, HTML as Markdown; model calls beside the conversation |
//! | [`git`], [`worktree`] | git without programs that a repository names; worktrees |
//! | `schema` | JSON Schema for structured output |
//! | `id` | ids of runs |
//!
//! # Invariants
//!
//! - **No decisions.** A tool runs a call that has been allowed. Rules, hooks and users are the agent's business.
//! - **No conversation.** Tools send [`Notice`]s and [`subagent::SubagentTask`]s on channels and name skills; the agent
//!   does the rest. This crate never depends on `aqueduct-agent`.
//! - **A file is the one that was looked at.** A tool works on the file to which the path led when the call was allowed,
//!   or fails; it never follows a link below that.
//! - **A file changes as a whole, after a checkpoint**, and only if the model has read what it replaces.
//! - **Every call ends soon after its token is cancelled**, with [`ToolFailure::Interrupted`].
//! - **No command outlives the process**: every command starts through `aqueduct_os::guard`.
//! - **Everything is bounded**: output, searches, pages, tasks and waits have named limits.
//! - Deliberately absent: the environment, home and working directory except through
//!   [`Environment`](aqueduct_os::environment::Environment).

mod call;
pub mod checkpoint;
pub mod command;
mod context;
pub mod file;
pub mod git;
mod hidden;
mod id;
mod list;
mod notice;
mod schema;
pub mod side_call;
mod skill_catalog;
pub mod subagent;
mod tool;
pub mod web;
pub mod worktree;

pub use call::{CallOutput, ToolFailure, ToolFuture, ToolInvocation};
pub use context::{
    CommandContext, DeferredTools, FileContext, Lists, Skills, Subagents, ToolContext, ToolWorkspace,
};
pub use hidden::Hidden;
pub use id::fresh_run_id;
pub use notice::{BackgroundCommandState, Consultation, ConsultationSubject, Notice, TaskLabel, TaskReport};
pub use skill_catalog::{Launch, SkillCatalog};
pub use tool::{
    AnswerForm, Audience, BASH, BuiltInTool, DEFAULT_SUBAGENT, FileUse, FormError, InvalidInput, ModeChange,
    OfferedTool, READ, STRUCTURED_OUTPUT, TOOLS, ToolFacts, ToolNeed,
};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
