//! What a rule with a prefix or a wildcard covers of well-known programs.
//!
//! Such a rule fixes the first words of a command. Of a program in these tables, the words after them must be
//! options that are listed, or operands that name tests, targets or files in the working directories: an option
//! that is not listed may make the program run another one, read another configuration or write elsewhere. An
//! option counts in the spelling that is listed and in no other, so that an abbreviation never covers more than
//! the whole name. Of a program that is not in the tables nothing is known, and the rule is taken literally.

mod archive;
mod build;
mod javascript;
mod language;
mod program;
mod remote;
mod script;
mod service;
mod text;

use program::{KnownProgram, OperandKind, PROGRAMS, Style, command, program};

/// Whether a program is in the tables.
pub(crate) fn knows(program: &str) -> bool {
    PROGRAMS.contains_key(program)
}

const UNLISTED: &str = "an option is not among those that a rule with a prefix or a wildcard covers";
const LEAVES: &str = "it names a path outside the working directories or in a protected place";
const OTHERS: &str = "this subcommand runs other programs or changes what later ones do";
const OPERAND: &str = "an operand is not of the kind that a rule with a prefix or a wildcard covers";

/// Why a rule that fixes the first `fixed` of these words does not cover the rest, if it doesn't. `leaves`:
/// whether a word names a path outside the working directories.
pub(crate) fn excess(
    program: &str,
    values: &[&str],
    fixed: usize,
    leaves: &dyn Fn(&str) -> bool,
) -> Option<&'static str> {
    let (program, skipped) = inner(program, values, fixed);
    let compiled = PROGRAMS.get(program)?;
    let values = &values[skipped..];
    let fixed = fixed.saturating_sub(skipped);
    let mut at = 0;
    if compiled.has_commands {
        while let Some(word) = values.get(at) {
            if program == "cargo" && word.starts_with('+') {
                if at >= fixed && !is_toolchain(word) {
                    return Some(UNLISTED);
                }
            } else if !is_option(word) {
                break;
            } else {
                match compiled.reads(&compiled.before, word) {
                    Some(read) => at += usize::from(read.takes_next),
                    None if at < fixed => {}
                    None => return Some(UNLISTED),
                }
            }
            at += 1;
        }
    }
    if compiled.has_commands && at >= values.len() {
        return None;
    }
    let (command, length) = compiled.command(&values[at.min(values.len())..]);
    let (command, known) = command?;
    // A path in the place of a subcommand is a script.
    let is_script =
        matches!(program, "cargo" | "pnpm") && values[at..].first().is_some_and(|word| word.contains('/'));
    if is_script && at >= fixed {
        return Some(OTHERS);
    }
    let name = values.get(at).copied().unwrap_or_default();
    if command.operands == OperandKind::Never {
        return (at + length > fixed).then_some(OTHERS);
    }
    let options = &compiled.options[known];
    at += length;
    let mut operands = 0;
    let check = |word: &str| operand(command.operands, word, leaves);
    while let Some(word) = values.get(at) {
        let is_fixed = at < fixed;
        let bundle = compiled.style == Style::Bundle && at == 0 && !word.starts_with('-');
        if *word == "--" {
            // What follows is for another program: the one that builds, or git.
            if matches!(program, "cmake" | "gh") && !is_fixed {
                return Some(UNLISTED);
            }
            let rest = &values[at + 1..];
            let free = rest.iter().skip(fixed.saturating_sub(at + 1));
            if program == "cargo" && !language::takes(name, free.clone().copied(), leaves) {
                return Some(UNLISTED);
            }
            return free.take_while(|_| !command.hands_over).find_map(|word| check(word));
        }
        let is_format = program == "date" && word.starts_with('+');
        if is_option(word) && !is_format || bundle {
            let dashed = if bundle { format!("-{word}") } else { String::new() };
            match compiled.reads(options, if bundle { &dashed } else { word }) {
                Some(read) => {
                    let next = values.get(at + 1).filter(|_| read.takes_next).copied();
                    let is_file = command.operands != OperandKind::Names;
                    // Of `-o=x` some programs take `=x` for the value, and others `x`.
                    let bare = read.attached.and_then(|value| value.strip_prefix('='));
                    for value in read.attached.into_iter().chain(bare).chain(next).filter(|_| !is_fixed) {
                        if is_file && leaves(value) {
                            return Some(LEAVES);
                        }
                        // Many programs read a word with a dash as an option wherever it is.
                        let is_dashed = next == Some(value) && is_option(value);
                        if is_dashed || bare != Some(value) && !is_plain_value(program, read.name, value) {
                            return Some(UNLISTED);
                        }
                    }
                    at += usize::from(read.takes_next);
                }
                None if is_fixed => {}
                None => return Some(UNLISTED),
            }
        } else {
            operands += 1;
            if !is_fixed && let Some(reason) = check(word) {
                return Some(reason);
            }
            if operands == command.hands_over_after {
                return None;
            }
        }
        at += 1;
    }
    None
}

