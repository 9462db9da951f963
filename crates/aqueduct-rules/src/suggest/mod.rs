//! What "always allow" could add, in the order a person would want it.

mod command;
mod danger;

use aqueduct_wire::permission::PermissionUpdate;

use crate::context::Context;
use crate::mode::Mode;
use crate::path;
use crate::rule::Rule;
use crate::source::Source;
use crate::update::{adding, allowing, entering};

/// Something that would have to be granted for a shell command to be allowed.
#[derive(Debug)]
pub(crate) enum MissingGrant {
    /// A rule for this command. The words are empty where only the exact text is worth a rule.
    Command {
        text: String,
        words: Vec<String>,
        /// Whether accepting edits would cover it.
        everyday: bool,
    },
    Read(String),
    Write {
        path: String,
        working: bool,
    },
}

/// Users do not read more needs than this, and the user who is asked should read them.
const MAX_WISHES: usize = 32;

/// For a shell command: rules that together would allow it, then directories, then the mode.
pub(crate) fn shell(context: &Context, wishes: Vec<MissingGrant>) -> Vec<PermissionUpdate<'static>> {
    if wishes.len() > MAX_WISHES {
        return Vec::new();
    }
    let mut rules: Vec<Rule> = Vec::new();
    let mut reads: Vec<Rule> = Vec::new();
    let mut directories: Vec<PermissionUpdate<'static>> = Vec::new();
    let (mut complete, mut everyday) = (true, true);
    let mut want = |rules: &mut Vec<Rule>, rule: Option<Rule>| match rule {
        Some(rule) if !rules.contains(&rule) => rules.push(rule),
        Some(_) => {}
        None => complete = false,
    };
    for wish in wishes {
        match wish {
            MissingGrant::Command { text, words, everyday: covered } => {
                everyday &= covered && !command::removes(&words);
                want(&mut rules, command::rule(&text, &words));
            }
            MissingGrant::Read(path) => {
                everyday = false;
                want(&mut reads, read_rule(context, &path));
            }
            MissingGrant::Write { path, working } => {
                want(&mut rules, edit_rule(context, &path, working));
                match folder_to_edit(context, &path) {
                    _ if working => {}
                    Some(folder) if !directories.contains(&adding(folder)) => {
                        directories.push(adding(folder));
                    }
                    Some(_) => {}
                    None => everyday = false,
                }
            }
        }
    }
    rules.extend(reads);
    let mut suggestions = Vec::new();
    if complete && !rules.is_empty() && rules.iter().all(is_sayable) {
        suggestions.push(allowing(rules, Source::LocalSettings));
    }
    if everyday {
        suggestions.extend(directories);
        if context.mode() == Mode::Default {
            suggestions.push(entering(Mode::AcceptEdits));
        }
    }
    suggestions
}

/// Whether a rule has the same meaning after it is written and read again.
fn is_sayable(rule: &Rule) -> bool {
    Rule::parse(&rule.to_string()).is_ok_and(|read| read == *rule)
}

/// A rule for a path and everything below it, if a pattern can express it.
fn path_rule(tool: &str, path: &str, end: &str) -> Option<Rule> {
    let plain = |c: char| !c.is_control() && !"*?[]{}\\!".contains(c);
    let rule = Rule::with_content(tool, format!("/{path}{end}"));
    (path.starts_with('/') && path.chars().all(plain) && is_sayable(&rule)).then_some(rule)
}

/// Whether a folder holds too much to be granted as a whole: the root and what is right below it, and
/// every home.
fn is_wide(context: &Context, folder: &str) -> bool {
    let mut names = folder.split('/').filter(|name| !name.is_empty());
    let (top, depth) = (names.next(), 1 + names.count());
    let home = matches!(top, Some("home" | "Users")) && depth <= 2;
    depth <= 1 || home || context.home().is_some_and(|home| path::is_within(home, folder))
}

/// Folders of the system, in which nothing is offered to be edited.
const SYSTEM: [&str; 22] = [
    "Applications",
    "Library",
    "System",
    "bin",
    "boot",
    "cores",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "nix",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "snap",
    "sys",
    "usr",
    "var",
];

fn is_system(context: &Context, path: &str) -> bool {
    let top = path.split('/').find(|name| !name.is_empty()).unwrap_or_default();
    let at_home = context.home().is_some_and(|home| path::is_within(path, home));
    !at_home && SYSTEM.contains(&top)
}

fn read_rule(context: &Context, path: &str) -> Option<Rule> {
    // A rule for a folder is a rule for everything in it.
    if is_wide(context, path) {
        return None;
    }
    let folder = path::parent(path);
    if is_wide(context, folder) { path_rule("Read", path, "") } else { path_rule("Read", folder, "/**") }
}

fn edit_rule(context: &Context, path: &str, working: bool) -> Option<Rule> {
    let folder = path::parent(path);
    let at_home = context.home().is_some_and(|home| path::is_within(home, folder));
    let refused = is_wide(context, path) || is_system(context, path) || at_home;
    if refused && !working { None } else { path_rule("Edit", path, "") }
}

/// The folder of a file, where it may be offered as one to work in.
fn folder_to_edit<'p>(context: &Context, path: &'p str) -> Option<&'p str> {
    let folder = path::parent(path);
    let hidden = folder.split('/').any(|name| name.starts_with('.'));
    (!hidden && !is_wide(context, folder) && !is_system(context, folder)).then_some(folder)
}

/// For reading a file outside the working directories.
pub(crate) fn read(context: &Context, path: &str) -> Vec<PermissionUpdate<'static>> {
    read_rule(context, path).into_iter().map(|rule| allowing(vec![rule], Source::Session)).collect()
}

/// For editing a file.
pub(crate) fn edit(context: &Context, path: &str, working: bool) -> Vec<PermissionUpdate<'static>> {
    let mut suggestions = Vec::new();
    let folder = folder_to_edit(context, path);
    if !working && folder.is_none() {
        return suggestions;
    }
    suggestions.extend(folder.filter(|_| !working).map(adding));
    if context.mode() == Mode::Default || context.mode() == Mode::Delegate {
        suggestions.push(entering(Mode::AcceptEdits));
    }
    suggestions
}

/// For fetching from a host.
pub(crate) fn host(host: &str) -> Vec<PermissionUpdate<'static>> {
    whole(Rule::with_content("WebFetch", format!("domain:{host}")))
}

/// For running a skill.
pub(crate) fn skill(name: &str) -> Vec<PermissionUpdate<'static>> {
    whole(Rule::with_content("Skill", name))
}

/// For a tool that is named whole.
pub(crate) fn tool(name: &str) -> Vec<PermissionUpdate<'static>> {
    whole(Rule::tool(name))
}

fn whole(rule: Rule) -> Vec<PermissionUpdate<'static>> {
    if is_sayable(&rule) { vec![allowing(vec![rule], Source::LocalSettings)] } else { Vec::new() }
}
