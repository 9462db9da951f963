//! Looking through a command text: every command in it, and every command those run.

use std::borrow::Cow;

use super::inside::{self, InnerCommand};
use super::{access, git, reading, wrapper};
use crate::path;
use crate::program_name::{base_name, known_name};
use crate::shell::{self, RedirectKind, Script, ShellCommand, ShellWord, Uncertainty};

/// Wrappers around wrappers and scripts inside scripts are followed this far.
const MAX_LAYERS: usize = 8;

/// A command with more words than this is not looked into; each layer of wrappers would copy them.
const MAX_WORDS: usize = 4096;

/// No more than this much text of commands that others run is looked into, in bytes.
const MAX_INNER: usize = 1 << 17;

/// More places than this that a `cd` may lead to are not followed.
const MAX_PLACES: usize = 6;

/// A command that was found.
#[derive(Debug)]
pub(crate) struct FoundCommand<'a> {
    pub(crate) command: ShellCommand<'a>,
    /// Whether it is in the text itself, not inside another command.
    pub(crate) top: bool,
    layer: usize,
    /// Whether it is only one of several things that may run.
    guess: bool,
    /// How many of its words are its own; the rest are those of a command it runs.
    own_words: usize,
}

/// Everything that was found in a command text.
#[derive(Debug)]
pub(crate) struct CommandAnalysis<'a> {
    pub(crate) seen: Vec<FoundCommand<'a>>,
    pub(crate) uncertainties: Vec<Uncertainty>,
    /// Whether something runs that could not be seen.
    pub(crate) unseen: bool,
    /// Directories from which relative paths may be counted, the current one first.
    pub(crate) places: Vec<String>,
    /// Whether a command changes the directory for those after it.
    pub(crate) moves: bool,
    /// Whether it is not known where that leads.
    pub(crate) lost: bool,
    /// The texts of here-documents.
    pub(crate) documents: Vec<Cow<'a, str>>,
    /// How much text was found inside commands.
    inner_bytes: usize,
}

impl<'a> FoundCommand<'a> {
    fn new(top: bool, command: ShellCommand<'a>, layer: usize) -> Self {
        Self { top, layer, guess: false, own_words: command.words.len(), command }
    }
}

impl FoundCommand<'_> {
    pub(crate) fn program(&self) -> &str {
        self.command.words.first().map_or("", |word| base_name(&word.value))
    }

    pub(crate) fn values(&self) -> Vec<&str> {
        self.command.words.iter().skip(1).map(|word| word.value.as_ref()).collect()
    }

    /// The command in the forms that deny and ask rules look at: as written, with its quotes taken away,
    /// without the folder of its program, and without options of git itself.
    pub(crate) fn texts(&self) -> Vec<String> {
        let words = &self.command.words;
        let Some(first) = words.first() else { return Vec::new() };
        let plain = joined(words.iter().map(|word| word.value.as_ref()));
        let mut texts = Vec::with_capacity(2);
        if words.iter().any(|word| word.raw != word.value) {
            texts.push(joined(words.iter().map(|word| word.raw.as_ref())));
        }
        let name = known_name(&first.value);
        if name != first.value {
            texts.push(format!("{name}{}", &plain[first.value.len()..]));
        }
        let values = self.values();
        if let Some(command) = name.strip_prefix("git-") {
            texts.push(joined(["git", command].into_iter().chain(values.iter().copied())));
        } else if name == "git" {
            let (_, rest) = values.split_at(git::command_at(&values));
            texts.push(joined(std::iter::once("git").chain(rest.iter().copied())));
            // The same act by another name.
            let pushed = match rest {
                ["send-pack" | "http-push", operands @ ..] => Some(operands),
                ["subtree" | "lfs", "push", operands @ ..] => Some(operands),
                _ => None,
            };
            if let Some(operands) = pushed {
                texts.push(joined(["git", "push"].into_iter().chain(operands.iter().copied())));
            }
        }
        texts.push(plain);
        texts
    }

    /// The words that are its own, and not those of a command it runs.
    pub(crate) fn own(&self) -> &[ShellWord<'_>] {
        &self.command.words[..self.own_words]
    }

    pub(crate) fn is_certain(&self) -> bool {
        self.command.words.iter().all(|word| word.known && !word.glob)
    }
}

