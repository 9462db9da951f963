//! Commands that run other commands: what is inside them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::rule::base_name;
use crate::shell::{Command, RedirectKind, Script, Word};

/// How far a rule may look through a wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Through {
    /// Running something under it changes nothing that matters: allow rules and the table of reading
    /// commands look through it.
    Everything,
    /// Allow rules look through it, the table of reading commands doesn't.
    Rules,
    /// Only deny and ask rules look through it.
    Forbidding,
}

/// What a command was found to run.
#[derive(Debug)]
pub(crate) enum Inside<'a> {
    /// Another command: its words.
    Words(Vec<Word<'a>>, Through),
    /// Commands that it may run, where its options are not understood; only deny and ask rules look at them.
    Guesses(Vec<Vec<Word<'a>>>),
    /// Texts that a shell runs.
    Scripts(Vec<String>),
    /// Something that can't be seen, such as a shell that reads its commands from a pipe.
    Unseen,
}

/// Wrappers whose own options and operands come first, then the command.
struct Wrapper {
    name: &'static str,
    through: Through,
    /// Options that take the next word as their value.
    valued: &'static [&'static str],
    /// How many operands of its own come before the command.
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    through: Through,
    valued: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { name, through, valued, operands }
}

static WRAPPERS: [Wrapper; 31] = [
    wrapper("timeout", Through::Everything, &["-s", "--signal", "-k", "--kill-after"], 1),
    wrapper("command", Through::Everything, &[], 0),
    wrapper("builtin", Through::Everything, &[], 0),
    wrapper("noglob", Through::Rules, &[], 0),
    wrapper("nice", Through::Rules, &["-n", "--adjustment"], 0),
    wrapper("nohup", Through::Rules, &[], 0),
    wrapper("time", Through::Rules, &["-f", "--format", "-o", "--output"], 0),
    wrapper("stdbuf", Through::Rules, &["-i", "-o", "-e"], 0),
    wrapper("xargs", Through::Rules, &["-n", "-I", "-P", "-L", "-d", "-a", "-E", "-s"], 0),
    wrapper("env", Through::Forbidding, &["-u", "--unset", "-C", "--chdir"], 0),
    wrapper(
        "sudo",
        Through::Forbidding,
        &["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U", "-r", "-t"],
        0,
    ),
    wrapper("doas", Through::Forbidding, &["-u", "-C"], 0),
    wrapper("exec", Through::Forbidding, &["-a"], 0),
    wrapper("nocorrect", Through::Forbidding, &[], 0),
    wrapper("-", Through::Forbidding, &[], 0),
    wrapper("setsid", Through::Forbidding, &[], 0),
    wrapper("ionice", Through::Forbidding, &["-c", "-n"], 0),
    wrapper("chrt", Through::Forbidding, &[], 1),
    wrapper("taskset", Through::Forbidding, &[], 1),
    wrapper("chroot", Through::Forbidding, &[], 1),
    wrapper("flock", Through::Forbidding, &["-w", "-E"], 1),
    wrapper("watch", Through::Forbidding, &["-n", "--interval"], 0),
    wrapper("strace", Through::Forbidding, &["-e", "-o", "-p", "-s", "-u"], 0),
    wrapper("ltrace", Through::Forbidding, &["-e", "-o", "-p", "-s", "-u"], 0),
    wrapper("unbuffer", Through::Forbidding, &[], 0),
    wrapper("busybox", Through::Forbidding, &[], 0),
    wrapper("toybox", Through::Forbidding, &[], 0),
    wrapper("caffeinate", Through::Forbidding, &["-t", "-w"], 0),
    wrapper("parallel", Through::Forbidding, &["-j", "-S", "--jobs"], 0),
    wrapper("unshare", Through::Forbidding, &[], 0),
    wrapper("proot", Through::Forbidding, &[], 0),
];

static BY_NAME: LazyLock<HashMap<&str, &Wrapper>> =
    LazyLock::new(|| WRAPPERS.iter().map(|wrapper| (wrapper.name, wrapper)).collect());

