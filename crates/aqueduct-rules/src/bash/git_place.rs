//! Where a git command runs, and whether the repository there can be relied on.

use super::git::command_at;
use super::git_contact;
use super::look::CommandAnalysis;
use crate::bash_rule::BashRule;
use crate::call::Call;
use crate::path;
use crate::program_name::{base_name, known_name};
use crate::repository::{Own, Repository, When};
use crate::shell::ShellWord;

/// Programs that call git where they run.
const CALLERS: [&str; 11] =
    ["gh", "glab", "hub", "tig", "lazygit", "gitui", "gitk", "pre-commit", "lefthook", "tea", "gitlint"];

/// How a command comes to be allowed.
#[derive(Clone, Copy)]
pub(super) enum CommandGrant<'r> {
    /// It only reads.
    Reading,
    /// A rule covers it.
    Rule(&'r BashRule),
}

/// Whether a text may name such a program.
pub(super) fn may_use_repository(text: &str) -> bool {
    text.contains("git") || CALLERS.iter().any(|caller| text.contains(caller))
}

/// Whether a program is git, or calls it.
pub(super) fn uses_repository(program: &str) -> bool {
    let name = known_name(program);
    name == "git" || name.starts_with("git-") || CALLERS.contains(&name.as_ref())
}

/// The directories in which a command of these words may run git; none where that is not known.
pub(super) fn directories(
    words: &[ShellWord<'_>],
    look: &CommandAnalysis<'_>,
    home: Option<&str>,
) -> Option<Vec<String>> {
    let mut all = look.places.clone();
    let program = words.first().map_or("", |word| base_name(&word.value));
    if known_name(program) != "git" {
        return Some(all);
    }
    let values: Vec<&str> = words.iter().skip(1).map(|word| word.value.as_ref()).collect();
    let at = command_at(&values);
    let mut words = words[1..=at].iter();
    while let Some(word) = words.next() {
        if word.value != "-C" {
            continue;
        }
        let target = words.next()?;
        let value = target.value.as_ref();
        let is_clear = target.known
            && !target.glob
            && (target.tilde || !value.starts_with('~'))
            && !path::climbs_after_descent(value);
        if !is_clear {
            return None;
        }
        all = all.iter().map(|cwd| path::absolute(value, cwd, home)).collect::<Option<_>>()?;
    }
    Some(all)
}

/// Why a git command of these words can't be relied on where it runs, if it can't.
pub(super) fn need(
    words: &[ShellWord<'_>],
    look: &CommandAnalysis<'_>,
    call: &Call<'_>,
    home: Option<&str>,
    grant: CommandGrant<'_>,
) -> Option<String> {
    let values: Vec<&str> = words.iter().skip(1).map(|word| word.value.as_ref()).collect();
    let is_named = matches!(grant, CommandGrant::Rule(rule) if names_place(rule, &values));
    if is_named || call.ignores_repositories() {
        return None;
    }
    let Some(directories) = directories(words, look, home) else {
        return Some("it is not known in which directory git would run".to_owned());
    };
    directories.iter().find_map(|directory| match call.repository(directory) {
        Some(Repository::None) => contact(&values, &[]),
        Some(Repository::Own(own)) => own_need(own, &values, grant),
        Some(Repository::Foreign(why)) => Some(format!("git would run in `{directory}`, {why}")),
        None => Some(format!("it is not known which repository git would find in `{directory}`")),
    })
}

fn own_need(own: &Own, values: &[&str], grant: CommandGrant<'_>) -> Option<String> {
    let accepts_called_for = matches!(grant, CommandGrant::Rule(_));
    match &own.program {
        Some(program) if !(accepts_called_for && program.when == When::CalledFor) => {
            Some(format!("the repository's configuration makes git run programs: {}", program.setting))
        }
        _ => contact(values, &own.remotes),
    }
}

/// Why the repositories can't be relied on that a command contacts.
fn contact(values: &[&str], remotes: &[String]) -> Option<String> {
    let (&name, rest) = values.get(command_at(values)..)?.split_first()?;
    let unknown = git_contact::unknown_remote(name, rest, remotes)?;
    Some(format!(
        "`{unknown}` is not a remote of the repository: git would take it for a repository on this machine"
    ))
}

/// Whether a rule names the directory itself that git is to run in, so that its writer has seen it.
fn names_place(rule: &BashRule, values: &[&str]) -> bool {
    let named: Vec<&str> = match values {
        ["-C", directory, ..] if directory.starts_with('/') => vec!["git", "-C", directory],
        [option, ..] if option.starts_with("--git-dir=/") => vec!["git", option],
        _ => return false,
    };
    let named = named.join(" ");
    match rule {
        BashRule::Exact(text) | BashRule::Prefix(text) => {
            text.strip_prefix(named.as_str()).is_some_and(|rest| rest.starts_with(' '))
        }
        _ => false,
    }
}
