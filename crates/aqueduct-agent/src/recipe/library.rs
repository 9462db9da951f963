//! All recipes there are, found in their folders.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::read::{Kind, Origin, Recipe};
use crate::command;
use crate::plugin::Plugin;

/// How many files are looked at.
const FILES_LIMIT: usize = 1000;
/// How deep folders of commands may lie in one another.
const DEPTH_LIMIT: usize = 8;

/// A folder of recipes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder {
    /// Where it is, if it is there.
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    pub(super) origin: Origin,
    /// The plugin whose it is.
    pub(super) plugin: Option<Plugin>,
}

/// A file with a recipe: what it is called by its place, and by what a change of it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    kind: Kind,
    origin: Origin,
    plugin: Option<Plugin>,
    name: String,
    path: PathBuf,
    modified: Option<SystemTime>,
    size: u64,
}

/// All recipes there are.
#[derive(Debug, Default)]
pub(crate) struct Library {
    found: Vec<Found>,
    /// The recipes, by name.
    pub(super) recipes: Vec<Recipe>,
    /// What is wrong with files, each with its place.
    pub(super) mistakes: Vec<String>,
}

impl Library {
    /// Reads what is in folders. Of two recipes with the same name the first one counts.
    pub(super) fn read(folders: &[Folder]) -> Self {
        let mut library = Library { found: look(folders), ..Library::default() };
        let mut names = HashSet::new();
        for found in &library.found {
            let (recipe, mistakes) = {
                let plugin = found.plugin.as_ref().map(|plugin| plugin.path.as_path());
                Recipe::read(found.kind, found.origin, found.name.clone(), &found.path, plugin)
            };
            library.mistakes.extend(mistakes);
            let Some(mut recipe) = recipe else { continue };
            if let Some(plugin) = &found.plugin {
                recipe.name = plugin.named(&recipe.name);
                recipe.alias = recipe.alias.map(|alias| plugin.named(&alias));
                recipe.plugin = Some(plugin.clone());
            }
            if command::is_built_in(&recipe.name) {
                let what = "the built-in command of this name counts; call the file otherwise";
                library.mistakes.push(format!("{}:1: {what}", found.path.display()));
            } else if names.insert(recipe.name.clone()) {
                library.recipes.push(recipe);
            }
        }
        if library.found.len() == FILES_LIMIT {
            let what =
                format!("there are more than {FILES_LIMIT} commands and skills; the others are left out");
            library.mistakes.push(what);
        }
        library.recipes.sort_by(|one, other| one.name.cmp(&other.name));
        library
    }

    /// Whether files have come, gone or changed since.
    pub(super) fn is_outdated(&self, folders: &[Folder]) -> bool {
        look(folders) != self.found
    }
}

/// The files with recipes, as they are now.
fn look(folders: &[Folder]) -> Vec<Found> {
    let mut found = Vec::new();
    for folder in folders {
        match folder.kind {
            Kind::Command => add_commands(folder, &folder.path, &[], &mut found),
            Kind::Skill => add_skills(folder, &mut found),
        }
    }
    found
}

/// Adds the commands of a folder and of those in it, which are part of their names.
fn add_commands(folder: &Folder, path: &Path, above: &[&str], found: &mut Vec<Found>) {
    if above.len() > DEPTH_LIMIT {
        return;
    }
    for path in entries(path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        // Links to folders are left alone: they can lead in circles.
        if path.is_dir() && !path.is_symlink() {
            add_commands(folder, &path, &[above, &[name]].concat(), found);
        } else if let Some(stem) = name.strip_suffix(".md").filter(|stem| is_callable(stem)) {
            add(folder, [above, &[stem]].concat().join(":"), &path, found);
        }
    }
}

/// Adds the skills of a folder: every folder in it that has a `SKILL.md`.
fn add_skills(folder: &Folder, found: &mut Vec<Found>) {
    for path in entries(&folder.path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let file = path.join("SKILL.md");
        if is_callable(name) && file.is_file() {
            add(folder, name.to_owned(), &file, found);
        }
    }
}

fn add(folder: &Folder, name: String, path: &Path, found: &mut Vec<Found>) {
    let about = fs::metadata(path).ok();
    if found.len() < FILES_LIMIT {
        found.push(Found {
            kind: folder.kind,
            origin: folder.origin,
            plugin: folder.plugin.clone(),
            name,
            path: path.to_owned(),
            modified: about.as_ref().and_then(|about| about.modified().ok()),
            size: about.map_or(0, |about| about.len()),
        });
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
    !name.is_empty() && !name.starts_with('.') && !name.contains(char::is_whitespace)
}