const SHELLS: [&str; 10] = ["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "csh"];

/// Programs that run a command given somewhere in their words, in ways that differ too much to be told.
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

/// Of these, the ones that run a shell, or text that is hard to tell from their other words.
const RUNS_SHELL: [&str; 9] =
    ["su", "script", "runuser", "capsh", "tmux", "screen", "gdb", "fakeroot", "nsenter"];

/// More words than this are not tried as the beginning of a command.
const MAX_GUESSES: usize = 64;

/// What a command runs, if it is known to run anything.
pub(crate) fn inside<'a>(command: &Command<'a>, script: &Script<'a>) -> Vec<Inside<'a>> {
    let Some(first) = command.words.first() else { return Vec::new() };
    let program = base_name(&first.value);
    let rest = &command.words[1..];
    if SHELLS.contains(&program) {
        return shell(command, rest, script);
    }
    match program {
        "eval" => {
            let rest = if rest.first().is_some_and(|word| word.value == "--") { &rest[1..] } else { rest };
            scripts(vec![joined(rest)], rest)
        }
        "trap" => scripts(rest.iter().map(|word| word.value.to_string()).collect(), rest),
        "alias" => {
            let values = rest.iter().filter_map(|word| word.value.split_once('='));
            scripts(values.map(|(_, value)| value.to_owned()).collect(), rest)
        }
        "compgen" | "complete" | "mapfile" | "readarray" | "hash" | "bind" => called_back(rest),
        "source" | "." => shell(command, rest, script),
        _ => inside_words(&command.words),
    }
}

/// What a command of these words runs, where nothing is known of what comes in to it.
pub(crate) fn inside_words<'a>(words: &[Word<'a>]) -> Vec<Inside<'a>> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    match base_name(&first.value) {
        "find" | "fd" | "fdfind" => executed(rest),
        "xargs" => xargs(rest),
        program => wrapped(program, rest),
    }
}

fn joined(words: &[Word<'_>]) -> String {
    words.iter().map(|word| word.value.as_ref()).collect::<Vec<_>>().join(" ")
}

fn scripts<'a>(texts: Vec<String>, words: &[Word<'a>]) -> Vec<Inside<'a>> {
    let mut found = vec![Inside::Scripts(texts)];
    if words.iter().any(|word| !word.known) {
        found.push(Inside::Unseen);
    }
    found
}

/// Builtins that keep a command for later, or say which program a name stands for.
fn called_back<'a>(words: &[Word<'a>]) -> Vec<Inside<'a>> {
    let keeps = |word: &Word<'_>| {
        !word.known || word.value.starts_with('-') && word.value.contains(['C', 'p', 'x', 'F'])
    };
    if !words.iter().any(keeps) {
        return Vec::new();
    }
    vec![Inside::Scripts(texts_in(words)), Inside::Unseen]
}

/// Every text in these words that could be a command line, also where it stands right behind an option.
fn texts_in(words: &[Word<'_>]) -> Vec<String> {
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
fn guesses<'a>(words: &[Word<'a>]) -> Vec<Inside<'a>> {
    let starts = (0..words.len().min(MAX_GUESSES)).filter(|at| !words[*at].value.starts_with('-'));
    // Where there are more words, it is not relied upon that all of them were looked at.
    let end = |at: usize| if words.len() > MAX_GUESSES { words.len().min(at + 8) } else { words.len() };
    let mut found = vec![Inside::Guesses(starts.map(|at| words[at..end(at)].to_vec()).collect())];
    let lines = texts_in(words).into_iter().filter(|text| text.contains([' ', '\t', '\n', ';']));
    found.push(Inside::Scripts(lines.collect()));
    if words.len() > MAX_GUESSES {
        found.push(Inside::Unseen);
    }
    found
}

fn loose<'a>(program: &str, words: &[Word<'a>]) -> Vec<Inside<'a>> {
    let mut found = guesses(words);
    if RUNS_SHELL.contains(&program) {
        found.push(Inside::Scripts(texts_in(words)));
        found.push(Inside::Unseen);
    }
    found
}

