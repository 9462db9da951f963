//! What a command runs: another command, a text, or something that can't be seen.

use std::borrow::Cow;

use super::wrapper::{self, WrapperReach};
use crate::program_name::known_name;
use crate::shell::{RedirectKind, Script, ShellCommand, ShellWord};

/// What a command was found to run.
#[derive(Debug)]
pub(crate) enum InnerCommand<'a> {
    /// Another command: its words.
    Words(Vec<ShellWord<'a>>, WrapperReach),
    /// Commands that it may run, where its options are not understood; only deny and ask rules look at them.
    Guesses(Vec<Vec<ShellWord<'a>>>),
    /// Texts that a shell runs.
    Scripts(Vec<String>),
    /// Something that can't be seen, such as a shell that reads its commands from a pipe.
    Unseen,
}

/// Builtins whose texts are looked into as commands.
const READ_AS_CODE: [&str; 11] =
    ["eval", "trap", "alias", "source", ".", "compgen", "complete", "mapfile", "readarray", "hash", "bind"];

/// Programs of which what they run is looked into already.
pub(crate) fn seen_through() -> impl Iterator<Item = &'static str> {
    SHELLS.into_iter().chain(LOOSE).chain(READ_AS_CODE).chain(["find", "fd", "fdfind"])
}

const SHELLS: [&str; 15] = [
    "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash", "osh", "posh",
    "oksh",
];

/// Programs that run a command given somewhere in their arguments, in ways that differ too much to be parsed.
const LOOSE: [&str; 27] = [
    "setpriv",
    "prlimit",
    "nsenter",
    "setarch",
    "linux64",
    "linux32",
    "i386",
    "x86_64",
    "choom",
    "fakeroot",
    "valgrind",
    "perf",
    "dbus-run-session",
    "dbus-launch",
    "capsh",
    "tmux",
    "screen",
    "npx",
    "pkexec",
    "systemd-run",
    "su",
    "script",
    "runuser",
    "gdb",
    "numactl",
    "bwrap",
    "firejail",
];

/// Of these, the ones that run a shell, or text that is hard to distinguish from their other words.
const RUNS_SHELL: [&str; 9] =
    ["su", "script", "runuser", "capsh", "tmux", "screen", "gdb", "fakeroot", "nsenter"];

/// More words than this are not tried as the beginning of a command.
pub(super) const MAX_GUESSES: usize = 64;

/// What a command runs, if it is known to run anything.
pub(crate) fn inside<'a>(command: &ShellCommand<'a>, script: &Script<'a>) -> Vec<InnerCommand<'a>> {
    let Some(first) = command.words.first() else { return Vec::new() };
    let program = known_name(&first.value);
    let rest = &command.words[1..];
    if SHELLS.contains(&program.as_ref()) {
        return shell(command, rest, script);
    }
    match program.as_ref() {
        "eval" => {
            let rest = if rest.first().is_some_and(|word| word.value == "--") { &rest[1..] } else { rest };
            scripts(vec![joined(rest)], rest)
        }
        "trap" => scripts(rest.iter().map(|word| word.value.to_string()).collect(), rest),
        "alias" => {
            let values = rest.iter().filter_map(|word| word.value.split_once('='));
            let texts: Vec<String> = values.map(|(_, value)| value.to_owned()).collect();
            // From here on, any word may be another: an alias that ends with a space expands the next one too.
            let renames = !texts.is_empty();
            let mut found = scripts(texts, rest);
            found.extend(renames.then_some(InnerCommand::Unseen));
            found
        }
        "shopt" | "setopt" | "unsetopt"
            if rest.iter().any(|word| !word.known || word.value.contains("alias")) =>
        {
            vec![InnerCommand::Unseen]
        }
        // It loads builtins from a file, or makes the name of one mean a program.
        "enable" if rest.iter().any(|word| !word.known || word.value.starts_with('-')) => {
            vec![InnerCommand::Unseen]
        }
        "compgen" | "complete" | "mapfile" | "readarray" | "hash" | "bind" => called_back(rest),
        "source" | "." => shell(command, rest, script),
        _ => inside_words(&command.words),
    }
}

