//! Wrappers: programs that run the command behind their own options.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::inside::{InnerCommand, MAX_GUESSES, guesses, joined, texts_in};
use crate::program_name::base_name;
use crate::shell::ShellWord;

/// How far a rule may look through a wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrapperReach {
    /// Running something under it changes nothing that matters: allow rules and the table of reading
    /// commands look through it.
    Everything,
    /// Allow rules look through it, the table of reading commands doesn't.
    Rules,
    /// Only deny and ask rules look through it.
    Forbidding,
}

/// Wrappers whose own options and operands come first, then the command.
struct Wrapper {
    name: &'static str,
    through: WrapperReach,
    /// Options that take the next word as their value.
    valued: &'static [&'static str],
    /// How many operands of its own come before the command.
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    through: WrapperReach,
    valued: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { name, through, valued, operands }
}

static WRAPPERS: [Wrapper; 31] = [
    wrapper("timeout", WrapperReach::Everything, &["-s", "--signal", "-k", "--kill-after"], 1),
    wrapper("command", WrapperReach::Everything, &[], 0),
    wrapper("builtin", WrapperReach::Everything, &[], 0),
    wrapper("noglob", WrapperReach::Rules, &[], 0),
    wrapper("nice", WrapperReach::Rules, &["-n", "--adjustment"], 0),
    wrapper("nohup", WrapperReach::Rules, &[], 0),
    wrapper("time", WrapperReach::Rules, &["-f", "--format", "-o", "--output"], 0),
    wrapper("stdbuf", WrapperReach::Rules, &["-i", "-o", "-e"], 0),
    wrapper("xargs", WrapperReach::Rules, &["-n", "-I", "-P", "-L", "-d", "-a", "-E", "-s"], 0),
    wrapper("env", WrapperReach::Forbidding, &["-u", "--unset", "-C", "--chdir"], 0),
    wrapper(
        "sudo",
        WrapperReach::Forbidding,
        &["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U", "-r", "-t"],
        0,
    ),
    wrapper("doas", WrapperReach::Forbidding, &["-u", "-C"], 0),
    wrapper("exec", WrapperReach::Forbidding, &["-a"], 0),
    wrapper("nocorrect", WrapperReach::Forbidding, &[], 0),
    wrapper("-", WrapperReach::Forbidding, &[], 0),
    wrapper("setsid", WrapperReach::Forbidding, &[], 0),
    wrapper("ionice", WrapperReach::Forbidding, &["-c", "-n"], 0),
    wrapper("chrt", WrapperReach::Forbidding, &[], 1),
    wrapper("taskset", WrapperReach::Forbidding, &[], 1),
    wrapper("chroot", WrapperReach::Forbidding, &[], 1),
    wrapper("flock", WrapperReach::Forbidding, &["-w", "-E"], 1),
    wrapper("watch", WrapperReach::Forbidding, &["-n", "--interval"], 0),
    wrapper("strace", WrapperReach::Forbidding, &["-e", "-o", "-p", "-s", "-u"], 0),
    wrapper("ltrace", WrapperReach::Forbidding, &["-e", "-o", "-p", "-s", "-u"], 0),
    wrapper("unbuffer", WrapperReach::Forbidding, &[], 0),
    wrapper("busybox", WrapperReach::Forbidding, &[], 0),
    wrapper("toybox", WrapperReach::Forbidding, &[], 0),
    wrapper("caffeinate", WrapperReach::Forbidding, &["-t", "-w"], 0),
    wrapper("parallel", WrapperReach::Forbidding, &["-j", "-S", "--jobs"], 0),
    wrapper("unshare", WrapperReach::Forbidding, &[], 0),
    wrapper("proot", WrapperReach::Forbidding, &[], 0),
];

static BY_NAME: LazyLock<HashMap<&str, &Wrapper>> =
    LazyLock::new(|| WRAPPERS.iter().map(|wrapper| (wrapper.name, wrapper)).collect());

/// `xargs` adds unknown words to the command it runs.
pub(super) fn xargs<'a>(words: &[ShellWord<'a>]) -> Vec<InnerCommand<'a>> {
    let mut found = wrapped("xargs", words);
    let has_options = words.first().is_some_and(|word| word.value.starts_with('-'));
    if let Some(InnerCommand::Words(_, through)) = found.first_mut()
        && has_options
    {
        *through = WrapperReach::Forbidding;
    }
    found
}

/// Whether a command changes the words of the one it runs.
pub(crate) fn feeds(words: &[ShellWord<'_>]) -> bool {
    let program = words.first().map_or("", |word| base_name(&word.value));
    matches!(program, "xargs" | "parallel" | "find" | "fd" | "fdfind")
}

/// What `xargs`, `parallel` or `find` makes of the words of a command it runs: those with a mark in them
/// are not known, and more words may follow.
pub(crate) fn fed<'a>(outer: &[ShellWord<'a>], mut words: Vec<ShellWord<'a>>) -> Vec<ShellWord<'a>> {
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
        words.push(ShellWord { splits: true, ..ShellWord::default() });
    }
    words
}

pub(super) fn wrapped<'a>(program: &str, words: &[ShellWord<'a>]) -> Vec<InnerCommand<'a>> {
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
            through = WrapperReach::Forbidding;
        }
        // What can become several words may bring the command with it.
        unseen |= word.splits && (is_option || operands > 0);
        if is_option {
            through = through.max_strict(option_through(program, text));
            if text == "--" {
                // No options follow, but operands of its own still do.
                at += 1 + operands;
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
        through = WrapperReach::Forbidding;
        at += 1;
    }
    let mut found = Vec::new();
    let inner = words.get(at..).unwrap_or_default();
    if !inner.is_empty() {
        found.push(InnerCommand::Words(inner.to_vec(), through));
        // These take one word with a whole command line in it.
        if matches!(program, "watch" | "parallel") {
            found.push(InnerCommand::Scripts(vec![joined(inner)]));
        }
    } else if matches!(program, "sudo" | "doas" | "chroot" | "unshare" | "proot" | "unbuffer") {
        // Without a command they run a shell.
        unseen = true;
    }
    if program == "flock" && words.iter().any(|word| word.value.starts_with('-')) {
        found.push(InnerCommand::Scripts(texts_in(words)));
        understood = false;
    }
    if !understood {
        found.extend(guesses(words));
    }
    if unseen {
        found.push(InnerCommand::Unseen);
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
fn option_through(program: &str, option: &str) -> WrapperReach {
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
    if known { WrapperReach::Everything } else { WrapperReach::Forbidding }
}

impl WrapperReach {
    pub(crate) fn max_strict(self, other: Self) -> Self {
        match (self, other) {
            (Self::Forbidding, _) | (_, Self::Forbidding) => Self::Forbidding,
            (Self::Rules, _) | (_, Self::Rules) => Self::Rules,
            _ => Self::Everything,
        }
    }
}
