//! Repositories that a git command contacts. One on this machine has hooks and settings of its own, which run here.

use crate::git_config::is_network;

/// Options whose value is the next word, by command. Others may have one, but then the word is taken for a repository.
const VALUED: [(&str, &str); 6] = [
    ("push", "-o --push-option"),
    ("fetch", "--depth --deepen --shallow-since --shallow-exclude"),
    ("pull", "--depth --deepen --shallow-since --shallow-exclude -s --strategy -X --strategy-option"),
    ("clone", "-b --branch -o --origin --depth --shallow-since --shallow-exclude"),
    ("remote", "-t --track -m --master"),
    ("submodule", "-b --branch --name --depth"),
];

/// The words that are neither options nor values of options.
fn operands<'v>(name: &str, rest: &[&'v str]) -> Vec<&'v str> {
    let valued = VALUED.iter().find(|(command, _)| *command == name).map_or("", |(_, options)| options);
    let mut words = rest.iter();
    let mut operands = Vec::new();
    while let Some(word) = words.next() {
        if *word == "--" {
            operands.extend(words);
            break;
        }
        if super::git::lists(valued, word) {
            words.next();
        } else if !word.starts_with('-') || *word == "-" {
            operands.push(*word);
        }
    }
    operands
}

/// The repositories that a command contacts, by the name of a remote or by an address.
fn contacted<'v>(name: &str, rest: &[&'v str]) -> Vec<&'v str> {
    let operands = operands(name, rest);
    let from = |at: usize| operands.get(at..).unwrap_or_default().to_vec();
    let one = |at: usize| operands.get(at).copied().into_iter().collect();
    match (name, operands.first().copied().unwrap_or_default()) {
        ("fetch", _) if rest.iter().any(|word| *word == "--multiple" || is_cluster_with(word, 'm')) => {
            from(0)
        }
        ("push" | "fetch" | "pull" | "ls-remote" | "clone", _) => one(0),
        ("remote", "show" | "prune" | "update") => from(1),
        ("remote", "set-head") => one(1),
        ("remote", "add" | "set-url") => one(2),
        ("submodule", "add") => one(1),
        ("submodule", "set-url") => one(2),
        _ => Vec::new(),
    }
}

fn is_cluster_with(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
}

/// Why a rule does not cover the addresses that a command is given, if it doesn't. Names of remotes are looked at where
/// the repository is known.
pub(super) fn exceeds(name: &str, rest: &[&str]) -> Option<&'static str> {
    let given = matches!(name, "clone" | "submodule")
        || name == "remote" && matches!(operands(name, rest).first(), Some(&("add" | "set-url")));
    let is_fine = |address: &&str| {
        if given { is_network(address) } else { may_be_name(address) || is_network(address) }
    };
    let all = contacted(name, rest);
    (!all.iter().all(is_fine))
        .then_some("git would use a repository on this machine, whose hooks and settings run")
}

/// A repository that a command contacts and that is neither on another machine nor one of these remotes.
pub(super) fn unknown_remote<'v>(name: &str, rest: &[&'v str], remotes: &[String]) -> Option<&'v str> {
    let is_known = |word: &&str| is_network(word) || remotes.iter().any(|remote| remote == word);
    contacted(name, rest).into_iter().find(|word| !is_known(word))
}

/// Whether a word may be the name of a remote.
fn may_be_name(word: &str) -> bool {
    let spelled = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let is_path = word.starts_with(['/', '.', '-', '~']) || word.ends_with('/') || word.contains("..");
    !word.is_empty() && word.chars().all(spelled) && !is_path
}
