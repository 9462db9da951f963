//! `aqueduct agent`: the agent, which is also a program of its own.

use std::ffi::OsString;
use std::process::ExitCode;

use aqueduct_agent::command_line::{self, CommandReference, OperandReference, OptionReference};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, ValueHint};

/// The name of the subcommand.
const NAME: &str = "agent";

/// The agent's subcommand that users look for in this program: `aqueduct mcp` is `aqueduct agent mcp`.
const MCP: &str = "mcp";

/// Runs the agent, or a guard of one of its commands, where the command line asks for it. What follows the
/// subcommand's name is the agent's: it reads its own flags.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.skip(1).peekable();
    let first = arguments.peek()?;
    if first == NAME {
        arguments.next();
    } else if first != MCP {
        return None;
    }
    Some(aqueduct_agent::program::main(arguments.collect(), &[NAME]))
}

/// `aqueduct mcp` for those who look for it in the help.
pub(crate) fn listed_mcp() -> Command {
    Command::new(MCP)
        .about("List MCP servers, add them, and sign in to them")
        .disable_help_flag(true)
        .override_usage("aqueduct mcp <COMMAND>")
}

/// The same with everything that follows it.
pub(crate) fn described_mcp() -> Command {
    let reference = command_line::reference();
    let mcp = reference.commands.iter().find(|command| command.names.contains(&MCP));
    mcp.map_or_else(listed_mcp, |mcp| described_command(mcp, MCP))
}

/// The subcommand for those who look for it in the help.
pub(crate) fn listed() -> Command {
    Command::new(NAME)
        .about("Run the coding agent; aqueduct-agent is the same as a program of its own")
        .after_help("The agent reads its own command line: `aqueduct agent --help` lists its flags.")
        .disable_help_flag(true)
        .override_usage("aqueduct agent [OPTIONS] [PROMPT]")
}

/// The same with everything that follows it, for completions and man pages: made from the agent's own tables.
pub(crate) fn described(name: &'static str) -> Command {
    let version = Arg::new("version").short('v').long("version").help("Print the version");
    described_command(&command_line::reference(), name).arg(version.action(ArgAction::SetTrue))
}

fn described_command(reference: &CommandReference, name: &'static str) -> Command {
    let command = Command::new(name)
        .about(reference.about)
        .disable_help_subcommand(true)
        .visible_aliases(reference.names.iter().skip(1).copied());
    // Completions would offer hidden ones.
    let listed = reference.options.iter().filter(|option| !option.help.is_empty());
    let command = command.args(listed.map(described_option));
    let command = command.args(reference.operands.iter().map(described_operand));
    command.subcommands(reference.commands.iter().map(|child| {
        let name = child.names.first().copied().unwrap_or_default();
        described_command(child, name)
    }))
}

fn described_option(option: &OptionReference) -> Arg {
    let arg = Arg::new(option.long).long(option.long).help(option.help);
    let arg = match option.short {
        Some(letter) => arg.short(letter),
        None => arg,
    };
    let Some(value) = option.value else { return arg.action(ArgAction::SetTrue) };
    let arg = with_value(arg, &value);
    match option.values.is_empty() {
        true => arg,
        false => arg.value_parser(PossibleValuesParser::new(option.values.iter().copied())),
    }
}

fn described_operand(operand: &OperandReference) -> Arg {
    let arg = with_value(Arg::new(operand.name).required(!operand.is_optional), operand);
    if operand.is_list { arg } else { arg.action(ArgAction::Set) }
}

fn with_value(arg: Arg, value: &OperandReference) -> Arg {
    let hint = match value.name {
        "FILE" => ValueHint::FilePath,
        "FOLDER" => ValueHint::DirPath,
        "FILE|JSON" | "path" => ValueHint::AnyPath,
        _ => ValueHint::Other,
    };
    let least = usize::from(!value.is_optional);
    let arg = arg.value_name(value.name).value_hint(hint).action(ArgAction::Append);
    if value.is_list { arg.num_args(least..) } else { arg.num_args(least..=1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_is_a_valid_command() {
        described("aqueduct-agent").debug_assert();
        described_mcp().debug_assert();
    }
}
