//! Which kinds of subagents a session has.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use super::built_in::built_in;
use super::definition::{DefinitionOwner, SubagentDefinition};
use super::from_host::{self, DefinitionSource, HostDefinitions};
use super::read::read;
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::plugin::Plugin;
use crate::project_folders::project_folders;
use crate::provision::Provision;
use aqueduct_os::mutex::lock;

/// How many files are looked at.
const FILES_LIMIT: usize = 200;
/// How much of a description the model sees, in characters.
const LISTED_DESCRIPTION: usize = 500;
/// How deep folders may be nested.
const DEPTH_LIMIT: usize = 8;

/// Which files count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SubagentSources {
    /// The user's.
    pub(crate) user: bool,
    /// The project's.
    pub(crate) project: bool,
}

/// Which kinds of subagents there are.
#[derive(Debug, Default)]
pub(crate) struct SubagentRegistry {
    folders: Vec<DefinitionFolder>,
    files: Mutex<DefinitionFiles>,
    /// Those of the command line and of the host.
    reported: Mutex<Vec<Arc<SubagentDefinition>>>,
}

/// A folder of agents.
#[derive(Debug)]
struct DefinitionFolder {
    path: PathBuf,
    whose: DefinitionOwner,
    /// The plugin whose it is.
    plugin: Option<Plugin>,
}

impl DefinitionFolder {
    fn new(path: PathBuf, whose: DefinitionOwner) -> Self {
        DefinitionFolder { path, whose, plugin: None }
    }
}

/// Those in files.
#[derive(Debug, Default)]
struct DefinitionFiles {
    found: Vec<DefinitionFile>,
    definitions: Vec<Arc<SubagentDefinition>>,
    diagnostics: Vec<Diagnostic>,
}

/// A file, and by what a change of it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DefinitionFile {
    path: PathBuf,
    whose: DefinitionOwner,
    plugin: Option<Plugin>,
    modified: Option<SystemTime>,
    size: u64,
}

impl SubagentRegistry {
    /// Those of user and project, beside those that come with the agent.
    pub(crate) fn read(
        environment: &Environment,
        sources: SubagentSources,
        directories: &[PathBuf],
        plugins: &[Plugin],
    ) -> Self {
        let mut folders = Vec::new();
        if sources.project {
            let project = project_folders(environment, directories);
            let agents = project
                .iter()
                .map(|folder| DefinitionFolder::new(folder.join("agents"), DefinitionOwner::Project));
            folders.extend(agents);
        }
        if sources.user {
            folders.push(DefinitionFolder::new(environment.config.join("agents"), DefinitionOwner::User));
        }
        for plugin in plugins {
            let folder = DefinitionFolder::new(plugin.path.join("agents"), DefinitionOwner::User);
            folders.push(DefinitionFolder { plugin: Some(plugin.clone()), ..folder });
        }
        let files = Mutex::new(DefinitionFiles::read(&folders));
        SubagentRegistry { folders, files, ..SubagentRegistry::default() }
    }

    /// Takes in those of the command line, or those that the host brings: an object of definitions by name. Gives
    /// what is wrong with them.
    pub(crate) fn take_in(&self, place: DefinitionSource, text: &str) -> Vec<Diagnostic> {
        let HostDefinitions { definitions, diagnostics } = from_host::read(place, text);
        let mut reported = lock(&self.reported);
        for definition in definitions {
            reported.retain(|known| known.name != definition.name);
            reported.push(Arc::new(definition));
        }
        diagnostics
    }

    /// Reads the files again if something has changed; whether it has, and what is wrong now that was not
    /// before.
    pub(crate) fn refresh(&self) -> Option<Vec<Diagnostic>> {
        let mut files = lock(&self.files);
        if look(&self.folders) == files.found {
            return None;
        }
        let before = std::mem::replace(&mut *files, DefinitionFiles::read(&self.folders));
        Some(
            files
                .diagnostics
                .iter()
                .filter(|diagnostic| !before.diagnostics.contains(diagnostic))
                .cloned()
                .collect(),
        )
    }

