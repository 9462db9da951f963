//! The tools: what the model may call, what each receives, and what it returns.
//!
//! [`TOOLS`] is the table. A tool is one file or folder with its name, description, schema, function and [`ToolFacts`].

use crate::call::{CallOutput, ToolFailure, ToolFuture, ToolInvocation};
use crate::context::ToolContext;
use crate::notice::Notice;

mod agent;
mod background_task;
mod bash;
mod edit;
mod file_call;
#[cfg(test)]
mod file_fixture;
mod file_path;
mod form;
mod glob;
mod grep;
mod input_check;
mod invalid_input;
#[cfg(test)]
mod list_tests;
mod mcp_resource;
#[cfg(test)]
mod no_host;
mod notebook_edit;
mod offer;
mod plan;
mod question;
mod read;
mod recall;
mod row;
mod search;
mod send_message;
mod skill;
mod subagent_task;
mod task_list;
mod todo_write;
mod tool_search;
mod web_fetch;
mod web_search;
mod worktree;
mod write;

pub use agent::DEFAULT_SUBAGENT;
pub use bash::BASH;
pub use form::{AnswerForm, FormError, STRUCTURED_OUTPUT};
pub use invalid_input::InvalidInput;
pub use offer::OfferedTool;
pub use read::READ;
pub use row::{Audience, BuiltInTool, FileUse, ModeChange, ToolFacts, ToolNeed};

/// Every tool there is.
pub const TOOLS: &[&BuiltInTool] = &[
    &bash::TOOL,
    &read::TOOL,
    &write::TOOL,
    &edit::TOOL,
    &notebook_edit::TOOL,
    &glob::TOOL,
    &grep::TOOL,
    &todo_write::TOOL,
    &task_list::CREATE,
    &task_list::GET,
    &task_list::LIST,
    &task_list::UPDATE,
    &agent::TOOL,
    &send_message::TOOL,
    &background_task::OUTPUT,
    &background_task::STOP,
    &question::TOOL,
    &plan::ENTER,
    &plan::EXIT,
    &mcp_resource::LIST,
    &mcp_resource::READ,
    &skill::TOOL,
    &tool_search::TOOL,
    &web_fetch::TOOL,
    &web_search::TOOL,
    &worktree::ENTER,
    &worktree::EXIT,
];