/// Whether a script with this name is a file, and not what comes in.
fn is_script_file(word: &Word<'_>) -> bool {
    let value = word.value.as_ref();
    let piece = |piece: &str| matches!(piece, "dev" | "proc" | "fd" | "stdin");
    word.known && !word.glob && !value.is_empty() && value != "-" && !value.split('/').any(piece)
}

/// A shell runs the text after `-c`, the script it is given, or what comes in.
fn shell<'a>(command: &Command<'a>, rest: &[Word<'a>], script: &Script<'a>) -> Vec<Inside<'a>> {
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
            None => vec![Inside::Unseen],
        };
        if unseen {
            found.extend([Inside::Scripts(texts_in(rest)), Inside::Unseen]);
        }
        return found;
    }
    if !unseen && !reads_input && operand.is_some_and(is_script_file) {
        // A named script is a program like any other.
        return Vec::new();
    }
    let mut texts = Vec::new();
    // Only one text that is written out says all that comes in.
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
    let mut found = vec![Inside::Scripts(texts)];
    if unseen {
        found.push(Inside::Unseen);
    }
    found
}

/// The commands after `-exec` and its kin.
fn executed<'a>(words: &[Word<'a>]) -> Vec<Inside<'a>> {
    const EXECUTES: [&str; 8] = ["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if EXECUTES.contains(&words[at].value.as_ref()) {
            let ends = |word: &Word<'_>| matches!(word.value.as_ref(), ";" | "+");
            let end = words[at + 1..].iter().position(ends).map_or(words.len(), |end| at + 1 + end);
            found.push(Inside::Words(words[at + 1..end].to_vec(), Through::Forbidding));
            at = end;
        }
        at += 1;
    }
    found
}

/// `xargs` adds words that nobody has seen to the command it runs.
fn xargs<'a>(words: &[Word<'a>]) -> Vec<Inside<'a>> {
    let mut found = wrapped("xargs", words);
    let has_options = words.first().is_some_and(|word| word.value.starts_with('-'));
    if let Some(Inside::Words(_, through)) = found.first_mut()
        && has_options
    {
        *through = Through::Forbidding;
    }
    found
}

/// Whether a command changes the words of the one it runs.
pub(crate) fn feeds(words: &[Word<'_>]) -> bool {
    let program = words.first().map_or("", |word| base_name(&word.value));
    matches!(program, "xargs" | "parallel" | "find" | "fd" | "fdfind")
}

/// What `xargs`, `parallel` or `find` makes of the words of a command it runs: those with a mark in them
/// are not known, and more words may follow.
pub(crate) fn fed<'a>(outer: &[Word<'a>], mut words: Vec<Word<'a>>) -> Vec<Word<'a>> {
    if !feeds(outer) {
        return words;
    }
    let adds = outer.first().is_some_and(|word| matches!(base_name(&word.value), "xargs" | "parallel"));
    let mut marks = vec!["{}"];
    for (at, word) in outer.iter().enumerate().skip(1).take(MAX_GUESSES).filter(|_| adds) {
        let option = word.value.as_ref();
        if option.starts_with('-') && option.contains(['I', 'i', 'r']) {
            marks.extend(option.split_once(['I', 'i', '=']).map(|(_, mark)| mark));
            marks.extend(outer.get(at + 1).map(|word| word.value.as_ref()));
        }
        if !option.starts_with('-') && at > 2 && !outer[at - 1].value.starts_with('-') {
            break;
        }
    }
    marks.retain(|mark| !mark.is_empty());
    for word in &mut words {
        word.known &= !marks.iter().any(|mark| word.value.contains(*mark));
    }
    if adds {
        words.push(Word { splits: true, ..Word::default() });
    }
    words
}