/// Whether a value of a listed option does no more than the option is listed for. Letters of clusters have no dash.
fn is_plain_value(program: &str, option: &str, value: &str) -> bool {
    match (program, option.trim_start_matches('-')) {
        ("docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose", "f" | "file")
        | ("kubectl" | "oc", "f" | "filename") => is_below(value),
        ("cmake", "S") => value == ".",
        // A description of a target names the linker.
        ("cargo", _) => !value.ends_with(".json"),
        ("pytest" | "py.test", "cov-report") => !value.contains(':'),
        // Plugins are only turned off, and categories of warnings are imported.
        ("pytest" | "py.test", "p") => value.starts_with("no:"),
        ("pytest" | "py.test", "W") => !value.contains('.'),
        ("rspec" | "rubocop" | "standardrb", "f" | "format") => script::is_own_formatter(value),
        ("gh", "F" | "field") => !value.contains("=@"),
        ("eslint", "f" | "format") => matches!(value, "stylish" | "json" | "html" | "json-with-metadata"),
        ("vitest", "reporter") => javascript::is_reporter(value),
        ("tsc", "p" | "project") => value == "." || value.starts_with("tsconfig") && !value.contains('/'),
        ("tar" | "bsdtar" | "gtar", _) => archive::is_local(value),
        ("ssh" | "scp" | "sftp", "o") => remote::is_plain_setting(value),
        ("kubectl" | "oc", "o" | "output") => !value.contains("file"),
        _ => true,
    }
}

/// Whether a value names something below the working directory, as far as the text shows.
fn is_below(value: &str) -> bool {
    !value.starts_with(['/', '~', '-', '$'])
        && !value.contains("://")
        && value.split('/').all(|part| part != "..")
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with(['-', '+']) && word != "--"
}

/// A toolchain by one of its channels; a path or another name may be any compiler.
fn is_toolchain(word: &str) -> bool {
    let channel = &word[1..];
    let numbered = |text: &str| text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    ["stable", "beta", "nightly", ""].iter().any(|name| channel.strip_prefix(name).is_some_and(numbered))
}

/// The program that a rule names behind one that only runs it, and how many words come before its own.
fn inner<'v>(program: &'v str, values: &[&'v str], fixed: usize) -> (&'v str, usize) {
    let named = |at: usize| values.get(at).filter(|name| at < fixed && !name.starts_with('-')).copied();
    let unversioned = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let found = match (unversioned, values.first().copied()) {
        ("python", Some("-m")) => named(1).map(|name| (name, 2)),
        ("npx" | "bunx" | "pnpx" | "uvx", _) => named(0).map(|name| (name, 1)),
        ("uv" | "poetry" | "pipenv" | "pdm" | "hatch" | "rye", Some("run")) => named(1).map(|name| (name, 2)),
        ("bundle" | "pnpm" | "yarn" | "npm", Some("exec")) => named(1).map(|name| (name, 2)),
        ("yarn" | "pnpm", Some(_)) => named(0).filter(|name| javascript::is_tool(name)).map(|name| (name, 1)),
        _ => None,
    };
    found.unwrap_or((program, 0))
}

