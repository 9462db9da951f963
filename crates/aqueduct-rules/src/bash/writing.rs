//! Commands that change files, and options that turn a program into something else.

use super::reading::{FIND_ACTS, is_option};
use super::{git_rule, other_vcs, sed};
use crate::shell::Word;

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
        // What they unpack or copy is written wherever its name says.
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

/// Options that make a program run another one or write a file, where a rule for the program as a whole
/// was hardly meant to cover that.
const TURNS: [(&str, &[&str]); 28] = [
    ("rg", &["--pre", "--hostname-bin", "--search-zip", "-z"]),
    ("sort", &["--compress-program", "--output", "-o", "--random-source", "--files0-from"]),
    (
        "tar",
        &[
            "--to-command",
            "--checkpoint-action",
            "--use-compress-program",
            "--rsh-command",
            "-I",
            "--info-script",
            "--new-volume-script",
            "-F",
            "--absolute-names",
            "-P",
            "--rmt-command",
            "--transform",
            "--xform",
            "--one-top-level",
        ],
    ),
    ("fd", &["-x", "-X", "--exec", "--exec-batch"]),
    ("fdfind", &["-x", "-X", "--exec", "--exec-batch"]),
    ("man", &["-P", "--pager", "-H", "--html"]),
    ("tree", &["-o", "-R"]),
    ("date", &["-s", "--set"]),
    ("file", &["-C", "--compile"]),
    ("jq", &["-f", "--from-file", "-L"]),
    (
        "npm",
        &[
            "-C",
            "-w",
            "--workspace",
            "--workspaces",
            "--cache",
            "--logs-dir",
            "--location",
            "--script-shell",
            "--node-options",
            "--prefix",
            "--globalconfig",
            "--userconfig",
            "--shell",
            "--onload-script",
            "--init-module",
            "--editor",
            "--viewer",
            "--browser",
            "--git",
            "--cafile",
            "--tmp",
        ],
    ),
    ("pnpm", &["--script-shell", "--shell-mode", "--dir", "-C"]),
    ("yarn", &["--cwd", "--use-yarnrc"]),
    ("cargo", &["--config", "-Z"]),
    ("make", &["-f", "--file", "--makefile", "--eval", "-C", "--directory", "-I", "--include-dir"]),
    ("cp", &["-t", "--target-directory"]),
    ("mv", &["-t", "--target-directory"]),
    ("go", &["-toolexec", "-exec", "-vettool", "--toolexec", "--exec", "--vettool", "-overlay", "-modfile"]),
    ("rsync", &["-e", "--rsh", "--rsync-path", "--copy-dest", "--link-dest", "--log-file"]),
    ("scp", &["-S", "-o", "-F"]),
    ("sftp", &["-S", "-o", "-F"]),
    ("zip", &["-TT", "--unzip-command"]),
    ("split", &["--filter"]),
    ("ssh", &["-F"]),
    ("less", &["+", "-o", "-O", "-k", "--log-file", "--LOG-FILE", "--lesskey-file", "--lesskey-src"]),
    ("vi", &["+", "-c", "-S", "-s", "-u", "--cmd"]),
    ("vim", &["+", "-c", "-S", "-s", "-u", "--cmd"]),
    ("nvim", &["+", "-c", "-S", "-s", "-u", "--cmd"]),
];

/// Programs that hand over what follows `--` to a script or a test. For others it may be the value of an
/// option before it, so that options go on.
const HANDS_OVER: [&str; 4] = ["npm", "pnpm", "yarn", "cargo"];

/// Why a rule with a prefix or a wildcard does not cover this command, if it doesn't. An exact rule does:
/// whoever wrote it has seen all of it.
pub(crate) fn exceeds_rules(program: &str, values: &[&str]) -> Option<&'static str> {
    let has_options = values.iter().any(|value| value.starts_with('-'));
    let turns = TURNS.iter().find(|(name, _)| *name == program).is_some_and(|(_, options)| {
        let ends = |value: &&&str| **value == "--" && HANDS_OVER.contains(&program);
        let mut given = values.iter().take_while(|value| !ends(value));
        given.any(|value| options.iter().any(|option| is_option(value, option)))
            || program == "tar" && values.first().is_some_and(|first| bundles(first))
    });
    match program {
        "git" => return git_rule::exceeds(values),
        vcs if other_vcs::is_one(vcs) => return other_vcs::exceeds(vcs, values),
        "find" if values.iter().any(|value| FIND_ACTS.contains(value)) => {
            return Some("find is told to run commands or to change files");
        }
        "sed" if sed::read(values).power == sed::Power::Acts => {
            return Some("the sed script may run commands or write files");
        }
        "awk" | "gawk" | "mawk" | "nawk" if values.iter().any(|value| awk_acts(value)) => {
            return Some("the awk program may run commands or write files");
        }
        "ssh" | "scp" | "sftp" if values.iter().any(|value| names_command(value)) => {
            return Some("an option names a command to run");
        }
        "go" if values.starts_with(&["env"]) && has_options => {
            return Some("go is told to use other settings");
        }
        "cp" | "mv" if has_options => return Some("options can change which files are written"),
        "make"
            if values.iter().any(|value| {
                ["SHELL=", "MAKEFLAGS=", "MAKEFILES="].iter().any(|set| value.starts_with(set))
                    || value.contains("$(")
                    || value.contains("${")
                    || value.contains("!=")
            }) =>
        {
            return Some("make is told to use another shell");
        }
        "printf" if !super::reading::printf_only_prints(values) => {
            return Some("printf is told to set or to evaluate a variable");
        }
        "printf" if values.first() == Some(&"-v") => return Some("printf is told to set a variable"),
        _ => {}
    }
    turns.then_some("an option makes the program run another one or write elsewhere")
}

fn awk_acts(value: &str) -> bool {
    let acts = ["system", "getline", "|", ">", "@load", "@include", "extension"];
    let loads = value.starts_with('-') && value[1..].starts_with(['f', 'i', 'l', 'E', '-']) && value != "--";
    loads || acts.iter().any(|part| value.contains(part))
}

/// Whether the first word of `tar`, which needs no dash, says to run a program or to leave the folder.
fn bundles(first: &str) -> bool {
    !first.starts_with('-') && first.contains(['I', 'F', 'P'])
}

/// Whether an option of `ssh` names a command that runs here.
fn names_command(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    value.contains("command") || value.contains("pkcs11") || value.contains("knownhostscommand")
}

/// Whether a wildcard may expand to the name of a file that the program takes for an option. Names with an
/// ending are not options that do harm.
pub(crate) fn turned_by_names(program: &str, words: &[Word<'_>]) -> bool {
    const HARMLESS: [&str; 3] = ["file", "date", "man"];
    const GIT: &str = "add stage rm mv checkout restore reset status commit ls-files";
    let may_be_option = |word: &Word<'_>| {
        let value = word.value.as_ref();
        let end = value.rsplit(['*', '?', ']']).next().unwrap_or_default();
        let named =
            end.rsplit('.').next().is_some_and(|ending| !ending.is_empty() && ending.len() < end.len());
        value.starts_with(['*', '?', '[', '-']) && !named
    };
    if !words.iter().any(|word| word.glob && may_be_option(word)) {
        return false;
    }
    let turns = TURNS.iter().any(|(name, _)| *name == program) && !HARMLESS.contains(&program);
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
