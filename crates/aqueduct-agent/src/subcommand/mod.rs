//! Subcommands: what the program does beside conversations.
//!
//! Whether a word is a subcommand or the beginning of a prompt is decided by [`is_call`] and the place where it is
//! found: see [`crate::command_line::parse`]. None of them calls a model, writes a transcript or runs a hook.
//!
//! `table.rs` is the table that feeds `parse.rs`, `help.rs` and `reference.rs`, `command.rs` the type of its rows, and `context.rs` what
//! subcommands work with; `error.rs` and `mcp_error.rs` say why one fails. Every other file is a subcommand; `mcp` stores servers through `mcp_config`.

mod agents;
mod auth;
mod command;
mod config;
mod context;
mod doctor;
mod error;
mod help;
mod mcp;
mod mcp_add;
mod mcp_add_json;
mod mcp_error;
mod mcp_list;
mod mcp_login;
mod mcp_remove;
mod parse;
mod plugin;
mod plugin_validate;
mod reference;
mod similar;
mod table;

pub(crate) use context::{Console, SubcommandContext};
pub(crate) use help::overview;
pub(crate) use reference::commands;
pub use reference::{CommandReference, OperandReference, OptionReference};

use command::SubcommandAction;
use error::SubcommandError;
use parse::ParsedCommand;
use table::COMMANDS;

/// Whether a command line begins with a subcommand. `config` is one only before a verb of its own: the reference CLI no
/// longer has it, so another word after it makes it a prompt.
pub(crate) fn is_call(arguments: &[String]) -> bool {
    let Some((name, rest)) = arguments.split_first() else { return false };
    let Some(command) = COMMANDS.iter().find(|command| command.is_called(name)) else { return false };
    match (&command.action, rest.first()) {
        (SubcommandAction::Group(verbs), Some(verb)) if name == "config" => {
            let is_help = matches!(verb.as_str(), "help" | "-h" | "--help");
            is_help || verbs.iter().any(|command| command.is_called(verb))
        }
        _ => true,
    }
}

/// The subcommand that a word was probably meant to be: one that differs by a letter.
pub(crate) fn meant_by(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    let names = COMMANDS.iter().filter(|command| !matches!(command.action, SubcommandAction::Refuse(_)));
    let mut names = names.flat_map(|command| command.names.iter().copied());
    names.find(|name| word.len() > 2 && word != *name && similar::distance(&lower, name) <= 1)
}

/// Runs the subcommand that `arguments` begin with, and returns the exit code.
pub(crate) fn run(context: &SubcommandContext, arguments: &[String], console: &mut Console<'_>) -> u8 {
    let named = arguments
        .split_first()
        .and_then(|(name, rest)| Some((COMMANDS.iter().find(|command| command.is_called(name))?, rest)));
    let Some((command, rest)) = named else {
        console.warn("error: unknown command");
        return 1;
    };
    match parse::parse(command, rest) {
        ParsedCommand::Help { way } => {
            console.print(&help::help(&context.program, &way));
            0
        }
        ParsedCommand::Lost { way } => {
            console.warn(help::help(&context.program, &way).trim_end());
            1
        }
        ParsedCommand::Wrong(error) => {
            console.warn(&SubcommandError::from(error).for_stderr(&context.program));
            1
        }
        ParsedCommand::Run { way, given } => {
            let names: Vec<&str> = way.iter().map(|command| command.name()).collect();
            let result = match way.last().map(|command| &command.action) {
                Some(SubcommandAction::Run(run)) => run(context, &given, console),
                Some(SubcommandAction::Refuse(why)) => {
                    Err(SubcommandError::Unsupported { command: names.join(" "), why: context.named(why) })
                }
                Some(SubcommandAction::Group(_)) | None => Ok(1),
            };
            result.unwrap_or_else(|error| {
                console.warn(&error.for_stderr(&context.program));
                1
            })
        }
    }
}
