//! docs/operations.md: it names every setting, and describes each as the program does.

use super::served::aqueduct;
use crate::terminal::Place;

const PAGE: &str = include_str!("../../../../../docs/operations.md");

#[test]
fn the_page_has_every_option_of_the_help() {
    let help = aqueduct(&Place::new(), &["serve", "--help"]).out;
    let (_, options) = help.split_once("Options:").expect("options");
    let options = options.split("Examples:").next().expect("a part");
    let flags: Vec<&str> = options
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("--"))
        .map(|flag| flag.split(['[', '=', ',', ';']).next().unwrap_or_default())
        .filter(|flag| *flag != "help" && !flag.is_empty())
        .collect();
    assert!(flags.len() > 18, "the help is read wrong: {options}");
    for flag in flags {
        assert!(PAGE.contains(&format!("`--{flag}`")), "docs/operations.md lacks --{flag}");
    }
}
