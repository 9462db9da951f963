//! Which rule, if any, is wise to offer for a command.

use super::danger;
use crate::program_name::base_name;
use crate::rule::Rule;

/// Commands of a program whose siblings, with other arguments, do the same kind of thing and undo nothing.
/// `git push` is not among them for the sake of `--force`, nor `kubectl get` for the sake of secrets.
const SIBLINGS: [(&str, &str); 8] = [
    ("git", "add commit diff fetch log show status"),
    ("npm", "run test ls outdated view"),
    ("pnpm", "run test ls outdated"),
    ("cargo", "build check clippy test fmt doc tree metadata"),
    ("docker", "ps images logs"),
    ("podman", "ps images logs"),
    ("kubectl", "logs top"),
    ("dotnet", "build test restore"),
];

/// Programs that only remove: accepting edits is not offered for their sake.
const REMOVERS: [&str; 4] = ["rm", "rmdir", "unlink", "shred"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SuggestionScope {
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
        (SuggestionScope::Siblings, [program, sub, ..]) => {
            Some(Rule::with_content("Bash", format!("{program} {sub} *")))
        }
        (SuggestionScope::Nothing, _) => None,
        _ => exact(text),
    }
}

/// Whether a command does nothing but remove.
pub(super) fn removes(words: &[String]) -> bool {
    words.first().is_some_and(|program| REMOVERS.contains(&base_name(program)))
}

fn offer(program: &str, rest: &[String]) -> SuggestionScope {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-/~@".contains(c);
    let name = base_name(program);
    if let Some(inner) = run_by(program, rest) {
        // The exact text alone: siblings would be those of the program around it.
        return match inner {
            [program, rest @ ..] if offer(program, rest) != SuggestionScope::Nothing => {
                SuggestionScope::Exact
            }
            _ => SuggestionScope::Nothing,
        };
    }
    if program == "export" && !rest.is_empty() && rest.iter().all(|word| sets_plainly(word)) {
        return SuggestionScope::Exact;
    }
    // A quoted or escaped name may be any other name.
    if !program.chars().all(plain) || danger::is_program(name) || danger::is_command(name, rest) {
        return SuggestionScope::Nothing;
    }
    let sub = rest.first().map_or("", String::as_str);
    let rewrites = name == "git" && rest.iter().any(|word| word.starts_with("--am"));
    let has_siblings = !sub.is_empty() && danger::lists(danger::row(&SIBLINGS, name), sub);
    if has_siblings && !rewrites && !program.contains('/') {
        SuggestionScope::Siblings
    } else {
        SuggestionScope::Exact
    }
}

/// The command that a program runs as it is, where the program does nothing but measure or limit it.
fn run_by<'w>(program: &str, rest: &'w [String]) -> Option<&'w [String]> {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = |word: &str| is_number(word.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(word));
    match (program, rest) {
        ("timeout", [time, inner @ ..]) if is_time(time) => Some(inner),
        ("nice", [option, amount, inner @ ..]) if option == "-n" && is_number(amount) => Some(inner),
        ("time" | "nice" | "nohup", [first, ..]) if !first.starts_with('-') => Some(rest),
        _ => None,
    }
}

/// Whether a word of `export` sets a variable to a plain value, and the variable decides nothing about what runs.
fn sets_plainly(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-/:,@%".contains(c);
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    word.split_once('=')
        .is_some_and(|(name, value)| is_name(name) && !danger::is_loaded(name) && value.chars().all(plain))
}

/// For a command behind assignments, of which only the text is known: no word of it may be one that runs
/// anything, and no variable one that decides what runs.
fn with_assignments(text: &str) -> SuggestionScope {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let is_set = |word: &&String| word.contains('=') && !word.starts_with('-');
    let sets = words.iter().take_while(is_set).count();
    let named = |word: &String| word.split(['=', '+']).next().is_some_and(danger::is_loaded);
    if words[..sets].iter().any(named) || words.iter().any(|word| danger::is_program(base_name(word))) {
        return SuggestionScope::Nothing;
    }
    match &words[sets..] {
        [program, rest @ ..] => offer(program, rest),
        [] => SuggestionScope::Nothing,
    }
}

/// A rule for exactly this text, if a rule can express it.
fn exact(text: &str) -> Option<Rule> {
    const MOST: usize = 200;
    let sayable = !text.is_empty() && text.len() <= MOST && !text.contains(['*', '\n']);
    sayable.then(|| Rule::with_content("Bash", text))
}