fn wrapped<'a>(program: &str, words: &[Word<'a>]) -> Vec<Inside<'a>> {
    if LOOSE.contains(&program) {
        return loose(program, words);
    }
    let Some(wrapper) = BY_NAME.get(program) else { return Vec::new() };
    let mut through = wrapper.through;
    let mut operands = wrapper.operands;
    let mut understood = true;
    // `parallel` takes commands from its input and from words behind `:::`.
    let mut unseen = program == "parallel";
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.value.as_ref();
        let is_option = text.starts_with('-') && text.len() > 1;
        if !word.is_plain() {
            through = Through::Forbidding;
        }
        // What can become several words may bring the command with it.
        unseen |= word.splits && (is_option || operands > 0);
        if is_option {
            through = through.max_strict(option_through(program, text));
            if text == "--" {
                at += 1;
                break;
            }
            let valued = wrapper.valued.contains(&text);
            understood &= valued || is_understood(wrapper, text);
            // `env -S` splits a text and adds the words after it.
            unseen |= program == "env"
                && (text.starts_with("--s") || !text.starts_with("--") && text.contains('S'));
            at += if valued { 2 } else { 1 };
        } else if operands > 0 {
            operands -= 1;
            at += 1;
        } else {
            break;
        }
    }
    while words.get(at).is_some_and(|word| word.value.contains('=') && !word.value.starts_with(['-', '='])) {
        through = Through::Forbidding;
        at += 1;
    }
    let mut found = Vec::new();
    let inner = words.get(at..).unwrap_or_default();
    if !inner.is_empty() {
        found.push(Inside::Words(inner.to_vec(), through));
        // These take one word with a whole command line in it.
        if matches!(program, "watch" | "parallel") {
            found.push(Inside::Scripts(vec![joined(inner)]));
        }
    } else if matches!(program, "sudo" | "doas" | "chroot" | "unshare" | "proot" | "unbuffer") {
        // Without a command they run a shell.
        unseen = true;
    }
    if program == "flock" && words.iter().any(|word| word.value.starts_with('-')) {
        found.push(Inside::Scripts(texts_in(words)));
        understood = false;
    }
    if !understood {
        found.extend(guesses(words));
    }
    if unseen {
        found.push(Inside::Unseen);
    }
    found
}

/// Whether it is certain that this option takes nothing of the words after it.
fn is_understood(wrapper: &Wrapper, option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(_) => {
            matches!(option, "--foreground" | "--preserve-status" | "--verbose") || option.contains('=')
        }
        None => {
            let attached = option.get(..2).is_some_and(|name| wrapper.valued.contains(&name));
            let number = option[1..].bytes().all(|byte| byte.is_ascii_digit());
            let flags: &str = match wrapper.name {
                "timeout" => "v",
                "time" => "p",
                "command" => "pvV",
                "xargs" => "0rtx",
                "env" => "i0v",
                _ => "",
            };
            let plain = option[1..].chars().all(|flag| flags.contains(flag));
            attached && !matches!(wrapper.name, "env" | "sudo") || number && wrapper.name == "nice" || plain
        }
    }
}

/// How far a rule may look through a wrapper that has this option.
fn option_through(program: &str, option: &str) -> Through {
    let known = match program {
        "timeout" => {
            matches!(option, "-s" | "-k" | "--foreground" | "--preserve-status" | "-v" | "--verbose")
                || option.starts_with("--signal=")
                || option.starts_with("--kill-after=")
        }
        "nice" => option == "-n" || option[1..].bytes().all(|byte| byte.is_ascii_digit()),
        "stdbuf" => option.len() > 2 && matches!(option.get(..2), Some("-i" | "-o" | "-e")),
        "time" => option == "-p",
        "command" => option == "--",
        _ => false,
    };
    if known { Through::Everything } else { Through::Forbidding }
}

impl Through {
    pub(crate) fn max_strict(self, other: Self) -> Self {
        match (self, other) {
            (Self::Forbidding, _) | (_, Self::Forbidding) => Self::Forbidding,
            (Self::Rules, _) | (_, Self::Rules) => Self::Rules,
            _ => Self::Everything,
        }
    }
}
