//! The recipes of a session.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::library::{Folder, Library};
use super::read::{Kind, Origin, Recipe};
use crate::environment::Environment;
use crate::plugin::Plugin;

/// How much of a description the model is told, in characters.
const LISTED_DESCRIPTION: usize = 300;
/// How much is listed for the model altogether, in bytes.
const LISTED: usize = 16 * 1024;

/// Which recipes count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShelfSources {
    /// The user's.
    pub(crate) user: bool,
    /// The project's.
    pub(crate) project: bool,
}

/// The recipes of a session.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    folders: Mutex<Vec<Folder>>,
    /// Whether what lies in projects counts.
    takes_projects: bool,
    library: Mutex<Library>,
    /// The skills that the host wants the model to have; all, where it does not say.
    chosen: Mutex<Option<Vec<String>>>,
}

/// A recipe that the model has called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Launch {
    /// The recipe.
    pub(crate) recipe: Recipe,
    /// What it was called with.
    pub(crate) arguments: String,
    /// The call.
    pub(crate) tool_use_id: String,
}

impl Shelf {
    /// The recipes that count. The project's come first, so that they outdo the user's of the same name;
    /// skills outdo commands.
    pub(crate) fn read(
        environment: &Environment,
        sources: ShelfSources,
        plugins: &[Plugin],
        directories: &[PathBuf],
    ) -> Self {
        let mut folders = Vec::new();
        let mut add = |counts: bool, base: &Path, kind: Kind, origin: Origin| {
            let name = if kind == Kind::Skill { "skills" } else { "commands" };
            if counts {
                folders.push(Folder { path: base.join(name), kind, origin, plugin: None });
            }
        };
        let mut projects = environment.project_folders();
        projects.extend(directories.iter().map(|folder| folder.join(".claude")));
        for kind in [Kind::Skill, Kind::Command] {
            for project in &projects {
                add(sources.project, project, kind, Origin::Project);
            }
            add(sources.user, &environment.config, kind, Origin::User);
        }
        add(sources.user, &environment.home.join(".config/claude"), Kind::Skill, Origin::User);
        for plugin in plugins {
            for (name, kind) in [("skills", Kind::Skill), ("commands", Kind::Command)] {
                let (path, plugin) = (plugin.path.join(name), Some(plugin.clone()));
                folders.push(Folder { path, kind, origin: Origin::Plugin, plugin });
            }
        }
        let library = Mutex::new(Library::read(&folders));
        Shelf { folders: Mutex::new(folders), library, takes_projects: sources.project, ..Shelf::default() }
    }

    /// From now on what lies in a further folder counts, behind all others; whether that is new.
    pub(crate) fn take_in(&self, folder: &Path) -> bool {
        let mut folders = lock(&self.folders);
        let base = folder.join(".claude");
        let is_known = folders.iter().any(|known| known.path.starts_with(&base));
        if is_known || !self.takes_projects {
            return false;
        }
        for (name, kind) in [("skills", Kind::Skill), ("commands", Kind::Command)] {
            folders.push(Folder { path: base.join(name), kind, origin: Origin::Project, plugin: None });
        }
        true
    }

    /// Reads the folders again if something has changed there; whether it has, and what is wrong now that was
    /// not before.
    pub(crate) fn refresh(&self) -> Option<Vec<String>> {
        let folders = lock(&self.folders).clone();
        let mut library = lock(&self.library);
        if !library.is_outdated(&folders) {
            return None;
        }
        let before = std::mem::replace(&mut *library, Library::read(&folders));
        Some(library.mistakes.iter().filter(|mistake| !before.mistakes.contains(mistake)).cloned().collect())
    }

    /// All recipes, by name.
    pub(crate) fn recipes(&self) -> Vec<Recipe> {
        lock(&self.library).recipes.clone()
    }

    /// The recipe of this name.
    pub(crate) fn find(&self, name: &str) -> Option<Recipe> {
        let library = lock(&self.library);
        let named = library.recipes.iter().find(|recipe| recipe.name == name);
        let called = || library.recipes.iter().find(|recipe| recipe.alias.as_deref() == Some(name));
        named.or_else(called).cloned()
    }

    /// What is wrong with files.
    pub(crate) fn mistakes(&self) -> Vec<String> {
        lock(&self.library).mistakes.clone()
    }

    /// Takes in which skills the host wants the model to have.
    pub(crate) fn choose(&self, names: Vec<String>) {
        *lock(&self.chosen) = Some(names);
    }

    /// The recipes that the model may call.
    pub(crate) fn for_model(&self) -> Vec<Recipe> {
        let chosen = lock(&self.chosen).clone();
        let is_chosen = |recipe: &Recipe| {
            chosen.as_ref().is_none_or(|names| names.iter().any(|name| *name == recipe.name || name == "all"))
        };
        let library = lock(&self.library);
        let offered = |recipe: &&Recipe| recipe.is_for_model && is_chosen(recipe);
        library.recipes.iter().filter(offered).cloned().collect()
    }

    /// What the model is told of them: names and descriptions, and no more.
    pub(crate) fn listing(&self) -> Option<String> {
        let recipes = self.for_model();
        if recipes.is_empty() {
            return None;
        }
        let mut text = String::from(
            "# Skills\n\nThese skills are there for you. Where one fits the task, call the Skill tool with its name before \
             anything else; it tells you how to go on. Do not call one that is not listed.\n",
        );
        for recipe in recipes {
            let description: String = recipe.description.chars().take(LISTED_DESCRIPTION).collect();
            let line = format!("\n- {}: {}", recipe.name, description.replace('\n', " "));
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
