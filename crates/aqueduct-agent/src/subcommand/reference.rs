//! The table of subcommands as data, for what is generated from it outside this crate.

use super::command::{Subcommand, SubcommandAction, SwitchValue};
use super::table::COMMANDS;

/// A command of the agent's command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandReference {
    /// Its names, the usual one first.
    pub names: &'static [&'static str],
    /// What it does.
    pub about: &'static str,
    /// What follows it, in order.
    pub operands: Vec<OperandReference>,
    /// Its options.
    pub options: Vec<OptionReference>,
    /// Its own commands.
    pub commands: Vec<CommandReference>,
}

/// Something that follows a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandReference {
    /// What the help calls it.
    pub name: &'static str,
    /// Whether it can be left out.
    pub is_optional: bool,
    /// Whether there can be several.
    pub is_list: bool,
}

/// An option of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionReference {
    /// Its letter.
    pub short: Option<char>,
    /// Its name, without dashes.
    pub long: &'static str,
    /// What follows it; none for a switch.
    pub value: Option<OperandReference>,
    /// The only values that it takes, where these are few.
    pub values: Vec<&'static str>,
    /// What it does; empty for one that the help does not list.
    pub help: &'static str,
}

/// The commands that exist. Those that are refused are not listed.
pub(crate) fn commands() -> Vec<CommandReference> {
    COMMANDS.iter().filter_map(command).collect()
}

fn command(row: &Subcommand) -> Option<CommandReference> {
    let commands: Vec<_> = match row.action {
        SubcommandAction::Refuse(_) => return None,
        SubcommandAction::Run(_) => Vec::new(),
        SubcommandAction::Group(children) => children.iter().filter_map(command).collect(),
    };
    let options = row.switches().zip(row.options).map(|(switch, (_, help))| OptionReference {
        short: switch.short.and_then(|short| short.chars().nth(1)),
        long: switch.long.trim_start_matches('-'),
        value: match switch.takes {
            SwitchValue::Nothing => None,
            SwitchValue::Value | SwitchValue::Maybe | SwitchValue::Several => {
                switch.written.split(' ').next_back().and_then(operand)
            }
        },
        values: Vec::new(),
        help,
    });
    Some(CommandReference {
        names: row.names,
        about: row.about,
        operands: row.operands.split_whitespace().filter_map(operand).collect(),
        options: options.collect(),
        commands,
    })
}

/// Reads `<name>`, `[name]` or `[names...]`.
fn operand(written: &'static str) -> Option<OperandReference> {
    let is_optional = written.starts_with('[');
    let name = written.strip_prefix(['<', '['])?.strip_suffix(['>', ']'])?;
    Some(OperandReference { name: name.trim_end_matches("..."), is_optional, is_list: name.ends_with("...") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_the_parser_reads_them() {
        let all = commands();
        let mcp = all.iter().find(|command| command.names == ["mcp"]).unwrap();
        let add = mcp.commands.iter().find(|command| command.names == ["add"]).unwrap();
        let operands: Vec<_> =
            add.operands.iter().map(|operand| (operand.name, operand.is_optional, operand.is_list)).collect();
        assert_eq!(operands, [("name", false, false), ("commandOrUrl", false, false), ("args", true, true)]);
        let env = add.options.iter().find(|option| option.long == "env").unwrap();
        assert_eq!(
            (env.short, env.value.map(|value| (value.name, value.is_list))),
            (Some('e'), Some(("env", true)))
        );
        let secret = add.options.iter().find(|option| option.long == "client-secret").unwrap();
        assert_eq!((secret.short, secret.value), (None, None));
        assert!(!all.iter().any(|command| command.names.contains(&"update")), "it is refused");
    }
}