pub(crate) fn joined<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut text = String::with_capacity(64);
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// Finds every command in a text and every command that those are seen to run.
pub(crate) fn look<'a>(text: &'a str, cwd: &str, home: Option<&'a str>) -> CommandAnalysis<'a> {
    let mut script = shell::parse(text, home);
    let commands = std::mem::take(&mut script.commands);
    let mut look = CommandAnalysis {
        unseen: script.is_incomplete()
            || script.uncertainties.contains(&Uncertainty::UnicodeSpace)
            || commands.iter().any(begins_broken)
            || reads_otherwise(text, &commands, home),
        uncertainties: script.uncertainties.clone(),
        seen: commands.into_iter().map(|command| FoundCommand::new(!command.nested, command, 0)).collect(),
        places: vec![cwd.to_owned()],
        moves: false,
        lost: false,
        documents: Vec::new(),
        inner_bytes: 0,
    };
    let mut at = 0;
    while at < look.seen.len() {
        if look.inner_bytes > MAX_INNER {
            look.unseen = true;
            break;
        }
        look.evaluated(at, home);
        look.follow(at, &script, home);
        at += 1;
    }
    look.documents = script.documents;
    look.walk(home);
    if look.lost {
        look.places.truncate(1);
    }
    look
}

impl<'a> CommandAnalysis<'a> {
    fn follow(&mut self, at: usize, script: &Script<'a>, home: Option<&'a str>) {
        let layer = self.seen[at].layer + 1;
        for inside in inside::inside(&self.seen[at].command, script) {
            if layer > MAX_LAYERS || self.seen[at].command.words.len() > MAX_WORDS {
                self.unseen = true;
                return;
            }
            match inside {
                InnerCommand::Unseen => self.unseen = true,
                // A guess already exists for every end of its words.
                InnerCommand::Words(..) | InnerCommand::Guesses(_)
                    if self.seen[at].guess && !wrapper::feeds(&self.seen[at].command.words) => {}
                InnerCommand::Words(words, _) => {
                    let all = self.seen[at].command.words.len();
                    self.seen[at].own_words = self.seen[at].own_words.min(all - words.len().min(all));
                    self.inner(at, words, layer);
                }
                InnerCommand::Guesses(all) => {
                    for words in all {
                        self.inner(at, words, layer);
                        if let Some(seen) = self.seen.last_mut() {
                            seen.guess = true;
                        }
                    }
                }
                InnerCommand::Scripts(texts) => texts.iter().for_each(|text| self.script(text, layer, home)),
            }
        }
    }

    fn inner(&mut self, at: usize, words: Vec<ShellWord<'a>>, layer: usize) {
        // The wrapper's input is the input of what it runs.
        let outer = &self.seen[at].command;
        let (redirects, piped) = (outer.redirects.clone(), outer.piped);
        let words = wrapper::fed(&outer.words, words);
        self.inner_bytes += words.iter().map(|word| word.value.len() + 8).sum::<usize>();
        let command = ShellCommand { words, redirects, piped, nested: true, ..ShellCommand::default() };
        self.seen.push(FoundCommand::new(false, command, layer));
    }

