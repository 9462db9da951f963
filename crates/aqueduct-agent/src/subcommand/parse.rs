//! Reads the command line of a subcommand.

use super::command::{Subcommand, SubcommandAction, Switch, SwitchValue};
use super::error::UsageError;

/// What follows a subcommand's name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct GivenArguments {
    pub(super) operands: Vec<String>,
    values: Vec<(&'static str, Option<String>)>,
}

impl GivenArguments {
    /// Whether an option is there.
    pub(super) fn has(&self, long: &str) -> bool {
        self.values.iter().any(|(name, _)| *name == long)
    }

    /// The value of an option; of several the last.
    pub(super) fn value(&self, long: &str) -> Option<&str> {
        self.values(long).last()
    }

    /// The values of an option in their order.
    pub(super) fn values(&self, long: &str) -> impl DoubleEndedIterator<Item = &str> {
        self.values.iter().filter(move |(name, _)| *name == long).filter_map(|(_, value)| value.as_deref())
    }

    /// An operand, or nothing.
    pub(super) fn operand(&self, index: usize) -> &str {
        self.operands.get(index).map_or("", String::as_str)
    }
}

/// What a command line asks for.
pub(super) enum ParsedCommand<'c> {
    /// To run the last command of the way to it.
    Run { way: Vec<&'c Subcommand>, given: GivenArguments },
    /// To show the help of the last one.
    Help { way: Vec<&'c Subcommand> },
    /// The help as well, because the command line makes no sense without it.
    Lost { way: Vec<&'c Subcommand> },
    /// It makes no sense.
    Wrong(UsageError),
}

/// Reads the arguments that follow the name of `command`.
pub(super) fn parse<'c>(command: &'c Subcommand, arguments: &[String]) -> ParsedCommand<'c> {
    let mut way = vec![command];
    let mut rest = arguments;
    loop {
        let Some(current) = way.last().copied() else { return ParsedCommand::Lost { way } };
        let SubcommandAction::Group(children) = &current.action else { return leaf(way, current, rest) };
        let Some((first, after)) = rest.split_first() else { return ParsedCommand::Lost { way } };
        rest = after;
        let child = |name: &str| children.iter().find(|child| child.is_called(name));
        match first.as_str() {
            "-h" | "--help" => return ParsedCommand::Help { way },
            "help" => {
                let asked = rest.first().filter(|name| !name.starts_with('-'));
                return match asked.map(|name| child(name)) {
                    None => ParsedCommand::Help { way },
                    Some(None) => ParsedCommand::Lost { way },
                    Some(Some(found)) => {
                        way.push(found);
                        ParsedCommand::Help { way }
                    }
                };
            }
            "--" => (),
            option if option.starts_with('-') && option.len() > 1 => {
                return ParsedCommand::Wrong(UsageError::UnknownOption(option.to_owned()));
            }
            name => match child(name) {
                Some(found) => way.push(found),
                None => {
                    let known = children.iter().flat_map(|child| child.names.iter().copied()).collect();
                    return ParsedCommand::Wrong(UsageError::UnknownCommand { name: name.to_owned(), known });
                }
            },
        }
    }
}

/// Reads what follows a command without subcommands of its own.
fn leaf<'c>(way: Vec<&'c Subcommand>, command: &'c Subcommand, arguments: &[String]) -> ParsedCommand<'c> {
    let asks_for_help = arguments
        .iter()
        .take_while(|argument| *argument != "--")
        .any(|argument| argument == "-h" || argument == "--help");
    if asks_for_help {
        return ParsedCommand::Help { way };
    }
    if matches!(command.action, SubcommandAction::Refuse(_)) {
        return ParsedCommand::Run { way, given: GivenArguments::default() };
    }
    match given(command, arguments) {
        Ok(given) => ParsedCommand::Run { way, given },
        Err(error) => ParsedCommand::Wrong(error),
    }
}

