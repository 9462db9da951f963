//! What git commands do.

use super::reading::is_option;

/// A git command that only reads, with the options that leave it so.
struct Reading {
    name: &'static str,
    letters: &'static str,
    /// Names with a space between them.
    long: &'static str,
}

fn lists(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
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

const READINGS: [Reading; 20] = [
    Reading {
        name: "status",
        letters: "sbv",
        long: "short branch long porcelain verbose ignored column no-column renames no-renames ahead-behind \
        no-ahead-behind untracked-files ignore-submodules",
    },
    Reading { name: "log", letters: "nspSGg#", long: LOG },
    Reading { name: "diff", letters: "pMCRSGOsa", long: DIFF },
    Reading {
        name: "show",
        letters: "psSG",
        long: "stat name-only name-status oneline format no-patch patch color no-color numstat shortstat \
        abbrev-commit no-ext-diff word-diff decorate date",
    },
    Reading {
        name: "shortlog",
        letters: "sne",
        long: "summary numbered email all no-merges since until group",
    },
    Reading {
        name: "blame",
        letters: "welsfntM",
        long: "line-porcelain porcelain show-email show-name date root",
    },
    Reading {
        name: "rev-parse",
        letters: "q",
        long: "abbrev-ref short git-dir verify is-inside-work-tree is-inside-git-dir is-bare-repository \
        show-toplevel show-prefix show-cdup symbolic-full-name git-common-dir absolute-git-dir quiet",
    },
    Reading {
        name: "rev-list",
        letters: "n#",
        long: "count all max-count first-parent no-merges merges branches tags remotes reverse since until \
        author oneline",
    },
    Reading {
        name: "ls-files",
        letters: "cdmostuz",
        long: "cached deleted modified others stage unmerged exclude-standard full-name ignored directory \
        error-unmatch",
    },
    Reading {
        name: "describe",
        letters: "",
        long: "tags always dirty abbrev all long match exact-match contains first-parent",
    },
    Reading { name: "cat-file", letters: "tsep", long: "" },
    Reading { name: "merge-base", letters: "a", long: "is-ancestor all fork-point octopus independent" },
    Reading {
        name: "for-each-ref",
        letters: "",
        long: "sort count points-at merged no-merged contains no-contains",
    },
    Reading {
        name: "grep",
        letters: "niIlLcwvhHEFGPeoqAB#",
        long: "line-number ignore-case files-with-matches count word-regexp extended-regexp fixed-strings \
        perl-regexp cached no-index heading break color no-color untracked name-only only-matching \
        after-context before-context context max-depth show-function function-context",
    },
    Reading {
        name: "branch",
        letters: "avrl",
        long: "all remotes verbose list merged no-merged contains no-contains points-at sort show-current \
        color no-color column ignore-case",
    },
    Reading {
        name: "tag",
        letters: "l",
        long: "list contains no-contains points-at sort column color ignore-case",
    },
    Reading { name: "remote", letters: "v", long: "verbose" },
    Reading { name: "stash", letters: "p", long: "patch stat" },
    Reading { name: "reflog", letters: "n#", long: "oneline all date max-count" },
    Reading { name: "worktree", letters: "v", long: "porcelain verbose" },
];

/// Whether a git command only reads. Options before the command can point git anywhere, so none may stand
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
    let options = rest
        .iter()
        .take_while(|value| **value != "--")
        .filter(|value| value.starts_with('-') && value.len() > 1);
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
            const LISTS: [&str; 8] = [
                "--list",
                "--contains",
                "--no-contains",
                "--merged",
                "--no-merged",
                "--points-at",
                "--sort",
                "-l",
            ];
            operands.is_empty()
                || options
                    .into_iter()
                    .any(|value| LISTS.iter().any(|list| value.split('=').next() == Some(list)))
        }
        "remote" => operands.is_empty(),
        "stash" => match operands.first() {
            Some(&"list") => rest == ["list"],
            Some(&"show") => operands[1..].iter().all(|value| value.starts_with("stash@")),
            _ => false,
        },
        "reflog" => operands.first().is_none_or(|first| *first == "show"),
        "worktree" => operands == ["list"],
        _ => true,
    }
}

/// Options of git itself that take the next word.
const GLOBAL_VALUED: [&str; 8] =
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

/// Where the git command stands among the words after `git`, past options of git itself.
pub(crate) fn command_at(values: &[&str]) -> usize {
    let mut at = 0;
    while let Some(value) = values.get(at).filter(|value| value.starts_with('-')) {
        at += if GLOBAL_VALUED.contains(value) { 2 } else { 1 };
    }
    at.min(values.len())
}

/// Options that make git run programs, load settings or write files of someone's choosing.
const RUNS_OTHERS: [&str; 18] = [
    "-c",
    "--config-env",
    "--exec-path",
    "--git-dir",
    "--work-tree",
    "--upload-pack",
    "--receive-pack",
    "--exec",
    "--ext-diff",
    "--textconv",
    "--output",
    "--open-files-in-pager",
    "--extcmd",
    "--config",
    "--template",
    "--sequence-editor",
    "--tool",
    "--output-directory",
];

/// Settings that name programs to run.
const RUNNING_SETTINGS: [&str; 23] = [
    "alias.",
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.hookspath",
    "core.fsmonitor",
    "core.gitproxy",
    "core.askpass",
    "core.attributesfile",
    "core.worktree",
    "diff.",
    "difftool.",
    "merge.",
    "mergetool.",
    "filter.",
    "credential.",
    "gpg.",
    "include",
    "pager.",
    "sequence.editor",
    "uploadpack.",
    "protocol.",
    "url.",
];

/// Why a rule for git as a whole does not cover this command, if it doesn't.
pub(crate) fn runs_others(values: &[&str]) -> Option<&'static str> {
    let at = command_at(values);
    let (global, rest) = values.split_at(at);
    if global.iter().any(|value| {
        RUNS_OTHERS[..5].iter().any(|option| value.split('=').next() == Some(option))
            || value.starts_with("-c")
    }) {
        return Some("git is told to use other settings or programs");
    }
    let (&name, rest) = rest.split_first()?;
    let is_set =
        |value: &&str| RUNS_OTHERS[5..].iter().any(|option| option.len() > 2 && is_option(value, option));
    if rest.iter().take_while(|value| **value != "--").any(is_set) {
        return Some("git is told to run a program or to write a file");
    }
    let lower: Vec<String> = rest.iter().map(|value| value.to_lowercase()).collect();
    let names_runner =
        lower.iter().any(|value| RUNNING_SETTINGS.iter().any(|setting| value.starts_with(setting)));
    let has = |short: &str| rest.iter().any(|value| value.starts_with(short));
    let runs = match name {
        "config" => {
            names_runner || rest.iter().any(|value| matches!(*value, "--file" | "-f" | "--edit" | "-e"))
        }
        "rebase" => has("-x"),
        "bisect" => rest.first() == Some(&"run"),
        "submodule" => rest.first() == Some(&"foreach"),
        "clone" => has("-c") || has("-u"),
        "grep" => has("-O"),
        "difftool" | "mergetool" => has("-x") || has("-t"),
        "filter-branch" | "send-email" | "instaweb" | "daemon" | "upload-pack" | "receive-pack" | "shell"
        | "for-each-repo" | "hook" | "credential" | "fast-import" | "cvsserver" => true,
        _ => false,
    };
    let remote_helper = rest.iter().any(|value| value.contains("ext::") || value.starts_with("fd::"));
    (runs || remote_helper).then_some("this git command runs other programs")
}