    /// Texts that the shell expands although they are quoted: subscripts, prompts, files to start with.
    fn evaluated(&mut self, at: usize, home: Option<&str>) {
        let seen = &self.seen[at];
        let hides = |word: &ShellWord<'_>| word.value.contains("$(") || word.value.contains('`');
        let mut texts = Vec::new();
        for set in &seen.command.assignments {
            let loads = matches!(set.name.as_ref(), "BASH_ENV" | "ENV" | "PROMPT_COMMAND");
            if loads || hides(&set.value) {
                texts.push(set.value.value.to_string());
            }
        }
        let evaluates = matches!(
            seen.program(),
            "let"
                | "declare"
                | "typeset"
                | "local"
                | "export"
                | "readonly"
                | "printf"
                | "read"
                | "test"
                | "["
                | "[["
                | "unset"
                | "mapfile"
                | "readarray"
                | "wait"
                | "getopts"
        );
        let prints = seen.program() == "printf" && !seen.values().iter().any(|value| value.starts_with("-v"));
        if evaluates && !prints {
            let words = seen.command.words.iter().skip(1).filter(|word| hides(word));
            texts.extend(words.map(|word| word.value.to_string()));
            let loads = |word: &&ShellWord<'_>| {
                ["BASH_ENV=", "ENV=", "PROMPT_COMMAND="].iter().any(|name| word.value.starts_with(name))
            };
            texts.extend(seen.command.words.iter().filter(loads).map(|word| word.value.to_string()));
        }
        if seen.layer >= MAX_LAYERS {
            self.unseen |= !texts.is_empty();
            return;
        }
        let layer = seen.layer + 1;
        self.unseen |= !texts.is_empty();
        texts.iter().for_each(|text| self.script(text, layer, home));
    }

    fn script(&mut self, text: &str, layer: usize, home: Option<&str>) {
        self.inner_bytes += text.len();
        if self.inner_bytes > MAX_INNER {
            self.unseen = true;
            return;
        }
        let inner = shell::parse(text, home);
        self.unseen |= inner.is_incomplete();
        // Here-documents of inner scripts are rare enough not to be followed further.
        self.unseen |= !inner.documents.is_empty() || inner.commands.iter().any(begins_broken);
        for command in inner.commands {
            let command = ShellCommand { nested: true, ..command.into_owned(0) };
            self.seen.push(FoundCommand::new(false, command, layer));
        }
    }

    /// Follows `cd` through the text, to know where relative paths are counted from.
    fn walk(&mut self, home: Option<&str>) {
        for seen in &self.seen {
            if moves_by_option(seen.program(), &seen.values()) {
                (self.moves, self.lost) = (true, true);
            }
            if !matches!(seen.program(), "cd" | "pushd" | "popd") {
                continue;
            }
            if self.lost {
                break;
            }
            let is_option = |word: &&ShellWord<'_>| {
                word.is_plain() && word.value.len() > 1 && word.value.starts_with('-')
            };
            let target = seen.command.words.iter().skip(1).find(|word| !is_option(word));
            if target.is_some_and(|word| word.is_plain() && matches!(word.value.as_ref(), "." | "./")) {
                continue;
            }
            self.moves = true;
            let target = match target {
                Some(word) if word.known && !word.glob && word.value != "-" => word.value.to_string(),
                None => "~".to_owned(),
                Some(_) => {
                    self.lost = true;
                    continue;
                }
            };
            for place in self.places.clone() {
                match path::absolute(&target, &place, home) {
                    Some(next) if self.places.contains(&next) => {}
                    Some(next) if self.places.len() < MAX_PLACES => self.places.push(next),
                    _ => self.lost = true,
                }
            }
        }
    }

    /// The files that a command that was seen touches.
    pub(crate) fn touched_by(&self, seen: &FoundCommand<'_>, home: Option<&str>) -> Vec<access::PathAccess> {
        let places = access::PathBases { directories: &self.places, home };
        let mut found = access::accesses(&seen.command.redirects, seen.own(), places);
        // A program of which nothing is known may open what the text it is given names.
        let known =
            seen.program().is_empty() || reading::never_runs(seen.program()) || seen.program() == "git";
        for redirect in seen.command.redirects.iter().filter(|_| !known) {
            match (redirect.kind, redirect.document) {
                (RedirectKind::HereString, _) => {
                    access::paths_in_text(&mut found, &redirect.target.value, places)
                }
                (_, Some(document)) => {
                    let text = self.documents.get(document).map_or("", AsRef::as_ref);
                    access::paths_in_text(&mut found, text, places);
                }
                _ => {}
            }
        }
        found
    }

    /// The files that a command of these words touches.
    pub(crate) fn touched_by_words(
        &self,
        words: &[ShellWord<'_>],
        home: Option<&str>,
    ) -> Vec<access::PathAccess> {
        access::accesses(&[], words, access::PathBases { directories: &self.places, home })
    }
}

/// Whether a shell that takes `&>` for two operators finds other commands in the text.
fn reads_otherwise(text: &str, commands: &[ShellCommand<'_>], home: Option<&str>) -> bool {
    let named =
        |commands: &[ShellCommand<'_>]| commands.iter().filter(|command| !command.words.is_empty()).count();
    text.contains("&>") && {
        let apart = text.replace("&>", "& >");
        named(&shell::parse(&apart, home).commands) != named(commands)
    }
}

/// Whether a line ends inside the first word of a command. The shell joins the lines before it looks whether
/// that is an assignment or a word of its own.
fn begins_broken(command: &ShellCommand<'_>) -> bool {
    command.words.first().is_some_and(|word| word.raw.contains("\\\n"))
}

/// Whether an option makes a program work in another directory.
fn moves_by_option(program: &str, values: &[&str]) -> bool {
    let (letter, long): (char, &[&str]) = match program {
        "env" => ('C', &["--c"]),
        "tar" => ('C', &["--cd", "--dir"]),
        "make" | "gmake" | "ninja" => ('C', &["--dir"]),
        "sudo" => ('D', &["--chd"]),
        _ => return false,
    };
    values.iter().take_while(|value| **value != "--").any(|value| {
        let is_long = value.starts_with("--");
        long.iter().any(|name| value.starts_with(name))
            || !is_long && value.starts_with('-') && value.contains(letter)
    })
}
