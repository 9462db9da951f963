//! Which rule, if any, is wise to offer for a command.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::rule::Rule;

/// Programs that run whatever they are given, remove it, or change what later commands mean: not even their
/// exact text is offered. Versions at the end of a name don't count.
const NEVER: [&str; 14] = [
    "sh bash zsh dash ksh mksh fish csh tcsh ash rbash nu xonsh elvish pwsh powershell cmd",
    "node nodejs deno ruby perl php tclsh wish expect Rscript R osascript julia groovy jshell irb ghci iex",
    "ts-node tsx runghc swift scala erl elixir octave guile racket sbcl",
    "sudo doas su runuser pkexec run0 systemd-run setpriv unshare nsenter chroot firejail bwrap fakeroot",
    "env xargs parallel timeout nice ionice nohup stdbuf time command builtin exec eval source . setsid flock",
    "taskset chrt prlimit setarch unbuffer script entr watch tmux screen busybox toybox",
    "strace ltrace valgrind gdb lldb perf",
    "npx pnpx bunx uvx nix-shell ssh mosh socat nc ncat netcat telnet",
    "vi vim nvim view ex ed emacs emacsclient nano",
    "find awk gawk mawk nawk sed",
    "at batch crontab init telinit shutdown reboot halt poweroff",
    "rm rmdir unlink shred srm rimraf trash trash-put del dd wipefs diskutil fdisk sfdisk cfdisk gdisk parted",
    "export declare typeset readonly local alias unalias unset set shopt trap enable hash let",
    "kexec insmod modprobe mount umount",
];

/// Beginnings of such names.
const NEVER_BEGINNINGS: [&str; 5] = ["python", "pypy", "lua", "mkfs", "fsck"];

/// Commands of a program that run or remove whatever they are given.
const NEVER_COMMANDS: [(&str, &str); 26] = [
    ("npm", "exec x config set create init explore publish unpublish"),
    ("pnpm", "dlx exec create config publish"),
    ("yarn", "dlx exec node create config publish"),
    ("bun", "x create"),
    ("pipx", "run runpip"),
    ("uv", "run tool"),
    ("poetry", "run shell config"),
    ("conda", "run config"),
    ("mamba", "run config"),
    ("micromamba", "run config"),
    ("nix", "run shell develop"),
    ("rustup", "run"),
    ("bundle", "exec config"),
    ("cargo", "publish yank"),
    ("docker", "run exec compose container create cp rm rmi system volume buildx"),
    ("podman", "run exec compose container create cp rm rmi system volume machine unshare"),
    ("kubectl", "exec delete run debug drain replace cp attach"),
    ("git", "clean reset rm config difftool mergetool filter-branch filter-repo submodule bisect gc prune"),
    ("aws", "s3 s3api configure"),
    ("gh", "repo auth api secret ssh-key gpg-key extension alias config codespace"),
    ("gcloud", "auth config"),
    ("terraform", "destroy apply state console import"),
    ("tofu", "destroy apply state console import"),
    ("pulumi", "destroy up"),
    ("helm", "uninstall delete plugin"),
    ("systemctl", "halt poweroff reboot kexec edit"),
];

/// Commands of a program whose siblings, with other arguments, do the same kind of thing.
const SIBLINGS: [(&str, &str); 8] = [
    ("git", "add commit diff fetch log merge pull push show status"),
    ("npm", "run test ls outdated view"),
    ("pnpm", "run test ls outdated"),
    ("cargo", "build check clippy test fmt doc tree metadata"),
    ("docker", "ps images logs inspect"),
    ("podman", "ps images logs inspect"),
    ("kubectl", "get describe logs top"),
    ("dotnet", "build test restore"),
];

/// Variables that decide which program or which code runs.
const LOADED: [&str; 10] =
    ["PATH", "LD_", "DYLD_", "BASH", "GIT_", "PYTHON", "PERL", "RUBY", "NODE_OPTIONS", "RUSTC"];

/// Ends and whole names of such variables.
const LOADED_ENDS: [&str; 8] = ["SHELL", "HOME", "IFS", "EDITOR", "VISUAL", "PAGER", "_WRAPPER", "OPTS"];

/// Programs that only remove: accepting edits is not offered for their sake.
const REMOVERS: [&str; 4] = ["rm", "rmdir", "unlink", "shred"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    Nothing,
    Exact,
    Siblings,
}