/// What a command of these words runs, where its input is unknown.
pub(crate) fn inside_words<'a>(words: &[ShellWord<'a>]) -> Vec<InnerCommand<'a>> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    match known_name(&first.value).as_ref() {
        program @ ("find" | "fd" | "fdfind") => executed(program, rest),
        "xargs" => wrapper::xargs(rest),
        program if LOOSE.contains(&program) => loose(program, rest),
        program => wrapper::wrapped(program, rest),
    }
}

fn scripts<'a>(texts: Vec<String>, words: &[ShellWord<'a>]) -> Vec<InnerCommand<'a>> {
    let mut found = vec![InnerCommand::Scripts(texts)];
    if words.iter().any(|word| !word.known) {
        found.push(InnerCommand::Unseen);
    }
    found
}

/// Builtins that keep a command for later, or define which program a name denotes.
fn called_back<'a>(words: &[ShellWord<'a>]) -> Vec<InnerCommand<'a>> {
    let keeps = |word: &ShellWord<'_>| {
        !word.known || word.value.starts_with('-') && word.value.contains(['C', 'p', 'x', 'F', 'W'])
    };
    if !words.iter().any(keeps) {
        return Vec::new();
    }
    vec![InnerCommand::Scripts(texts_in(words)), InnerCommand::Unseen]
}

/// Whether a script with this name is a file, and not its input.
fn is_script_file(word: &ShellWord<'_>) -> bool {
    let value = word.value.as_ref();
    let piece = |piece: &str| matches!(piece, "dev" | "proc" | "fd" | "stdin");
    word.known && !word.glob && !value.is_empty() && value != "-" && !value.split('/').any(piece)
}

/// A shell runs the text after `-c`, the script it is given, or its input.
fn shell<'a>(
    command: &ShellCommand<'a>,
    rest: &[ShellWord<'a>],
    script: &Script<'a>,
) -> Vec<InnerCommand<'a>> {
    const PLAIN: [&str; 8] = [
        "--norc",
        "--noprofile",
        "--posix",
        "--login",
        "--restricted",
        "--noediting",
        "--verbose",
        "--no-rcs",
    ];
    let mut words = rest.iter();
    let mut runs_text = false;
    let mut reads_input = false;
    let mut unseen = false;
    let mut operand = None;
    while let Some(word) = words.next() {
        let text = word.value.as_ref();
        if text == "--" {
            operand = words.next();
            break;
        }
        if word.known && text == "+" {
            continue;
        }
        if word.known && text.starts_with(['-', '+']) && text.len() > 1 {
            if text.starts_with("--") {
                if rest.len() == 1 && matches!(text, "--version" | "--help") {
                    return Vec::new();
                }
                unseen |= !PLAIN.contains(&text);
                if matches!(text, "--rcfile" | "--init-file") {
                    words.next();
                }
                continue;
            }
            runs_text |= text.contains('c');
            reads_input |= text.contains('s');
            unseen |= text.contains('C');
            if text.contains(['o', 'O']) {
                words.next();
            }
            continue;
        }
        operand = Some(word);
        break;
    }
    if runs_text {
        let mut found = match operand {
            Some(text) => scripts(vec![text.value.to_string()], std::slice::from_ref(text)),
            None => vec![InnerCommand::Unseen],
        };
        if unseen {
            found.extend([InnerCommand::Scripts(texts_in(rest)), InnerCommand::Unseen]);
        }
        return found;
    }
    if !unseen && !reads_input && operand.is_some_and(is_script_file) {
        // A named script is a program like any other.
        return Vec::new();
    }
    let mut texts = Vec::new();
    // Only a single literal text determines the whole input.
    unseen |= command.piped || command.redirects.len() != 1 || operand.is_some() && !reads_input;
    for redirect in &command.redirects {
        match (redirect.kind, redirect.document) {
            (RedirectKind::HereString, _) => {
                unseen |= !redirect.target.known;
                texts.push(redirect.target.value.to_string());
            }
            (RedirectKind::HereDoc, Some(document)) => {
                texts.extend(script.documents.get(document).map(|text: &Cow<'_, str>| text.to_string()));
            }
            _ => unseen = true,
        }
    }
    let mut found = vec![InnerCommand::Scripts(texts)];
    if unseen {
        found.push(InnerCommand::Unseen);
    }
    found
}

/// A command that is written right behind the option of `fd` that runs it.
fn attached_command<'a>(word: &ShellWord<'a>) -> Option<ShellWord<'a>> {
    let command = ["--exec=", "--exec-batch=", "-x", "-X"]
        .iter()
        .find_map(|option| word.value.strip_prefix(option))
        .filter(|command| !command.is_empty())?
        .to_owned();
    Some(ShellWord { raw: command.clone().into(), value: command.into(), ..word.clone() })
}