fn operand(kind: OperandKind, word: &str, leaves: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    match kind {
        OperandKind::Names | OperandKind::Never => None,
        OperandKind::Files if word.starts_with('@') => Some(OPERAND),
        OperandKind::Local if is_elsewhere(word) => Some(OPERAND),
        OperandKind::Scripts if javascript::is_on_machine(word) => Some(OTHERS),
        OperandKind::Copied if is_in_container(word) => None,
        OperandKind::Files
        | OperandKind::Packages
        | OperandKind::Local
        | OperandKind::Scripts
        | OperandKind::Copied => leaves(word).then_some(LEAVES),
        OperandKind::Tasks => match word.split_once('=') {
            _ if leaves(word) => Some(LEAVES),
            Some((name, _)) => (!script::is_task_variable(name)).then_some(OPERAND),
            None => None,
        },
        OperandKind::Words => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
            (!word.chars().all(plain)).then_some(OPERAND)
        }
        OperandKind::Targets => match word.split_once('=') {
            _ if leaves(word) => Some(LEAVES),
            Some((name, value)) => (!build::is_plain_variable(name, value)).then_some(OPERAND),
            None if build::is_plain_goal(word) => None,
            None => word.contains(['$', ':', '!']).then_some(OPERAND),
        },
        OperandKind::Addresses => (!remote::is_address(word)).then_some(OPERAND),
    }
}

/// Whether a word names a package of another machine or of a registry.
fn is_elsewhere(word: &str) -> bool {
    word.contains('@')
        || word.contains("://")
        || ["npm:", "jsr:"].iter().any(|scheme| word.starts_with(scheme))
}

fn is_in_container(word: &str) -> bool {
    word.split_once(':').is_some_and(|(name, _)| !name.is_empty() && !name.contains(['/', '.', '~']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(rule: &str, text: &str) -> bool {
        let words: Vec<&str> = text.split(' ').collect();
        let fixed = rule.split(' ').count() - 1;
        let leaves = |word: &str| word.starts_with(['/', '~']) || word.split('/').any(|part| part == "..");
        excess(words[0], &words[1..], fixed, &leaves).is_none()
    }

    #[test]
    fn every_option_is_written_well() {
        for (name, compiled) in &*PROGRAMS {
            for options in compiled.options.iter().chain([&compiled.before]) {
                for option in options.keys() {
                    assert!(option.starts_with('-') && option.len() > 1, "{name}: {option}");
                    assert!(!option.contains(['=', '?']), "{name}: {option}");
                }
            }
        }
    }

    #[test]
    fn words_of_the_rule_are_covered_and_the_rest_is_listed() {
        assert!(covers("npm run test", "npm run test -- --watch=false path"));
        assert!(!covers("npm run test", "npm run test -script-shell=./x"));
        assert!(!covers("npm run test", "npm run test ---prefix=x"));
        assert!(covers("make -C sub", "make -C sub test -j4"));
        assert!(!covers("make", "make -C sub"));
        assert!(!covers("make", "make -sC sub"));
        assert!(!covers("make", "make --eval=x"));
        assert!(covers("cargo test", "cargo test -p foo --lib name -- --nocapture"));
        assert!(!covers("cargo test", "cargo test --manifest-path x/Cargo.toml"));
        assert!(!covers("cargo", "cargo +./toolchain test"));
        assert!(covers("cargo", "cargo +nightly-2024-01-01 test"));
        assert!(covers("go test", "go test ./... -run X -v -count=1"));
        assert!(!covers("go test", "go test --exec=./x ./..."));
        assert!(covers("python3 -m pytest", "python3 -m pytest -k x -q tests/"));
        assert!(!covers("python3 -m pytest", "python3 -m pytest -c x.ini"));
        assert!(covers("ssh", "ssh -p 22 host uptime -o"));
        assert!(!covers("ssh", "ssh host -oProxyCommand=x"));
        assert!(covers("some-tool", "some-tool --anything"));
        assert!(covers("tar", "tar xzf a.tgz"));
        assert!(!covers("tar", "tar xIf x a.tgz"));
    }
}
