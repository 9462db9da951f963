//! The command line as data, for completions and man pages.

use super::flag::{FLAGS, FlagRow, FlagValue};
use crate::subcommand::{self, CommandReference, OperandReference, OptionReference};

/// The whole command line: every flag and every subcommand of the tables that the parser uses.
pub fn reference() -> CommandReference {
    CommandReference {
        names: &["aqueduct-agent"],
        about: "Run the coding agent, which any stream-json host can drive",
        operands: vec![OperandReference { name: "PROMPT", is_optional: true, is_list: true }],
        options: FLAGS.iter().map(option).collect(),
        commands: subcommand::commands(),
    }
}

fn option(flag: &FlagRow) -> OptionReference {
    let long = flag.names.iter().find_map(|name| name.strip_prefix("--")).unwrap_or_default();
    let short = flag.names.iter().find(|name| !name.starts_with("--")).and_then(|name| name.chars().nth(1));
    let value = |name, is_optional, is_list| Some(OperandReference { name, is_optional, is_list });
    let value = match &flag.takes {
        FlagValue::Nothing(_) => None,
        FlagValue::Value(name, _) => value(name, false, false),
        FlagValue::Maybe(name, _) => value(name, true, false),
        FlagValue::Several(name, _) => value(name, false, true),
    };
    // Placeholders are in capitals; words in small letters are the values themselves.
    let is_value = |name: &str| !name.contains(|c: char| c.is_ascii_uppercase());
    let values = value.filter(|value| is_value(value.name)).map(|value| value.name.split('|').collect());
    OptionReference { short, long, value, values: values.unwrap_or_default(), help: flag.help }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_of_the_table_is_described() {
        let reference = reference();
        assert_eq!(reference.options.len(), FLAGS.len());
        assert!(reference.options.iter().all(|option| !option.long.is_empty()));
        let find = |long: &str| reference.options.iter().find(|option| option.long == long).unwrap();
        assert_eq!(find("output-format").values, ["text", "json", "stream-json"]);
        assert_eq!((find("print").short, find("print").value), (Some('p'), None));
        assert!(find("resume").value.is_some_and(|value| value.is_optional));
        assert!(
            find("add-dir").value.is_some_and(|value| value.is_list) && find("add-dir").values.is_empty()
        );
    }
}
