//! Commands that change files, and options that turn a program into something else.

use super::reading::is_option;
use super::{git_rule, options, other_vcs, sed};
use crate::shell::ShellWord;

/// How a program uses its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writes {
    /// It changes all of them.
    All,
    /// It reads all but the last, which it changes.
    Last,
}

/// What a program does to the files it is given, if it changes any.
pub(crate) fn writes(program: &str, values: &[&str]) -> Option<Writes> {
    match program {
        "touch" | "mkdir" | "rmdir" | "rm" | "mv" | "tee" | "ln" | "chmod" | "chown" | "chgrp"
        | "truncate" | "unlink" | "shred" | "rename" | "mkfifo" | "patch" | "dd" => Some(Writes::All),
        "cp" | "install" if values.iter().any(|value| names_target(value)) => Some(Writes::All),
        "uniq" if values.iter().filter(|value| !value.starts_with('-')).count() > 1 => Some(Writes::All),
        "cp" | "install" | "rsync" | "scp" => Some(Writes::Last),
        "sed" if sed::read(values).in_place => Some(Writes::All),
        "base64" if values.iter().any(|value| is_option(value, "-o") || is_option(value, "--output")) => {
            Some(Writes::All)
        }
        "sort" if values.iter().any(|value| is_option(value, "-o") || is_option(value, "--output")) => {
            Some(Writes::All)
        }
        _ => None,
    }
}

/// Whether an option of `cp` and its kin names the folder to write to.
fn names_target(value: &str) -> bool {
    value.starts_with("--t") || value.starts_with('-') && !value.starts_with("--") && value.contains('t')
}

/// Whether a program may touch files that are not among its operands: below a folder, in an option, or in
/// a script.
pub(crate) fn hides_files(program: &str, values: &[&str]) -> bool {
    let has = |letters: &[char], long: &[&str]| {
        values.iter().any(|value| match value.strip_prefix("--") {
            Some(_) => long.iter().any(|name| value.starts_with(name)),
            None => value.starts_with('-') && value.contains(letters),
        })
    };
    match program {
        "cp" | "mv" | "ln" | "install" => has(&['t', 'r', 'R', 'a'], &["--t", "--r", "--a"]),
        "chmod" | "chown" | "chgrp" => has(&['R'], &["--recu", "--refe"]),
        "sort" => has(&['o', 'T'], &["--o", "--f", "--te"]),
        "mktemp" => has(&['p', 't'], &["--t", "--s"]) || values.iter().any(|value| value.contains('/')),
        "time" => has(&['o'], &["--o"]),
        "touch" | "truncate" => has(&['r'], &["--r"]),
        "sed" => sed::read(values).power == sed::Power::Acts,
        "wc" => has(&[], &["--f"]),
        // What they unpack or copy is written to wherever its name leads.
        "unzip" | "cpio" | "pax" | "ditto" | "patch" | "shopt" | "setopt" => true,
        "tar" => !packs(values) && values.iter().any(|value| extracts(value)),
        "7z" | "7za" | "7zr" => matches!(values.first(), Some(&("x" | "e"))),
        "scp" => has(&['r'], &[]),
        "rsync" => {
            has(&['a', 'r'], &["--ar", "--rec", "--fi"])
                || values.iter().any(|value| value.ends_with('/') || *value == ".")
        }
        _ => false,
    }
}

/// Whether a command copies folders with everything in them.
pub(crate) fn copies_folders(program: &str, values: &[&str]) -> bool {
    let recursive = |value: &&str| match value.strip_prefix("--") {
        Some(long) => long.starts_with('a') || long.starts_with("rec"),
        None => value.starts_with('-') && value.contains(['a', 'r', 'R']),
    };
    matches!(program, "cp" | "rsync" | "scp") && values.iter().any(recursive)
}

/// Whether `tar` puts files into an archive.
pub(crate) fn packs(values: &[&str]) -> bool {
    let packs = |value: &&str| match value.strip_prefix("--") {
        Some(long) => {
            ["create", "append", "update"].iter().any(|name| long.len() > 1 && name.starts_with(long))
        }
        None => value.starts_with('-') && value.contains(['c', 'r', 'u']),
    };
    values.iter().any(packs)
        || values.first().is_some_and(|first| !first.starts_with('-') && first.contains(['c', 'r', 'u']))
}

fn extracts(value: &str) -> bool {
    match value.strip_prefix("--") {
        Some(long) => long.len() > 2 && ("extract".starts_with(long) || "get".starts_with(long)),
        None => value.contains('x'),
    }
}

/// Whether `acceptEdits` covers this command: the everyday file commands in their plain forms. Options of
/// `cp` and `mv` can move the target, those of `touch` can name another file.
pub(crate) fn is_everyday(program: &str, values: &[&str]) -> bool {
    let has_options = values.iter().any(|value| value.starts_with('-'));
    match program {
        "mkdir" | "rmdir" | "rm" => true,
        "touch" | "mv" | "cp" => !has_options,
        "sed" => sed::is_plain_edit(values),
        _ => false,
    }
}

/// Whether what a program is given can be read elsewhere afterwards.
pub(crate) fn carries(program: &str) -> bool {
    matches!(program, "mv" | "ln" | "dd" | "rename" | "sed" | "patch")
}

/// Whether a program removes what it is given.
pub(crate) fn removes(program: &str) -> bool {
    matches!(program, "rm" | "rmdir" | "unlink" | "shred")
}

/// Builtins that run their arguments or change how the rest is read.
const EVALUATES: [&str; 19] = [
    "eval",
    "source",
    ".",
    "exec",
    "trap",
    "alias",
    "unalias",
    "hash",
    "let",
    "shopt",
    "enable",
    "coproc",
    "bind",
    "complete",
    "compgen",
    "mapfile",
    "readarray",
    "zmodload",
    "emulate",
];