    /// What is wrong with files.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        lock(&self.files).diagnostics.clone()
    }

    /// All there are, by name. Of two with one name the nearer counts: the host's, the project's, the user's.
    pub(crate) fn all(&self) -> Vec<Arc<SubagentDefinition>> {
        let mut all = lock(&self.reported).clone();
        all.extend(lock(&self.files).definitions.iter().cloned());
        all.extend(built_in().into_iter().map(Arc::new));
        let mut names = HashSet::new();
        all.retain(|definition| names.insert(definition.name.clone()));
        all.sort_by_key(|definition| (definition.name.to_lowercase(), definition.name.clone()));
        all
    }

    /// The kind of this name.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<SubagentDefinition>> {
        self.all().into_iter().find(|definition| definition.name == name)
    }

    /// The list for the model.
    pub(crate) fn listing(&self) -> String {
        let mut text = "# Subagents\n\nThe Agent tool sends one of these:\n".to_owned();
        for definition in self.all() {
            let description: String = definition.description.chars().take(LISTED_DESCRIPTION).collect();
            let tools = match &definition.tools {
                Some(tools) => tools.join(", "),
                None if definition.refused_tools.is_empty() => "all".to_owned(),
                None => format!("all but {}", definition.refused_tools.join(", ")),
            };
            let description = description.replace('\n', " ");
            text.push_str(&format!("\n- {}: {description} (tools: {tools})", definition.name));
        }
        text
    }
}

/// What the subagents of the project provide, and what is wrong with them.
pub(crate) fn provided(environment: &Environment) -> (Vec<Provision>, Vec<Diagnostic>) {
    let folders = project_folders(environment, &[]);
    let folders =
        folders.iter().map(|folder| DefinitionFolder::new(folder.join("agents"), DefinitionOwner::Project));
    let files = DefinitionFiles::read(&folders.collect::<Vec<_>>());
    (files.definitions.iter().flat_map(|definition| definition.provisions()).collect(), files.diagnostics)
}

impl DefinitionFiles {
    fn read(folders: &[DefinitionFolder]) -> Self {
        let mut files = DefinitionFiles { found: look(folders), ..DefinitionFiles::default() };
        for folder in folders.iter().filter(|folder| folder.path.exists() && !folder.path.is_dir()) {
            let what = Diagnostic::problem("this must be a folder");
            files.diagnostics.push(what.in_file(&folder.path).at_line(1));
        }
        let mut names: Vec<(String, DefinitionOwner, PathBuf)> = Vec::new();
        for found in &files.found {
            let (mut definition, diagnostics) = read(&found.path, found.whose);
            files.diagnostics.extend(diagnostics);
            if let (Some(definition), Some(plugin)) = (&mut definition, &found.plugin) {
                definition.name = plugin.named(&definition.name);
                definition.hooks.iter_mut().for_each(|hook| hook.root = Some(plugin.path.clone()));
            }
            let Some(definition) = definition else { continue };
            // The one of the project takes precedence over the user's, by design.
            let same = |known: &&(String, DefinitionOwner, PathBuf)| {
                known.0 == definition.name && known.1 == found.whose
            };
            if let Some((_, _, other)) = names.iter().find(same) {
                let what = format!("{} has the same name and is used", other.display());
                files.diagnostics.push(Diagnostic::problem(what).in_file(&found.path).at_line(1));
            }
            names.push((definition.name.clone(), found.whose, found.path.clone()));
            files.definitions.push(Arc::new(definition));
        }
        if files.found.len() == FILES_LIMIT {
            let what = Diagnostic::problem(format!("there are more than {FILES_LIMIT} agents"));
            files.diagnostics.push(what.clause("the others are left out"));
        }
        files
    }
}

/// The files as they are now.
fn look(folders: &[DefinitionFolder]) -> Vec<DefinitionFile> {
    let mut found = Vec::new();
    for folder in folders {
        look_in(folder, &folder.path, 0, &mut found);
    }
    found
}

fn look_in(folder: &DefinitionFolder, path: &Path, depth: usize, found: &mut Vec<DefinitionFile>) {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        // Links to folders are left alone: they can lead in circles.
        if path.is_dir() && !path.is_symlink() && depth < DEPTH_LIMIT {
            look_in(folder, &path, depth + 1, found);
        } else if path.extension().is_some_and(|ending| ending == "md") && found.len() < FILES_LIMIT {
            let about = fs::metadata(&path).ok();
            let modified = about.as_ref().and_then(|about| about.modified().ok());
            let (whose, plugin) = (folder.whose, folder.plugin.clone());
            let size = about.map_or(0, |about| about.len());
            found.push(DefinitionFile { path, whose, plugin, modified, size });
        }
    }
}
