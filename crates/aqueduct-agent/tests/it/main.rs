//! Tests of the agent as a program, driven as a host drives it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an expectation that is not met is a failed test"
)]

mod api;
mod background;
mod call_checks;
mod commands;
mod diagnostics;
mod full_disk;
mod guard;
mod hanging;
mod hook_callbacks;
mod hook_commands;
mod hook_kinds;
mod hook_notices;
mod host;
mod http_server;
mod kept;
mod key_helper;
mod limits;
mod logs;
mod managed;
mod mcp_files;
mod mcp_in_host;
mod mcp_network;
mod mcp_processes;
mod mcp_resumption;
mod mcp_server;
mod mcp_sign_in;
mod memory;
mod model_choice;
mod oauth_server;
mod options;
mod output_styles;
mod page;
mod plugins;
mod questions;
mod repositories;
mod resume;
mod roles;
mod sandbox;
mod search;
mod shared_session;
mod signals;
mod skills;
mod streaming_tools;
mod structured_output;
mod subagents;
mod subcommand_diagnostics;
mod subcommands;
mod suggestions;
mod thinking;
mod titles;
mod tools;
mod trust;
mod turns;
mod unfinished;
mod usage;
mod web_fetch;
mod web_search;
mod worktree_tools;
mod worktrees;
mod wrong_requests;
