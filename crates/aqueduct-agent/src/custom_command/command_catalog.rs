//! The custom commands of a session.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::command_index::{CommandFolder, CommandIndex};
use super::read::{CommandOrigin, CustomCommand, CustomCommandKind};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::plugin::Plugin;
use crate::project_folders::{FOLDER, project_folders};
use crate::provision::Provision;
use aqueduct_os::mutex::lock;

/// How much of a description the model sees, in characters.
const LISTED_DESCRIPTION: usize = 300;
/// How much is listed for the model altogether, in bytes.
const LISTED: usize = 16 * 1024;

/// The kinds, in descending order of precedence.
const KINDS: [CustomCommandKind; 2] = [CustomCommandKind::Skill, CustomCommandKind::Command];

/// Which custom commands are in effect.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CatalogSources {
    /// The user's.
    pub(crate) user: bool,
    /// The project's.
    pub(crate) project: bool,
}

/// The custom commands of a session.
#[derive(Debug, Default)]
pub(crate) struct CommandCatalog {
    /// The working directory.
    cwd: PathBuf,
    sources: CatalogSources,
    folders: Mutex<Vec<CommandFolder>>,
    /// There are folders that have not been read yet.
    has_grown: AtomicBool,
    command_index: Mutex<CommandIndex>,
    /// The skills that the host allows the model; all of them if the host sets no list.
    chosen: Mutex<Option<Vec<String>>>,
}

impl CommandCatalog {
    /// The custom commands in effect. The project's come first, so that they override the user's of the same name;
    /// skills override commands.
    pub(crate) fn read(
        environment: &Environment,
        sources: CatalogSources,
        directories: &[PathBuf],
        plugins: &[Plugin],
    ) -> Self {
        let mut folders = Vec::new();
        let mut add = |counts: bool, base: &Path, kind: CustomCommandKind, origin: CommandOrigin| {
            if counts {
                folders.push(folder_of(base, kind, origin));
            }
        };
        let project = project_folders(environment, directories);
        for kind in KINDS {
            project.iter().for_each(|folder| add(sources.project, folder, kind, CommandOrigin::Project));
            add(sources.user, &environment.config, kind, CommandOrigin::User);
        }
        add(
            sources.user,
            &environment.home.join(".config/claude"),
            CustomCommandKind::Skill,
            CommandOrigin::User,
        );
        for plugin in plugins {
            for (name, kind) in
                [("skills", CustomCommandKind::Skill), ("commands", CustomCommandKind::Command)]
            {
                let (path, plugin) = (plugin.path.join(name), Some(plugin.clone()));
                folders.push(CommandFolder {
                    path,
                    kind,
                    origin: CommandOrigin::Plugin,
                    plugin,
                    is_text: false,
                });
            }
        }
        let command_index = Mutex::new(CommandIndex::read(&folders));
        CommandCatalog {
            cwd: environment.cwd.clone(),
            sources,
            folders: Mutex::new(folders),
            command_index,
            ..CommandCatalog::default()
        }
    }

    /// Records that a file is in use: the skills of the folders between it and the working directory are in effect
    /// from now on. If `is_held` is set, commands run in the sandbox and can write to these folders, so the skills
    /// there are text only.
    pub(crate) fn visit(&self, file: &Path, is_held: bool) {
        let between = file.ancestors().skip(1).take_while(|folder| *folder != self.cwd);
        if file.starts_with(&self.cwd) && self.sources.project {
            self.grow(
                between.map(|folder| (folder.join(FOLDER).join("skills"), CustomCommandKind::Skill)),
                is_held,
            );
        }
    }

    /// Takes a further directory in, with its skills and commands.
    pub(crate) fn add_directory(&self, directory: &Path) {
        let kinds = [("skills", CustomCommandKind::Skill), ("commands", CustomCommandKind::Command)];
        if self.sources.project {
            self.grow(kinds.map(|(name, kind)| (directory.join(FOLDER).join(name), kind)), false);
        }
    }