/// The narrowest rule that covers a command and its obvious siblings, if a rule for it is wise at all. The
/// words are empty where only the exact text is worth a rule.
pub(super) fn rule(text: &str, words: &[String]) -> Option<Rule> {
    let offer = match words {
        [] => with_assignments(text),
        [program, rest @ ..] => offer(program, rest),
    };
    match (offer, words) {
        (Offer::Siblings, [program, sub, ..]) => {
            Some(Rule::with_content("Bash", format!("{program} {sub} *")))
        }
        (Offer::Nothing, _) => None,
        _ => exact(text),
    }
}

/// Whether a command does nothing but remove.
pub(super) fn removes(words: &[String]) -> bool {
    words.first().is_some_and(|program| REMOVERS.contains(&base_name(program)))
}

fn base_name(program: &str) -> &str {
    program.rfind('/').map_or(program, |slash| &program[slash + 1..])
}

fn lists(row: &str, name: &str) -> bool {
    row.split(' ').any(|listed| listed == name)
}

fn is_never(program: &str) -> bool {
    let name = base_name(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    // It is asked about every word of some commands, so the rows are not walked each time.
    static NAMES: LazyLock<HashSet<&str>> =
        LazyLock::new(|| NEVER.iter().flat_map(|row| row.split(' ')).collect());
    NAMES.contains(name)
        || NAMES.contains(unversioned)
        || NEVER_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

fn offer(program: &str, rest: &[String]) -> Offer {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-/~@".contains(c);
    // A quoted or escaped name may be any other name.
    if !program.chars().all(plain) || is_never(program) {
        return Offer::Nothing;
    }
    let name = base_name(program);
    let of = |table: &[(&str, &'static str)]| {
        table.iter().find(|(listed, _)| *listed == name).map_or("", |(_, commands)| *commands)
    };
    let never = of(&NEVER_COMMANDS);
    // Behind an option it is not known which word is the command.
    let commands = match rest.first() {
        Some(first) if !first.starts_with('-') => &rest[..1],
        _ => rest,
    };
    let misleads = |word: &String| word.contains(['\'', '"', '\\', '$']);
    if !never.is_empty() && commands.iter().any(|word| lists(never, word) || misleads(word)) {
        return Offer::Nothing;
    }
    let sub = rest.first().map_or("", String::as_str);
    match (name, sub) {
        ("make" | "gmake", _) if rest.iter().any(|word| elsewhere(word)) => Offer::Nothing,
        ("cmake", "-E") => Offer::Nothing,
        ("git", "branch") if rest.iter().any(|word| removes_branch(word)) => Offer::Nothing,
        ("git", "push") if rest[1..].iter().any(|word| word.starts_with(['-', '+', ':'])) => Offer::Exact,
        _ if program.contains('/') => Offer::Exact,
        _ if !sub.is_empty() && lists(of(&SIBLINGS), sub) => Offer::Siblings,
        _ => Offer::Exact,
    }
}

/// Options with which make reads another file than the project's own.
fn elsewhere(word: &str) -> bool {
    let long = ["--file", "--makefile", "--directory", "--eval", "--include-dir"];
    let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    short.is_some_and(|rest| rest.contains(['f', 'C', 'I', 'E'])) || long.iter().any(|o| word.starts_with(o))
}

fn removes_branch(word: &str) -> bool {
    let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    short.is_some_and(|rest| rest.contains(['d', 'D', 'f', 'M', 'C'])) || word.starts_with("--de")
}

/// For a command behind assignments, of which only the text is known: no word of it may be one that runs
/// anything, and no variable one that decides what runs.
fn with_assignments(text: &str) -> Offer {
    let loaded = |name: &str| {
        name == "ENV"
            || LOADED.iter().any(|beginning| name.starts_with(beginning))
            || LOADED_ENDS.iter().any(|end| name.ends_with(end))
    };
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let is_set = |word: &&String| word.contains('=') && !word.starts_with('-');
    let sets = words.iter().take_while(is_set).count();
    let named = |word: &String| word.split(['=', '+']).next().is_some_and(loaded);
    if words[..sets].iter().any(named) || words.iter().any(|word| is_never(word)) {
        return Offer::Nothing;
    }
    match &words[sets..] {
        [program, rest @ ..] => offer(program, rest),
        [] => Offer::Nothing,
    }
}

/// A rule for exactly this text, if a rule can say it.
fn exact(text: &str) -> Option<Rule> {
    const MOST: usize = 200;
    let sayable = !text.is_empty() && text.len() <= MOST && !text.contains(['*', '\n']);
    sayable.then(|| Rule::with_content("Bash", text))
}