/// The commands after `-exec` and its kin.
fn executed<'a>(program: &str, words: &[ShellWord<'a>]) -> Vec<InnerCommand<'a>> {
    const EXECUTES: [&str; 8] = ["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if EXECUTES.contains(&words[at].value.as_ref()) {
            let ends = |word: &ShellWord<'_>| matches!(word.value.as_ref(), ";" | "+");
            let end = words[at + 1..].iter().position(ends).map_or(words.len(), |end| at + 1 + end);
            found.push(InnerCommand::Words(words[at + 1..end].to_vec(), WrapperReach::Forbidding));
            at = end;
        } else if program != "find"
            && let Some(attached) = attached_command(&words[at])
        {
            let rest = words[at + 1..].iter().cloned();
            found.push(InnerCommand::Words(
                std::iter::once(attached).chain(rest).collect(),
                WrapperReach::Forbidding,
            ));
        }
        at += 1;
    }
    found
}

/// Every text in these words that could be a command line, also directly behind an option.
pub(super) fn texts_in(words: &[ShellWord<'_>]) -> Vec<String> {
    let mut texts = Vec::new();
    for word in words.iter().take(MAX_GUESSES) {
        let value = word.value.as_ref();
        if !value.starts_with('-') {
            texts.push(value.to_owned());
        } else if let Some((_, text)) = value.split_once('=').filter(|_| value.starts_with("--")) {
            texts.push(text.to_owned());
        } else {
            texts.extend(value.char_indices().skip(2).take(6).map(|(at, _)| value[at..].to_owned()));
        }
    }
    texts
}

/// Every command that these words may hold, where it is not known which of them are options and values.
pub(super) fn guesses<'a>(words: &[ShellWord<'a>]) -> Vec<InnerCommand<'a>> {
    let starts = (0..words.len().min(MAX_GUESSES)).filter(|at| {
        // A folder is not a program, and `.` is a word of the shell alone.
        !words[*at].value.starts_with('-') && !matches!(words[*at].value.as_ref(), "." | "..")
    });
    // Where there are more words, it is not relied upon that all of them were looked at.
    let end = |at: usize| if words.len() > MAX_GUESSES { words.len().min(at + 8) } else { words.len() };
    let mut found = vec![InnerCommand::Guesses(starts.map(|at| words[at..end(at)].to_vec()).collect())];
    let lines = texts_in(words).into_iter().filter(|text| text.contains([' ', '\t', '\n', ';']));
    found.push(InnerCommand::Scripts(lines.collect()));
    if words.len() > MAX_GUESSES {
        found.push(InnerCommand::Unseen);
    }
    found
}

fn loose<'a>(program: &str, words: &[ShellWord<'a>]) -> Vec<InnerCommand<'a>> {
    let mut found = guesses(words);
    if RUNS_SHELL.contains(&program) {
        found.push(InnerCommand::Scripts(texts_in(words)));
        found.push(InnerCommand::Unseen);
    }
    found
}

pub(super) fn joined(words: &[ShellWord<'_>]) -> String {
    words.iter().map(|word| word.value.as_ref()).collect::<Vec<_>>().join(" ")
}