    fn grow(&self, more: impl IntoIterator<Item = (PathBuf, CustomCommandKind)>, is_text: bool) {
        let mut folders = lock(&self.folders);
        for (path, kind) in more {
            if !path.is_dir() {
                continue;
            }
            let has_grown = match folders.iter_mut().find(|known| known.path == path) {
                // Once a command could write to a folder, the skills there stay text only.
                Some(known) if is_text && !known.is_text => {
                    known.is_text = true;
                    true
                }
                Some(_) => false,
                None => {
                    folders.push(CommandFolder {
                        path,
                        kind,
                        origin: CommandOrigin::Project,
                        plugin: None,
                        is_text,
                    });
                    true
                }
            };
            if has_grown {
                self.has_grown.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Returns whether there are folders that have not been read yet, and resets the flag.
    pub(crate) fn has_grown(&self) -> bool {
        self.has_grown.swap(false, Ordering::Relaxed)
    }

    /// Reads the folders again if something has changed there; whether it has, and what is wrong now that was
    /// not before.
    pub(crate) fn refresh(&self) -> Option<Vec<Diagnostic>> {
        let folders = lock(&self.folders).clone();
        let mut command_index = lock(&self.command_index);
        if !command_index.is_outdated(&folders) {
            return None;
        }
        let before = std::mem::replace(&mut *command_index, CommandIndex::read(&folders));
        Some(
            command_index
                .diagnostics
                .iter()
                .filter(|diagnostic| !before.diagnostics.contains(diagnostic))
                .cloned()
                .collect(),
        )
    }

    /// All custom commands, by name.
    pub(crate) fn custom_commands(&self) -> Vec<CustomCommand> {
        lock(&self.command_index).custom_commands.clone()
    }

    /// The custom command of this name.
    pub(crate) fn find(&self, name: &str) -> Option<CustomCommand> {
        lock(&self.command_index).called(name).cloned()
    }

    /// What is wrong with files.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        lock(&self.command_index).diagnostics.clone()
    }

    /// Sets the skills that the host allows the model.
    pub(crate) fn choose(&self, names: Vec<String>) {
        *lock(&self.chosen) = Some(names);
    }

    /// The custom commands that the model may call.
    pub(crate) fn for_model(&self) -> Vec<CustomCommand> {
        let chosen = lock(&self.chosen).clone();
        let is_chosen = |custom_command: &CustomCommand| {
            chosen
                .as_ref()
                .is_none_or(|names| names.iter().any(|name| custom_command.is_called(name) || name == "all"))
        };
        let command_index = lock(&self.command_index);
        let offered =
            |custom_command: &&CustomCommand| custom_command.is_for_model && is_chosen(custom_command);
        command_index.custom_commands.iter().filter(offered).cloned().collect()
    }

    /// The list for the model: names and descriptions only.
    pub(crate) fn listing(&self) -> Option<String> {
        let custom_commands = self.for_model();
        if custom_commands.is_empty() {
            return None;
        }
        let mut text = String::from(
            "# Skills\n\nThese skills are available. If one matches the task, call the Skill tool with its name before you \
             do anything else; the result has the instructions to follow. Do not call a skill that is not listed.\n",
        );
        for custom_command in custom_commands {
            let description: String = custom_command.description.chars().take(LISTED_DESCRIPTION).collect();
            let other = custom_command.alias.as_ref().map(|alias| format!(" ({alias})")).unwrap_or_default();
            let line = format!("\n- {}{other}: {}", custom_command.name, description.replace('\n', " "));
            // Better a name alone than nothing.
            text.push_str(if text.len() + line.len() > LISTED {
                line.split(": ").next().unwrap_or(&line)
            } else {
                &line
            });
        }
        Some(text)
    }
}

/// What the commands and skills of the project provide, and what is wrong with them.
pub(crate) fn provided(environment: &Environment) -> (Vec<Provision>, Vec<Diagnostic>) {
    let project = project_folders(environment, &[]);
    let folders = KINDS.iter().flat_map(|kind| {
        project.iter().map(|folder| folder_of(folder, *kind, CommandOrigin::Project)).collect::<Vec<_>>()
    });
    let command_index = CommandIndex::read(&folders.collect::<Vec<_>>());
    (
        command_index.custom_commands.iter().flat_map(CustomCommand::provisions).collect(),
        command_index.diagnostics,
    )
}

fn folder_of(base: &Path, kind: CustomCommandKind, origin: CommandOrigin) -> CommandFolder {
    let name = if kind == CustomCommandKind::Skill { "skills" } else { "commands" };
    CommandFolder { path: base.join(name), kind, origin, plugin: None, is_text: false }
}