/// Why a rule with a prefix or a wildcard that fixes the first `fixed` of these words does not cover this command,
/// if it doesn't. An exact rule does: its author has seen the whole command.
pub(crate) fn exceeds_rules(
    program: &str,
    values: &[&str],
    fixed: usize,
    leaves: &dyn Fn(&str) -> bool,
) -> Option<&'static str> {
    turns_to_others(program, values).or_else(|| options::excess(program, values, fixed, leaves))
}

/// Why a command does more than its program's name suggests, if it does.
pub(crate) fn turns_to_others(program: &str, values: &[&str]) -> Option<&'static str> {
    let has_options = values.iter().any(|value| value.starts_with('-'));
    match program {
        "git" => git_rule::exceeds(values),
        vcs if other_vcs::is_one(vcs) => other_vcs::exceeds(vcs, values),
        "find" if !values.iter().all(|value| finds(value)) => {
            Some("find runs commands, changes files or has unknown options")
        }
        "sed" if sed::read(values).power == sed::Power::Acts => {
            Some("the sed script may run commands or write files")
        }
        "awk" | "gawk" | "mawk" | "nawk" if awk_acts(values) => {
            Some("the awk program may run commands, or read or write other files")
        }
        "cp" | "mv" if has_options => Some("options can change which files are written"),
        "printf" if !super::reading::printf_only_prints(values) || values.first() == Some(&"-v") => {
            Some("printf sets or evaluates a variable")
        }
        _ => None,
    }
}

/// Whether a word given to `find` is a place, a test, or an action that only shows what was found.
fn finds(value: &str) -> bool {
    const SHOWS: &str = "-H -L -P -ls -printf -follow -noleaf -ignore_readdir_race -daystart -warn -nowarn -anewer -cnewer \
        -newerXY -inum -links -lname -ilname -samefile -uid -gid -nouser -nogroup -used -xtype -context -fstype -d -E -s -x -X -f";
    let is_value = |value: &str| {
        value.len() > 1 && value[1..].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/')
    };
    !value.starts_with('-')
        || super::reading::names_files(value)
        || SHOWS.split(' ').any(|known| known == value)
        || value.starts_with("-newer") && value.len() == 8
        // Sizes, times and permissions: `-7`, `-100k`, `-u+x`.
        || value[1..].starts_with(|c: char| c.is_ascii_digit()) && is_value(value)
        || value.starts_with("-O") && value.len() == 3
        || matches!(value, "-" | "--")
}

/// Whether an awk program, or an option before it, may do more than print what it is given. Of the options only
/// those are known that set a variable or the separator; gawk calls a function by a name in a variable with `@`.
fn awk_acts(values: &[&str]) -> bool {
    const ACTS: [&str; 10] =
        ["system", "getline", "|", ">", "@", "extension", "ARGV", "ARGC", "ENVIRON", "PROCINFO"];
    let mut values = values.iter();
    while let Some(value) = values.next() {
        match *value {
            "-F" | "-v" => {
                values.next();
            }
            "--" => break,
            value if value.starts_with("-F") || value.starts_with("-v") => {}
            value if value.starts_with('-') && value.len() > 1 => return true,
            program => {
                return ACTS.iter().any(|part| program.contains(part))
                    || values.any(|file| acts_as_option(file));
            }
        }
    }
    values.any(|value| ACTS.iter().any(|part| value.contains(part)))
}

/// Whether a word after an awk program is an option that brings another one.
fn acts_as_option(value: &str) -> bool {
    value.len() > 1 && value.starts_with('-')
}

/// Whether a wildcard may expand to the name of a file that the program takes for an option. Names with an
/// ending are not options that do harm.
pub(crate) fn turned_by_names(program: &str, words: &[ShellWord<'_>]) -> bool {
    const HARMLESS: [&str; 2] = ["date", "man"];
    const GIT: &str = "add stage rm mv checkout restore reset status commit ls-files";
    let may_be_option = |word: &ShellWord<'_>| {
        let value = word.value.as_ref();
        let end = value.rsplit(['*', '?', ']']).next().unwrap_or_default();
        let named =
            end.rsplit('.').next().is_some_and(|ending| !ending.is_empty() && ending.len() < end.len());
        value.starts_with(['*', '?', '[', '-']) && !named
    };
    if !words.iter().any(|word| word.glob && may_be_option(word)) {
        return false;
    }
    let turns = (options::knows(program) || matches!(program, "cp" | "mv")) && !HARMLESS.contains(&program);
    let command = words.get(1).map_or("", |word| word.value.as_ref());
    let git = program == "git" && !GIT.split(' ').any(|name| name == command);
    turns || git || matches!(program, "find" | "sed" | "awk" | "uniq")
}

/// Why no rule with content covers this command, not even an exact one, if none does.
pub(crate) fn never_by_rule(program: &str) -> Option<&'static str> {
    EVALUATES.contains(&program).then_some("the shell evaluates its arguments as code")
}

/// Programs that talk to other machines, for those who read the explanation.
pub(crate) fn uses_network(program: &str) -> bool {
    matches!(
        program,
        "curl"
            | "wget"
            | "ssh"
            | "scp"
            | "sftp"
            | "rsync"
            | "nc"
            | "ncat"
            | "netcat"
            | "telnet"
            | "ftp"
            | "dig"
            | "host"
            | "nslookup"
            | "ping"
            | "traceroute"
            | "whois"
            | "npm"
            | "npx"
            | "pnpm"
            | "yarn"
            | "pip"
            | "pip3"
            | "gh"
            | "aws"
            | "gcloud"
            | "az"
            | "kubectl"
            | "docker"
            | "apt"
            | "apt-get"
            | "brew"
    )
}
