//! What git commands do.

use std::collections::HashSet;
use std::sync::LazyLock;

/// A git command that only reads, with the options that leave it so.
struct ReadOnlyCommand {
    name: &'static str,
    letters: &'static str,
    /// Names with a space between them.
    long: &'static str,
}

pub(super) fn lists(names: &str, name: &str) -> bool {
    names.as_bytes().split(|byte| *byte == b' ').any(|known| known == name.as_bytes())
}

const DIFF: &str = "binary cached check color color-words diff-filter dirstat exit-code find-copies find-renames \
    full-index histogram ignore-all-space ignore-blank-lines ignore-space-change minimal name-only \
    name-status no-color no-ext-diff no-index no-patch no-renames no-textconv numstat patch patience \
    pickaxe-all pickaxe-regex quiet shortstat staged stat summary unified word-diff word-diff-regex";

const LOG: &str = "abbrev-commit after all author before branches cherry color committer date decorate diff-filter \
    first-parent follow format full-index graph grep left-right max-count merges name-only \
    name-status no-color no-decorate no-ext-diff no-merges no-patch numstat oneline patch \
    pickaxe-all pickaxe-regex pretty relative-date remotes reverse shortstat since skip source stat \
    summary tags topo-order until walk-reflogs";

/// Options that may have a value after `=`; in the others a value can change what the option does.
const VALUED: &str = "abbrev after after-context author before before-context committer contains context count date \
    diff-filter dirstat exact-match find-copies find-renames format grep group ignore-submodules \
    ignored match max-count max-depth merged no-contains no-merged points-at pretty short since skip \
    sort stat unified until untracked-files";

const READINGS: [ReadOnlyCommand; 20] = [
    ReadOnlyCommand {
        name: "status",
        letters: "sbv",
        long: "short branch long porcelain verbose ignored column no-column renames no-renames ahead-behind \
        no-ahead-behind untracked-files ignore-submodules",
    },
    ReadOnlyCommand { name: "log", letters: "nspSGg#", long: LOG },
    ReadOnlyCommand { name: "diff", letters: "pMCRSGOsa", long: DIFF },
    ReadOnlyCommand {
        name: "show",
        letters: "psSG",
        long: "stat name-only name-status oneline format no-patch patch color no-color numstat shortstat \
        abbrev-commit no-ext-diff word-diff decorate date",
    },
    ReadOnlyCommand {
        name: "shortlog",
        letters: "sne",
        long: "summary numbered email all no-merges since until group",
    },
    ReadOnlyCommand {
        name: "blame",
        letters: "welsfntML",
        long: "line-porcelain porcelain show-email show-name date root",
    },
    ReadOnlyCommand {
        name: "rev-parse",
        letters: "q",
        long: "abbrev-ref short git-dir verify is-inside-work-tree is-inside-git-dir is-bare-repository \
        show-toplevel show-prefix show-cdup symbolic-full-name git-common-dir absolute-git-dir quiet",
    },
    ReadOnlyCommand {
        name: "rev-list",
        letters: "n#",
        long: "count all max-count first-parent no-merges merges branches tags remotes reverse since until \
        author oneline",
    },
    ReadOnlyCommand {
        name: "ls-files",
        letters: "cdmostuz",
        long: "cached deleted modified others stage unmerged exclude-standard full-name ignored directory \
        error-unmatch",
    },
    ReadOnlyCommand {
        name: "describe",
        letters: "",
        long: "tags always dirty abbrev all long match exact-match contains first-parent",
    },
    ReadOnlyCommand { name: "cat-file", letters: "tsep", long: "" },
    ReadOnlyCommand {
        name: "merge-base",
        letters: "a",
        long: "is-ancestor all fork-point octopus independent",
    },
    ReadOnlyCommand {
        name: "for-each-ref",
        letters: "",
        long: "sort count points-at merged no-merged contains no-contains",
    },
    ReadOnlyCommand {
        name: "grep",
        letters: "niIlLcwvhHEFGPeoqAB#",
        long: "line-number ignore-case files-with-matches count word-regexp extended-regexp fixed-strings \
        perl-regexp cached no-index heading break color no-color untracked name-only only-matching \
        after-context before-context context max-depth show-function function-context",
    },
    ReadOnlyCommand {
        name: "branch",
        letters: "avrl",
        long: "all remotes verbose list merged no-merged contains no-contains points-at sort show-current \
        color no-color column ignore-case",
    },
    ReadOnlyCommand {
        name: "tag",
        letters: "l",
        long: "list contains no-contains points-at sort column color ignore-case",
    },
    ReadOnlyCommand { name: "remote", letters: "v", long: "verbose" },
    ReadOnlyCommand { name: "stash", letters: "p", long: "patch stat" },
    ReadOnlyCommand { name: "reflog", letters: "n#", long: "oneline all date max-count" },
    ReadOnlyCommand { name: "worktree", letters: "v", long: "porcelain verbose" },
];

