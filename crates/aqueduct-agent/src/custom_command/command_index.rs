//! All custom commands, found in their folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::read::{CommandOrigin, CustomCommand, CustomCommandKind};
use crate::command;
use crate::diagnostic::Diagnostic;
use crate::front_matter::{FrontMatter, read_file};
use crate::plugin::Plugin;

/// How many files are looked at.
const FILES_LIMIT: usize = 1000;
/// How deep folders of commands may be nested.
const DEPTH_LIMIT: usize = 8;

/// The file that makes a folder a skill.
const SKILL_FILE: &str = "SKILL.md";

/// A folder of custom commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandFolder {
    /// Where it is, if it is there.
    pub(super) path: PathBuf,
    pub(super) kind: CustomCommandKind,
    pub(super) origin: CommandOrigin,
    /// The plugin whose it is.
    pub(super) plugin: Option<Plugin>,
    /// Its custom commands are text only and grant no permissions: a command in the sandbox may have written them.
    pub(super) is_text: bool,
}

/// A file with a custom command: the name that its path gives it, and how a change of it is detected.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CommandFile {
    kind: CustomCommandKind,
    origin: CommandOrigin,
    plugin: Option<Plugin>,
    is_text: bool,
    name: String,
    path: PathBuf,
    modified: Option<SystemTime>,
    size: u64,
}

/// What was found in folders.
#[derive(Debug, Default, PartialEq, Eq)]
struct FoundCommands {
    found: Vec<CommandFile>,
    /// Files that look like a custom command but are not, and why.
    strays: Vec<(PathBuf, &'static str)>,
}

/// All custom commands.
#[derive(Debug, Default)]
pub(crate) struct CommandIndex {
    looked: FoundCommands,
    /// The custom commands, by name.
    pub(super) custom_commands: Vec<CustomCommand>,
    /// What is wrong with files, each with its place.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl CommandIndex {
    /// Reads the folders. Of two custom commands with the same name the first one is used.
    pub(super) fn read(folders: &[CommandFolder]) -> Self {
        let mut command_index = CommandIndex { looked: look(folders), ..CommandIndex::default() };
        for (path, what) in &command_index.looked.strays {
            command_index.diagnostics.push(Diagnostic::problem(*what).in_file(path).at_line(1));
        }
        for found in &command_index.looked.found {
            let plugin = found.plugin.as_ref().map(|plugin| plugin.path.as_path());
            let (custom_command, diagnostics) =
                CustomCommand::read(found.kind, found.origin, found.name.clone(), &found.path, plugin);
            command_index.diagnostics.extend(diagnostics);
            let Some(mut custom_command) = custom_command else { continue };
            if let Some(plugin) = &found.plugin {
                custom_command.name = plugin.named(&custom_command.name);
                custom_command.alias = custom_command.alias.map(|alias| plugin.named(&alias));
                custom_command.plugin = Some(plugin.clone());
            }
            let wrong = |what: Diagnostic| what.in_file(&found.path).at_line(1);
            if found.is_text && !(custom_command.hooks.is_empty() && custom_command.allowed_tools.is_empty())
            {
                custom_command.hooks.clear();
                custom_command.allowed_tools.clear();
                let what = "its hooks and allowed-tools don't count: a command in the sandbox could have written them";
                command_index.diagnostics.push(wrong(what.into()));
            }
            if command::is_built_in(&custom_command.name) {
                let what = Diagnostic::problem("the built-in command of the same name is used")
                    .clause("rename the file");
                command_index.diagnostics.push(wrong(what));
                continue;
            }
            match command_index.custom_commands.iter().find(|known| known.name == custom_command.name) {
                // The one of the project takes precedence over the user's, by design.
                Some(known) if known.origin != custom_command.origin => (),
                Some(known) => {
                    let what = format!("{} has the same name and is used", known.path.display());
                    command_index.diagnostics.push(wrong(what.into()));
                }
                None => {
                    if let Some(known) =
                        custom_command.alias.as_deref().and_then(|alias| command_index.called(alias))
                    {
                        let what = format!("{} has the same name and is used", known.path.display());
                        let line =
                            read_file(&found.path).map_or(1, |text| FrontMatter::read(&text).line("name"));
                        let diagnostic = Diagnostic::problem(what).in_file(&found.path).at_line(line);
                        command_index.diagnostics.push(diagnostic);
                    }
                    command_index.custom_commands.push(custom_command);
                }
            }
        }
        if command_index.looked.found.len() == FILES_LIMIT {
            let what = Diagnostic::problem(format!("there are more than {FILES_LIMIT} commands and skills"));
            command_index.diagnostics.push(what.clause("the others are left out"));
        }
        command_index.custom_commands.sort_by(|one, other| one.name.cmp(&other.name));
        command_index
    }

