//! What `--help` of a subcommand prints.

use std::fmt::Write as _;

use super::command::{Subcommand, SubcommandAction};
use super::table::COMMANDS;

/// The line for `-h`, which every command has.
const HELP: (&str, &str) = ("-h, --help", "Display help for command");

/// The help of the last command of a way.
pub(super) fn help(program: &str, way: &[&Subcommand]) -> String {
    let Some(command) = way.last() else { return String::new() };
    let names = way.iter().map(|command| command.names.join("|"));
    let mut usage = format!("Usage: {program} {} [options]", names.collect::<Vec<_>>().join(" "));
    if let SubcommandAction::Group(_) = command.action {
        usage.push_str(" [command]");
    }
    if !command.operands.is_empty() {
        let _ = write!(usage, " {}", command.operands);
    }
    let mut text = format!("{usage}\n\n{}\n", command.about);
    if let SubcommandAction::Refuse(why) = command.action {
        let _ = write!(text, "\nNot supported: {}.\n", why.replace("{program}", program));
    }
    if !command.examples.is_empty() {
        let _ = write!(text, "\n{}\n", command.examples.replace("{program}", program));
    }
    let mut options: Vec<(&str, &str)> = command.options.iter().copied().chain([HELP]).collect();
    options.sort_by_key(|(written, _)| written.trim_start_matches('-').to_ascii_lowercase());
    text.push_str("\nOptions:\n");
    rows(&mut text, options.iter().map(|(written, what)| ((*written).to_owned(), *what)));
    if let SubcommandAction::Group(children) = &command.action {
        text.push_str("\nCommands:\n");
        let help = ("help [command]".to_owned(), "Display help for command");
        rows(&mut text, children.iter().map(row).chain([help]));
    }
    text
}

/// The subcommands, for the help of the program itself. Those that are refused are named at the end.
pub(crate) fn overview() -> String {
    let is_refused = |command: &&Subcommand| matches!(command.action, SubcommandAction::Refuse(_));
    let mut text = String::from("\nCommands:\n");
    rows(&mut text, COMMANDS.iter().filter(|command| !is_refused(command)).map(row));
    text.push_str("\nKnown and refused, with the reason: ");
    let refused: Vec<String> =
        COMMANDS.iter().filter(is_refused).map(|command| command.names.join("|")).collect();
    text.push_str(&refused.join(" "));
    text.push('\n');
    text
}

fn row(command: &Subcommand) -> (String, &'static str) {
    let options = if command.options.is_empty() { "" } else { " [options]" };
    let operands = if command.operands.is_empty() { String::new() } else { format!(" {}", command.operands) };
    (format!("{}{options}{operands}", command.names.join("|")), command.about)
}

fn rows<'r>(text: &mut String, rows: impl Iterator<Item = (String, &'r str)>) {
    let rows: Vec<(String, &str)> = rows.collect();
    let width = rows.iter().map(|(term, _)| term.chars().count()).max().unwrap_or_default();
    for (term, what) in rows {
        let _ = writeln!(text, "  {term:width$}  {what}");
    }
}
