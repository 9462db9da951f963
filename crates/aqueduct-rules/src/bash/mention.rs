//! Commands that a rule forbids and that are named to programs which may run them: an unknown wrapper, an
//! interpreter with its code, a variable that sets what to run.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::look::{FoundCommand, joined};
use super::{Shell, environment, inside, reading, writing};
use crate::behavior::Behavior;
use crate::program_name::{base_name, known_name};
use crate::shell::RedirectKind;

/// Programs of which it is known that they never run their words.
const TEXTUAL: &str = ": cd pushd popd export declare typeset local readonly set unset read shift return exit wait \
    break continue umask ulimit kill pkill killall gh glab curl wget pbcopy xclip xsel wl-copy notify-send pytest \
    jest vitest mocha tsc eslint prettier ruff mypy black flake8 pylint rustfmt gofmt shellcheck shfmt";

/// Programs with commands of their own, and the words behind which they run others.
const RUNNERS: [(&str, &str); 9] = [
    ("docker podman nerdctl docker-compose kubectl oc", "run exec"),
    ("npm pnpm yarn", "exec x dlx -c --call"),
    ("bun", "x"),
    ("poetry pipenv uv pdm hatch rye conda mamba micromamba heroku rustup", "run"),
    ("bundle direnv", "exec"),
    ("nix", "-c --command"),
    ("go cargo make cmake ninja gradle mvn dotnet", ""),
    ("apt apt-get apk dnf yum pacman brew port snap dpkg rpm pip pip3 gem", ""),
    ("aws gcloud az gsutil terraform helm svn hg", ""),
];

/// What is known of a program and the words it is given.
#[derive(Clone, Copy)]
enum Habit {
    /// It runs none of them, or what it runs is looked into already.
    Settled,
    /// It runs those behind one of these.
    Runs(&'static str),
}

/// The tables by name; commands of a hundred kilobytes look into them thousands of times.
static HABITS: LazyLock<HashMap<&str, Habit>> = LazyLock::new(|| {
    let runners =
        RUNNERS.iter().flat_map(|(names, runs)| names.split(' ').map(|name| (name, Habit::Runs(runs))));
    let settled = TEXTUAL.split(' ').chain(inside::seen_through()).map(|name| (name, Habit::Settled));
    runners.chain(settled).collect()
});

/// More words than this are not looked at.
const MOST: usize = 1 << 14;

/// No rule compares more words than this.
const LONGEST: usize = 16;

fn lists(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

/// The words of a command that may be a command; none where it is known not to run them.
fn risky<'s>(seen: &'s FoundCommand<'_>) -> Vec<&'s str> {
    if seen.own().len() < 2 {
        return Vec::new();
    }
    let program = known_name(seen.program());
    let habit = HABITS.get(program.as_ref());
    if let Some(Habit::Settled) = habit {
        return Vec::new();
    }
    let own: Vec<&str> = seen.own().iter().skip(1).map(|word| word.value.as_ref()).collect();
    if writing::exceeds_rules(&program, &own, 0, &|_| false).is_some() {
        return own;
    }
    if program == "git" || reading::never_runs(&program) || writing::writes(&program, &own).is_some() {
        return Vec::new();
    }
    match habit {
        None | Some(Habit::Settled) => own,
        Some(Habit::Runs(runs)) => {
            let at = own.iter().position(|value| lists(runs, value));
            at.map_or_else(Vec::new, |at| own[at..].to_vec())
        }
    }
}

/// Whether a program may run its input.
fn takes_commands(seen: &FoundCommand<'_>) -> bool {
    let program = known_name(seen.program());
    if matches!(program.as_ref(), "sed" | "awk" | "gawk" | "mawk" | "nawk") {
        return writing::turns_to_others(&program, &seen.values()).is_some();
    }
    !program.is_empty()
        && (program == "make" || !HABITS.contains_key(program.as_ref()))
        && program != "git"
        && !reading::never_runs(&program)
        && writing::writes(&program, &seen.values()).is_none()
}

/// A rule that forbids a command which one of these commands may run, and the command that may run it.
pub(super) fn find<'s>(shell: &'s Shell<'_>, behavior: Behavior) -> Option<(usize, &'s FoundCommand<'s>)> {
    let look = shell.look;
    let forbids = |text: &str| named(shell, behavior, text);
    // Piped input is looked for in the whole text, which is the same for every command.
    let piped_in = LazyCell::new(|| {
        let printed = look.seen.iter().filter(|other| matches!(other.program(), "echo" | "printf"));
        let printed =
            printed.map(|other| joined(other.command.words.iter().skip(1).map(|word| word.value.as_ref())));
        let mut texts = printed.chain(look.documents.iter().map(ToString::to_string));
        texts.find_map(|text| forbids(&text))
    });
    for seen in &look.seen {
        let words = risky(seen);
        if words.len() > MOST {
            let (index, _) = *shell.context.rule_set().bash_candidates(behavior, None).first()?;
            return Some((index, seen));
        }
        if !words.is_empty()
            && let Some(index) = forbids(&words.join(" "))
        {
            return Some((index, seen));
        }
        let loaded = seen.command.assignments.iter().filter(|set| environment::is_loaded(&set.name));
        if let Some(index) = loaded.into_iter().find_map(|set| forbids(&set.value.value)) {
            return Some((index, seen));
        }
        let command = &seen.command;
        if command.redirects.is_empty() && !command.piped || !takes_commands(seen) {
            continue;
        }
        for redirect in &command.redirects {
            let text = match (redirect.kind, redirect.document) {
                (RedirectKind::HereString, _) => Some(redirect.target.value.as_ref()),
                (_, Some(document)) => look.documents.get(document).map(AsRef::as_ref),
                _ => None,
            };
            if let Some(index) = text.and_then(forbids) {
                return Some((index, seen));
            }
        }
        if let Some(index) = command.piped.then(|| *piped_in).flatten() {
            return Some((index, seen));
        }
    }
    None
}

fn words_between(text: &str, separator: impl Fn(char) -> bool) -> Vec<&str> {
    text.split(separator).filter(|word| !word.is_empty()).take(MOST).collect()
}

/// A rule that forbids a command which this text names somewhere.
fn named(shell: &Shell<'_>, behavior: Behavior, text: &str) -> Option<usize> {
    let rules = shell.context.rule_set();
    let punctuation = |c: char| !c.is_alphanumeric() && !"_-./:=@+".contains(c);
    let anything = |c: char| !c.is_alphanumeric() && !"_-./".contains(c);
    let quotes = ['\'', '"', '\\'];
    let unquoted = text.contains(quotes).then(|| text.replace(quotes, ""));
    // Most texts read the same in all three ways.
    let readings = [
        Some(words_between(text, punctuation)),
        text.contains([':', '=', '@', '+']).then(|| words_between(text, anything)),
        unquoted.as_deref().map(|unquoted| words_between(unquoted, punctuation)),
    ];
    for words in readings.into_iter().flatten() {
        for at in 0..words.len() {
            // A command may be written right behind the letter of an option.
            let short = words[at].strip_prefix('-').filter(|option| !option.starts_with('-'));
            let attached = short.and_then(|option| option.get(1..));
            for first in [Some(words[at]), attached].into_iter().flatten().map(base_name) {
                if !rules.concerns(behavior, first) {
                    continue;
                }
                let rest = &words[at + 1..words.len().min(at + LONGEST)];
                let command =
                    std::iter::once(first).chain(rest.iter().copied()).collect::<Vec<_>>().join(" ");
                if let Some(index) = rules.bash(behavior, &[command]) {
                    return Some(index);
                }
            }
        }
    }
    None
}