fn given(command: &Subcommand, arguments: &[String]) -> Result<GivenArguments, UsageError> {
    let mut given = GivenArguments::default();
    let mut rest = arguments;
    while let Some((argument, after)) = rest.split_first() {
        rest = after;
        if argument == "--" {
            given.operands.extend_from_slice(rest);
            break;
        }
        if !is_option(argument) {
            given.operands.push(argument.clone());
            continue;
        }
        let (switch, joined) =
            find(command, argument).ok_or_else(|| UsageError::UnknownOption(name_of(argument).to_owned()))?;
        let mut take = |value: Option<&str>| given.values.push((switch.long, value.map(str::to_owned)));
        match (switch.takes, joined) {
            (SwitchValue::Nothing, _) => take(None),
            (_, Some(value)) => take(Some(value)),
            (SwitchValue::Maybe, None) => match rest.split_first().filter(|(next, _)| !is_option(next)) {
                Some((value, after)) => {
                    take(Some(value));
                    rest = after;
                }
                None => take(None),
            },
            (SwitchValue::Value | SwitchValue::Several, None) => {
                let Some((value, after)) = rest.split_first() else {
                    return Err(UsageError::MissingValue(switch.written));
                };
                take(Some(value));
                rest = after;
                while let Some((value, after)) = rest.split_first() {
                    if switch.takes != SwitchValue::Several || is_option(value) {
                        break;
                    }
                    take(Some(value));
                    rest = after;
                }
            }
        }
    }
    let needed = command.operands.split_whitespace().filter_map(|operand| operand.strip_prefix('<'));
    match needed.map(|name| name.trim_end_matches('>')).nth(given.operands.len()) {
        Some(missing) => Err(UsageError::MissingArgument(missing)),
        None => Ok(given),
    }
}

fn is_option(argument: &str) -> bool {
    argument.len() > 1 && argument.starts_with('-')
}

/// An option without its value.
fn name_of(argument: &str) -> &str {
    argument.split_once('=').filter(|_| argument.starts_with("--")).map_or(argument, |(name, _)| name)
}

/// The option that an argument begins with, and the value that is joined to it.
fn find<'a>(command: &Subcommand, argument: &'a str) -> Option<(Switch, Option<&'a str>)> {
    command.switches().find_map(|switch| {
        if argument == switch.long || Some(argument) == switch.short {
            return Some((switch, None));
        }
        if switch.takes == SwitchValue::Nothing {
            return None;
        }
        let long = argument.strip_prefix(switch.long).and_then(|rest| rest.strip_prefix('='));
        let short = || argument.strip_prefix(switch.short?);
        long.or_else(short).map(|value| (switch, Some(value)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: Subcommand = Subcommand::new(&["add"], "", SubcommandAction::Refuse(""))
        .taking("<name> <commandOrUrl> [args...]")
        .with(&[
            ("-e, --env <env...>", ""),
            ("-s, --scope <scope>", ""),
            ("--json", ""),
            ("--size [plugin]", ""),
        ]);

    fn read(line: &str) -> Result<GivenArguments, UsageError> {
        given(&ADD, &line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_and_operands_come_in_any_order() {
        let found = read("one -s user --json -- npx -y x").unwrap();
        assert_eq!(found.operands, ["one", "npx", "-y", "x"]);
        assert_eq!(found.value("--scope"), Some("user"));
        assert!(found.has("--json") && !found.has("--env"));
        for line in ["-suser a b", "--scope=user a b", "a -s user b", "-s local -s user a b"] {
            let found = read(line).unwrap();
            assert_eq!((found.value("--scope"), found.operands.len()), (Some("user"), 2), "{line}");
        }
    }

    #[test]
    fn several_values_end_at_the_next_option() {
        let found = read("one -e A=b C=d -e E=f -- x").unwrap();
        assert_eq!(found.values("--env").collect::<Vec<_>>(), ["A=b", "C=d", "E=f"]);
        assert_eq!(found.operands, ["one", "x"]);
        // A value that is joined to its option is the only one.
        assert_eq!(read("--env=A=b q -- x").unwrap().operands, ["q", "x"]);
        assert_eq!(read("a b --size --json").unwrap().value("--size"), None);
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        assert_eq!(read("").unwrap_err().to_string(), "missing required argument 'name'");
        assert_eq!(read("one").unwrap_err().to_string(), "missing required argument 'commandOrUrl'");
        assert_eq!(
            read("-e A=b one -- x").unwrap_err().to_string(),
            "missing required argument 'commandOrUrl'"
        );
        assert_eq!(read("two npx -y foo").unwrap_err().to_string(), "unknown option '-y'");
        assert_eq!(read("two --model=x").unwrap_err().to_string(), "unknown option '--model'");
        assert_eq!(read("a -s").unwrap_err().to_string(), "option '-s, --scope <scope>' argument missing");
    }
}
