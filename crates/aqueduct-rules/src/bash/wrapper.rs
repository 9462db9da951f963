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

/// What a command runs, if it is known to run anything.
pub(crate) fn inside<'a>(command: &Command<'a>, script: &Script<'a>) -> Vec<Inside<'a>> {
    let Some(first) = command.words.first() else { return Vec::new() };
    let program = base_name(&first.value);
    let rest = &command.words[1..];
    if SHELLS.contains(&program) {
        return shell(command, rest, script);
    }
    match program {
        "eval" => scripts(vec![joined(rest)], rest),
        "trap" => scripts(rest.iter().take(1).map(|word| word.value.to_string()).collect(), rest),
        "alias" => {
            let values = rest.iter().filter_map(|word| word.value.split_once('='));
            scripts(values.map(|(_, value)| value.to_owned()).collect(), rest)
        }
        "su" | "script" | "runuser" => scripts(after_option(rest, "-c"), rest),
        "source" | "." if rest.iter().any(|word| !word.known) => vec![Inside::Unseen],
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

fn after_option(words: &[Word<'_>], option: &str) -> Vec<String> {
    let next = words.windows(2).filter(|pair| pair[0].value == option).map(|pair| pair[1].value.to_string());
    next.collect()
}

/// A shell runs the text after `-c`, the script it is given, or what comes in.
fn shell<'a>(command: &Command<'a>, rest: &[Word<'a>], script: &Script<'a>) -> Vec<Inside<'a>> {
    let mut words = rest.iter();
    let mut runs_text = false;
    let mut operand = None;
    while let Some(word) = words.next() {
        let text = word.value.as_ref();
        if text == "--" {
            operand = words.next();
            break;
        }
        if word.known && text.starts_with(['-', '+']) && text.len() > 1 {
            runs_text |= !text.starts_with("--") && text.contains('c');
            if matches!(text, "-O" | "+O" | "-o" | "+o" | "--rcfile" | "--init-file") {
                words.next();
            }
            continue;
        }
        operand = Some(word);
        break;
    }
    if runs_text {
        return match operand {
            Some(text) => scripts(vec![text.value.to_string()], std::slice::from_ref(text)),
            None => vec![Inside::Unseen],
        };
    }
    let mut texts = Vec::new();
    let mut unseen = command.piped;
    for redirect in &command.redirects {
        match (redirect.kind, redirect.document) {
            (RedirectKind::HereString, _) => {
                unseen |= !redirect.target.known;
                texts.push(redirect.target.value.to_string());
            }
            (RedirectKind::HereDoc, Some(document)) => {
                texts.extend(script.documents.get(document).map(|text: &Cow<'_, str>| text.to_string()));
            }
            _ => {}
        }
    }
    match operand {
        // A named script is a program like any other.
        Some(word) if word.known && word.value != "-" && !word.value.starts_with("/dev/") => Vec::new(),
        Some(_) => vec![Inside::Scripts(texts), Inside::Unseen],
        None if unseen => vec![Inside::Scripts(texts), Inside::Unseen],
        None => vec![Inside::Scripts(texts)],
    }
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

fn wrapped<'a>(program: &str, words: &[Word<'a>]) -> Vec<Inside<'a>> {
    let Some(wrapper) = BY_NAME.get(program) else { return Vec::new() };
    let mut through = wrapper.through;
    let mut operands = wrapper.operands;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.value.as_ref();
        if program == "env" && matches!(text, "-S" | "--split-string") {
            return scripts(
                words[at + 1..].iter().take(1).map(|word| word.value.to_string()).collect(),
                words,
            );
        }
        if program == "env" && (text.starts_with("-S") || text.starts_with("--split-string=")) {
            let script = text.trim_start_matches("--split-string=").trim_start_matches("-S");
            return scripts(vec![script.to_owned()], words);
        }
        if program == "flock" && text == "-c" {
            return scripts(after_option(words, "-c"), words);
        }
        let is_assignment = program == "env" && text.contains('=') && !text.starts_with('-');
        let is_option = text.starts_with('-') && text.len() > 1;
        if !word.is_plain() {
            through = Through::Forbidding;
        }
        if is_option {
            through = through.max_strict(option_through(program, text));
            if text == "--" {
                at += 1;
                break;
            }
            at += if wrapper.valued.contains(&text) { 2 } else { 1 };
        } else if is_assignment {
            at += 1;
        } else if operands > 0 {
            operands -= 1;
            at += 1;
        } else {
            break;
        }
    }
    match words.get(at..) {
        Some(inner) if !inner.is_empty() => {
            let mut found = vec![Inside::Words(inner.to_vec(), through)];
            // These take one word with a whole command line in it.
            if matches!(program, "watch" | "parallel") {
                found.push(Inside::Scripts(vec![joined(inner)]));
            }
            found
        }
        _ => Vec::new(),
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
        "stdbuf" => option.len() > 2 && matches!(&option[..2], "-i" | "-o" | "-e"),
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
