//! What git commands do.

use std::collections::HashSet;
use std::sync::LazyLock;

/// A git command that only reads, with the options that leave it so.
struct Reading {
    name: &'static str,
    letters: &'static str,
    /// Names with a space between them.
    long: &'static str,
}

fn lists(names: &str, name: &str) -> bool {
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

/// Options of git itself that leave open neither what runs nor which repository is meant.
const GLOBAL_HARMLESS: &str = "-C -v --version -p --paginate -P --no-pager --no-replace-objects --no-lazy-fetch \
    --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs \
    --icase-pathspecs";

/// Whether settings given along with the command may give it another name.
pub(crate) fn names_commands(values: &[&str]) -> bool {
    let (global, command) = values.split_at(command_at(values));
    let set = if command.first() == Some(&"config") { command } else { global };
    let names = |value: &&str| value.to_ascii_lowercase().contains("alias.");
    set.iter().any(names) || global.iter().any(|value| names(value) || value.starts_with("--config-e"))
}

/// Where the git command stands among the words after `git`, past options of git itself.
pub(crate) fn command_at(values: &[&str]) -> usize {
    let mut at = 0;
    while let Some(value) = values.get(at).filter(|value| value.starts_with('-')) {
        at += if GLOBAL_VALUED.contains(value) { 2 } else { 1 };
    }
    at.min(values.len())
}

/// Commands that a rule for git as a whole covers. The others run programs, are parts of git that people
/// don't call, or are names that settings give to anything.
const COVERED: &str = "add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr \
    check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone \
    commit commit-graph commit-tree config count-objects describe diagnose diff diff-files diff-index \
    diff-tree fast-export fetch fmt-merge-msg for-each-ref format-patch fsck gc grep hash-object \
    index-pack init init-db interpret-trailers log ls-files ls-remote ls-tree merge merge-base \
    merge-file merge-tree mktag mktree multi-pack-index mv name-rev notes pack-objects pack-refs \
    patch-id prune prune-packed pull push range-diff read-tree rebase reflog remote repack replace \
    request-pull rerere reset restore rev-list rev-parse revert rm shortlog show show-branch show-index \
    show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag \
    unpack-objects update-index update-ref update-server-info var verify-commit verify-pack verify-tag \
    version whatchanged worktree write-tree";

/// Commands that write files where their words say.
const WRITES_NAMED: &str = "apply archive bugreport bundle checkout-index clone diagnose fast-export format-patch \
    index-pack init init-db merge-file pack-objects read-tree worktree";

/// Commands that read files wherever their words say, and write only to the repository.
const READS_NAMED: &str = "am annotate blame cat-file check-ignore commit commit-tree diff fmt-merge-msg grep \
    hash-object interpret-trailers log ls-files merge notes range-diff rev-list rev-parse shortlog show \
    tag whatchanged";

/// The same by name: every git command is looked for among them.
type Names = LazyLock<HashSet<&'static str>>;
static COVERED_BY_NAME: Names = Names::new(|| COVERED.split(' ').collect());
static WRITING_BY_NAME: Names = Names::new(|| WRITES_NAMED.split(' ').collect());
static READING_BY_NAME: Names = Names::new(|| READS_NAMED.split(' ').collect());

/// Commands that take addresses of other repositories.
const TAKES_ADDRESSES: &str = "clone fetch ls-remote pull push remote submodule";

/// Whether a word is the address of a repository on another machine.
pub(crate) fn is_address(name: &str, value: &str) -> bool {
    let schemes = ["https://", "http://", "ssh://", "git://"];
    schemes.iter().any(|scheme| value.starts_with(scheme)) && lists(TAKES_ADDRESSES, name)
}

/// Whether a git command writes files where its words say.
pub(crate) fn writes_named(name: &str) -> bool {
    WRITING_BY_NAME.contains(name)
}

/// Whether a git command only reads the files its words name.
pub(crate) fn reads_named(name: &str) -> bool {
    READING_BY_NAME.contains(name)
}

/// Options of commands that make git run programs, load settings or write files of someone's choosing.
const RUNS_OTHERS: [&str; 16] = [
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
    "--exec-path",
    "--unsafe-paths",
    "--help",
];

/// Settings that a rule may let be changed: they name no program, file or address.
const HARMLESS_SETTINGS: &str = "user.name user.email init.defaultbranch pull.rebase pull.ff push.default \
    push.autosetupremote push.followtags core.autocrlf core.eol core.safecrlf core.filemode \
    core.ignorecase core.quotepath fetch.prune rebase.autosquash rebase.autostash merge.conflictstyle \
    merge.ff diff.renames diff.algorithm log.date status.showuntrackedfiles rerere.enabled";

const CONFIG_OPTIONS: &str = "--global --local --system --worktree --get --get-all --all --list -l --show-origin \
    --show-scope --name-only --null -z --bool --int --add --replace-all --unset --unset-all";

/// Whether `git config` only shows settings or changes harmless ones.
fn config_is_harmless(rest: &[&str]) -> bool {
    let (options, mut operands): (Vec<&str>, Vec<&str>) =
        rest.iter().partition(|value| value.starts_with('-'));
    if !options.iter().all(|option| lists(CONFIG_OPTIONS, option)) {
        return false;
    }
    let mut shows = options.iter().any(|option| lists("--get --get-all --list -l", option));
    if let Some(&command @ ("get" | "list" | "set" | "unset")) = operands.first() {
        shows |= matches!(command, "get" | "list");
        operands.remove(0);
    }
    let setting = operands.first().map(|setting| setting.to_lowercase()).unwrap_or_default();
    shows
        || setting.starts_with("color.")
        || setting.starts_with("advice.")
        || !setting.is_empty() && lists(HARMLESS_SETTINGS, &setting)
}

/// Whether a word is a long option that git would take for this one; any beginning of it may be.
fn abbreviates(word: &str, option: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    name.len() > 2 && option.starts_with(name)
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

/// Commands whose words can't make them run anything, also those that `xargs` adds.
const PLAIN: &str = "add stage rm mv checkout restore reset status";

/// Whether words that nobody has seen may follow this command.
pub(crate) fn takes_more(values: &[&str]) -> bool {
    values.get(command_at(values)).is_some_and(|name| lists(PLAIN, name))
}

/// Why a rule for git as a whole does not cover this command, if it doesn't.
pub(crate) fn runs_others(values: &[&str]) -> Option<&'static str> {
    let at = command_at(values);
    let (global, rest) = values.split_at(at);
    let mut words = global.iter();
    while let Some(option) = words.next() {
        if !lists(GLOBAL_HARMLESS, option) {
            return Some("git is told to use other settings or programs");
        }
        if *option == "-C" {
            words.next();
        }
    }
    let Some((&name, rest)) = rest.split_first() else {
        // Whatever `xargs` adds would be options of git itself.
        let tells = global.iter().any(|value| matches!(*value, "-v" | "--version"));
        return (!tells).then_some("it is not known what git is told to do");
    };
    // What follows `--` is looked at too: it may be the value of an option before it.
    let mut long = rest.iter().filter(|value| value.starts_with("--"));
    if long.any(|value| RUNS_OTHERS.iter().any(|option| abbreviates(value, option))) {
        return Some("git is told to run a program or to write a file");
    }
    let has = |letters: &[char]| {
        rest.iter()
            .any(|value| value.starts_with('-') && !value.starts_with("--") && value[1..].contains(letters))
    };
    let runs = match name {
        "config" => !config_is_harmless(rest),
        "rebase" => has(&['x']),
        "bisect" => rest.iter().any(|value| matches!(*value, "run" | "visualize" | "view")),
        "submodule" => rest.contains(&"foreach"),
        "clone" => has(&['c', 'u']),
        "ls-remote" => has(&['u']),
        "grep" => has(&['O']),
        "archive" => rest.iter().any(|value| value.starts_with("--rem")),
        _ => !COVERED_BY_NAME.contains(name),
    };
    let remote_helper = rest.iter().any(|value| names_helper(value));
    (runs || remote_helper || !strategy_is_known(name, rest))
        .then_some("this git command runs other programs")
}