/// Whether a git command only reads. Options before the command can point git anywhere, so none may be
/// there.
pub(crate) fn is_reading(values: &[&str]) -> bool {
    let Some((&name, rest)) = values.split_first() else { return false };
    if name == "config" {
        return rest.first() == Some(&"--get")
            && rest[1..].iter().all(|value| {
                matches!(*value, "--global" | "--local" | "--system") || !value.starts_with('-')
            });
    }
    let Some(reading) = READINGS.iter().find(|reading| reading.name == name) else { return false };
    // What follows `--` is looked at too: it may be the value of an option before it.
    let options = rest.iter().filter(|value| value.starts_with('-') && value.len() > 1 && **value != "--");
    let known = |value: &&&str| match value.strip_prefix("--") {
        Some(long) => match long.split_once('=') {
            Some((name, _)) => lists(reading.long, name) && lists(VALUED, name),
            None => lists(reading.long, long),
        },
        None if value[1..].bytes().all(|byte| byte.is_ascii_digit()) => reading.letters.contains('#'),
        None => value[1..].chars().all(|c| reading.letters.contains(c)),
    };
    if !options.clone().all(|value| known(&value)) {
        return false;
    }
    let operands: Vec<&str> = rest.iter().copied().filter(|value| !value.starts_with('-')).collect();
    match name {
        "branch" | "tag" => {
            const LISTS: [&str; 7] =
                ["--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "-l"];
            // `--sort` takes the next word, which is then no option.
            operands.is_empty()
                || !rest.contains(&"--sort")
                    && options
                        .into_iter()
                        .any(|value| LISTS.iter().any(|list| value.split('=').next() == Some(list)))
        }
        "remote" => operands.is_empty(),
        "stash" => match operands.first() {
            Some(&"list") => rest == ["list"],
            Some(&"show") => operands[1..].iter().all(|value| is_stash(value)),
            _ => false,
        },
        "reflog" => operands.first().is_none_or(|first| *first == "show"),
        "worktree" => operands == ["list"],
        _ => true,
    }
}

/// Whether a word is an entry of the stash, as in `stash@{0}`.
pub(crate) fn is_stash(value: &str) -> bool {
    let number = value.strip_prefix("stash@{").and_then(|rest| rest.strip_suffix('}'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Options of git itself that take the next word.
const GLOBAL_VALUED: [&str; 10] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--super-prefix",
    "--config-env",
    "--attr-source",
    "--shallow-file",
];

/// Whether settings given along with the command may give it another name.
pub(crate) fn names_commands(values: &[&str]) -> bool {
    let (global, command) = values.split_at(command_at(values));
    let set = if command.first() == Some(&"config") { command } else { global };
    let names = |value: &&str| value.to_ascii_lowercase().contains("alias.");
    set.iter().any(names) || global.iter().any(|value| names(value) || value.starts_with("--config-e"))
}

/// The position of the git command among the words after `git`, past options of git itself.
pub(crate) fn command_at(values: &[&str]) -> usize {
    let mut at = 0;
    while let Some(value) = values.get(at).filter(|value| value.starts_with('-')) {
        at += if GLOBAL_VALUED.contains(value) { 2 } else { 1 };
    }
    at.min(values.len())
}

/// Commands that write files named by their words.
const WRITES_NAMED: &str = "apply archive bugreport bundle checkout-index clone diagnose fast-export format-patch \
    index-pack init init-db merge-file pack-objects read-tree worktree";

/// Commands that read files named by their words, and write only to the repository.
const READS_NAMED: &str = "am annotate blame cat-file check-ignore commit commit-tree diff fmt-merge-msg grep \
    hash-object interpret-trailers log ls-files merge notes range-diff rev-list rev-parse shortlog show \
    tag whatchanged";

/// The same by name: every git command is looked for among them.
type CommandNames = LazyLock<HashSet<&'static str>>;
static WRITING_BY_NAME: CommandNames = CommandNames::new(|| WRITES_NAMED.split(' ').collect());
static READING_BY_NAME: CommandNames = CommandNames::new(|| READS_NAMED.split(' ').collect());

/// Commands that take addresses of other repositories.
const TAKES_ADDRESSES: &str = "clone fetch ls-remote pull push remote submodule";

/// Whether a word is the address of a repository on another machine.
pub(crate) fn is_address(name: &str, value: &str) -> bool {
    let schemes = ["https://", "http://", "ssh://", "git://"];
    schemes.iter().any(|scheme| value.starts_with(scheme)) && lists(TAKES_ADDRESSES, name)
}

/// Whether a git command writes files named by its words.
pub(crate) fn writes_named(name: &str) -> bool {
    WRITING_BY_NAME.contains(name)
}

/// Whether a git command only reads the files its words name.
pub(crate) fn reads_named(name: &str) -> bool {
    READING_BY_NAME.contains(name)
}
