//! What a prefix or wildcard rule for git covers: what its reader expects, and nothing that makes git run or write
//! something else.

use super::git::{command_at, lists};
use super::{git_contact, git_options};

/// Options of git itself that leave open neither what runs nor which repository is meant. Where `-C` leads is looked at
/// by itself.
const GLOBAL: &str = "-C -v --version -p --paginate -P --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks \
    --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs";

/// Why such a rule does not cover the words after `git`, if it doesn't.
pub(crate) fn exceeds(values: &[&str]) -> Option<&'static str> {
    let (global, rest) = values.split_at(command_at(values));
    let mut words = global.iter();
    while let Some(option) = words.next() {
        if !lists(GLOBAL, option) {
            return Some("git is given other settings or programs");
        }
        if *option == "-C" {
            words.next();
        }
    }
    let Some((&name, rest)) = rest.split_first() else {
        // Whatever `xargs` adds would be options of git itself.
        let shows_version = global.iter().any(|value| matches!(*value, "-v" | "--version"));
        return (!shows_version).then_some("the git command could not be determined");
    };
    if name == "config" {
        return (!config_is_harmless(rest))
            .then_some("this setting can make git run programs or use other files");
    }
    if !git_options::covers(name) {
        return Some("this git command runs other programs");
    }
    if git_options::unknown(name, rest).is_some() {
        return Some("an option is not known to leave open what git runs and writes");
    }
    let first = rest.iter().find(|value| !value.starts_with('-')).copied().unwrap_or_default();
    let runs = match name {
        "bisect" => !lists("start bad good new old skip reset log terms next", first),
        "bundle" => !lists("verify list-heads", first),
        "remote" => {
            !first.is_empty()
                && !lists(
                    "add rename rm remove set-head set-branches get-url set-url show prune update",
                    first,
                )
        }
        "worktree" => !lists("add list lock unlock move prune remove", first),
        "submodule" => {
            !first.is_empty()
                && !lists(
                    "add status init deinit update set-branch set-url summary sync absorbgitdirs",
                    first,
                )
        }
        _ => false,
    };
    if runs || rest.iter().any(|value| names_helper(value)) || !strategy_is_known(name, rest) {
        return Some("this git command runs other programs");
    }
    git_contact::exceeds(name, rest)
}

/// Commands whose words can't make them run anything, also those that `xargs` adds.
const PLAIN: &str = "add stage rm mv checkout restore reset status";

/// Whether unknown words may follow this command.
pub(crate) fn takes_more(values: &[&str]) -> bool {
    values.get(command_at(values)).is_some_and(|name| lists(PLAIN, name))
}

/// Settings that a rule may let be changed: they name no program, file or address.
const SETTINGS: &str = "user.name user.email init.defaultbranch pull.rebase pull.ff push.default push.autosetupremote \
    push.followtags core.autocrlf core.eol core.safecrlf core.filemode core.ignorecase core.quotepath fetch.prune \
    rebase.autosquash rebase.autostash merge.conflictstyle merge.ff diff.renames diff.algorithm log.date \
    status.showuntrackedfiles rerere.enabled";

const CONFIG_OPTIONS: &str = "--global --local --system --worktree --get --get-all --get-regexp --all --list -l \
    --show-origin --show-scope --name-only --null -z --bool --int --bool-or-int --path --regexp --includes --no-includes \
    --add --replace-all --unset --unset-all --append";

const CONFIG_SHOWS: &str = "--get --get-all --get-regexp --list -l";

/// Whether `git config` only shows settings or changes harmless ones. What follows the first operand is a value, also if
/// it looks like an option.
fn config_is_harmless(rest: &[&str]) -> bool {
    let mut words = rest.iter().copied().peekable();
    let mut shows = false;
    let mut named = false;
    loop {
        while let Some(option) = words.next_if(|word| word.starts_with('-')) {
            shows |= lists(CONFIG_SHOWS, option);
            if !lists(CONFIG_OPTIONS, option) && !option.starts_with("--type=") {
                return false;
            }
        }
        // Newer versions of git have commands of their own here, with options behind them.
        match words.next_if(|word| !named && matches!(*word, "get" | "list" | "set" | "unset")) {
            Some(command) => (named, shows) = (true, matches!(command, "get" | "list")),
            None => break,
        }
    }
    let setting = words.next().map(str::to_lowercase).unwrap_or_default();
    // Should a version of git read them as options, they must be known as well.
    if words.any(|word| word.starts_with('-') && !lists(CONFIG_OPTIONS, word)) {
        return false;
    }
    shows
        || setting.starts_with("color.")
        || setting.starts_with("advice.")
        || !setting.is_empty() && lists(SETTINGS, &setting)
}

/// Whether an address makes git run a helper of that name, or passes for an option of one.
fn names_helper(value: &str) -> bool {
    let named = |(scheme, _): &(&str, &str)| {
        let name = scheme.rsplit('=').next().unwrap_or_default();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let has_scheme = || value.split_once("::").is_some_and(|parts| named(&parts)) || value.contains("://-");
    let option = b"proxycommand";
    value.contains(':') && has_scheme()
        || value.as_bytes().windows(option.len()).any(|part| part.eq_ignore_ascii_case(option))
}

/// Whether a merge uses one of git's own strategies; another name is a program.
fn strategy_is_known(name: &str, rest: &[&str]) -> bool {
    const OWN: &str = "ort recursive resolve octopus ours subtree";
    let short = matches!(name, "merge" | "pull" | "rebase");
    let merges = short || matches!(name, "cherry-pick" | "revert");
    let mut words = rest.iter().filter(|_| merges).peekable();
    while let Some(word) = words.next() {
        let given = match word.strip_prefix("--") {
            Some(long) => match long.split_once('=') {
                Some((option, value)) if option.len() > 2 && "strategy".starts_with(option) => Some(value),
                None if long.len() > 2 && "strategy".starts_with(long) => Some(""),
                _ => None,
            },
            None if short && word.starts_with('-') => word.split_once('s').map(|(_, value)| value),
            None => None,
        };
        let strategy = match given {
            Some("") => words.peek().copied().copied().unwrap_or_default(),
            Some(value) => value,
            None => continue,
        };
        if !lists(OWN, strategy) {
            return false;
        }
    }
    true
}