    /// The custom command with a name: the one from its path, or the one in its front matter.
    pub(super) fn called(&self, name: &str) -> Option<&CustomCommand> {
        let named = self.custom_commands.iter().find(|custom_command| custom_command.name == name);
        named.or_else(|| self.custom_commands.iter().find(|custom_command| custom_command.is_called(name)))
    }

    /// Whether files have come, gone or changed since.
    pub(super) fn is_outdated(&self, folders: &[CommandFolder]) -> bool {
        look(folders) != self.looked
    }
}

/// The files with custom commands, as they are now.
fn look(folders: &[CommandFolder]) -> FoundCommands {
    let mut looked = FoundCommands::default();
    for folder in folders {
        if folder.path.exists() && !folder.path.is_dir() {
            looked.stray(&folder.path, "this must be a folder");
            continue;
        }
        match folder.kind {
            CustomCommandKind::Command => looked.add_commands(folder, &folder.path, &[]),
            CustomCommandKind::Skill => looked.add_skills(folder),
        }
    }
    looked
}

impl FoundCommands {
    /// Adds the commands of a folder and of those in it, which are part of their names.
    fn add_commands(&mut self, folder: &CommandFolder, path: &Path, above: &[&str]) {
        if above.len() > DEPTH_LIMIT {
            return;
        }
        for path in entries(path) {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            // Links to folders are left alone: they can lead in circles.
            if path.is_dir() && !path.is_symlink() {
                self.add_commands(folder, &path, &[above, &[name]].concat());
            } else if let Some(stem) = name.strip_suffix(".md").filter(|_| !name.starts_with('.')) {
                match is_callable(stem) {
                    true => self.add(folder, [above, &[stem]].concat().join(":"), &path),
                    false => self.stray(&path, "the name of a command must not contain spaces"),
                }
            }
        }
    }

    /// Adds the skills of a folder: every folder in it that has a `SKILL.md`.
    fn add_skills(&mut self, folder: &CommandFolder) {
        for path in entries(&folder.path) {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if name.starts_with('.') {
                continue;
            }
            let file = path.join(SKILL_FILE);
            if path.is_symlink() && !path.exists() {
                self.stray(&path, "it is a link that leads nowhere");
            } else if path.is_file() {
                if name.ends_with(".md") {
                    self.stray(&path, "a skill is a folder with a SKILL.md");
                }
            } else if fs::symlink_metadata(&file).is_err() {
                self.stray(&file, "it is not there; every skill has one");
            } else if !is_callable(name) {
                self.stray(&file, "the name of a skill's folder must not contain spaces");
            } else {
                self.add(folder, name.to_owned(), &file);
            }
        }
    }

    fn add(&mut self, folder: &CommandFolder, name: String, path: &Path) {
        let about = fs::metadata(path).ok();
        if self.found.len() < FILES_LIMIT {
            self.found.push(CommandFile {
                kind: folder.kind,
                origin: folder.origin,
                plugin: folder.plugin.clone(),
                is_text: folder.is_text,
                name,
                path: path.to_owned(),
                modified: about.as_ref().and_then(|about| about.modified().ok()),
                size: about.map_or(0, |about| about.len()),
            });
        }
    }

    fn stray(&mut self, path: &Path, what: &'static str) {
        if self.strays.len() < FILES_LIMIT {
            self.strays.push((path.to_owned(), what));
        }
    }
}

/// What is in a folder, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Whether something of this name can be called at all.
fn is_callable(name: &str) -> bool {
    !name.is_empty() && !name.contains(char::is_whitespace)
}
