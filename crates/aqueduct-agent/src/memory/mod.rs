//! Memory files: what users and projects want the model to know before every conversation.
//!
//! Read in this order, so that the nearer one has the later word: the organisation's, the user's, and then
//! from the root of the file system down to the working directory `CLAUDE.md`, `.claude/CLAUDE.md`, the
//! rules in `.claude/rules`, and `CLAUDE.local.md`. `AGENTS.md` counts in a folder that has no `CLAUDE.md`:
//! projects that keep both mean them for different agents, or say the same in both.
//!
//! `@path` in a file includes another file, right after it. A project's files can include files of the project only:
//! the author of a project must not be able to send the user's files to a model.

mod import;
mod text;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::environment::Environment;

/// Where an organisation's memory file is on this system.
pub(crate) const MANAGED_MEMORY: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/CLAUDE.md"
} else {
    "/etc/claude-code/CLAUDE.md"
};

/// How much of a file is read.
const FILE_LIMIT: u64 = 256 * 1024;
/// How many files are read.
const FILES_LIMIT: usize = 200;
/// How far imports of imports are followed.
const IMPORT_DEPTH: usize = 5;

/// The memory files of a session.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The files, those with the later word last.
    pub(crate) files: Vec<MemoryFile>,
    /// What could not be read, for people.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Real paths of what was read, so that nothing comes twice and imports don't run in circles.
    seen: HashSet<PathBuf>,
}

/// A memory file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MemoryFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Whose it is.
    pub(crate) kind: MemoryKind,
    /// Its content.
    pub(crate) text: String,
    /// The file that imports it.
    pub(crate) imported_by: Option<PathBuf>,
}

/// Whose a memory file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryKind {
    /// The organisation's.
    Managed,
    /// The user's, for all projects.
    User,
    /// The project's, shared by all who work on it.
    Project,
    /// The user's, for this project.
    Local,
}

/// Which memory files count.
#[derive(Debug, Clone)]
pub(crate) struct MemorySources<'a> {
    /// The organisation's file.
    pub(crate) managed: &'a Path,
    /// The user's files count.
    pub(crate) user: bool,
    /// The project's files count.
    pub(crate) project: bool,
    /// The user's files for the project count.
    pub(crate) local: bool,
    /// Folders besides the project; their files count if `CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD` is on.
    pub(crate) directories: &'a [PathBuf],
}

impl Memory {
    /// Reads the files that count.
    pub(crate) fn read(environment: &Environment, sources: &MemorySources<'_>) -> Self {
        let mut memory = Memory::default();
        memory.add(sources.managed, MemoryKind::Managed, None, &environment.home);
        if sources.user {
            memory.add(&environment.config.join("CLAUDE.md"), MemoryKind::User, None, &environment.home);
            memory.add_rules(&environment.config.join("rules"), MemoryKind::User, None, &environment.home);
        }
        let mut folders: Vec<&Path> = environment.cwd.ancestors().collect();
        folders.reverse();
        if environment.flag("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD") {
            folders.extend(sources.directories.iter().map(PathBuf::as_path));
        }
        for folder in folders {
            memory.add_folder(folder, sources, &environment.home);
        }
        memory
    }

    fn add_folder(&mut self, folder: &Path, sources: &MemorySources<'_>, home: &Path) {
        if sources.project {
            let names = ["CLAUDE.md", ".claude/CLAUDE.md"];
            for name in names {
                self.add(&folder.join(name), MemoryKind::Project, Some(folder), home);
            }
            if names.iter().all(|name| !folder.join(name).exists()) {
                self.add(&folder.join("AGENTS.md"), MemoryKind::Project, Some(folder), home);
            }
            self.add_rules(&folder.join(".claude/rules"), MemoryKind::Project, Some(folder), home);
        }
        if sources.local {
            self.add(&folder.join("CLAUDE.local.md"), MemoryKind::Local, Some(folder), home);
        }
    }

    /// Adds the Markdown files of a folder of rules and the folders in it, by name.
    fn add_rules(&mut self, folder: &Path, kind: MemoryKind, within: Option<&Path>, home: &Path) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            // Links to folders are left alone: they can lead in circles.
            if path.is_dir() && !path.is_symlink() {
                self.add_rules(&path, kind, within, home);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                self.add(&path, kind, within, home);
            }
        }
    }

    /// Adds a file and what it imports. `within` is the folder that a project's imports must stay in.
    fn add(&mut self, path: &Path, kind: MemoryKind, within: Option<&Path>, home: &Path) {
        self.add_imported(path, kind, within, home, &[]);
    }

    /// `importers` are the files that lead to this one, the nearest last.
    fn add_imported(
        &mut self,
        path: &Path,
        kind: MemoryKind,
        within: Option<&Path>,
        home: &Path,
        importers: &[&Path],
    ) {
        let Ok(real) = fs::canonicalize(path) else { return };
        if !self.seen.insert(real) {
            return;
        }
        if self.files.len() == FILES_LIMIT {
            let what = Diagnostic::problem(format!("more than {FILES_LIMIT} memory files"));
            self.warnings.push(what.clause(format!("{} is left out", path.display())));
            return;
        }
        let text = match self.text_of(path) {
            Ok(text) => text,
            Err(error) => {
                let what = Diagnostic::problem(format!("can't be read: {error}"));
                self.warnings.push(what.in_file(path).at_line(1));
                return;
            }
        };
        let imported_by = importers.last().map(|path| path.to_path_buf());
        let words = text::without_comments(&text);
        self.files.push(MemoryFile { path: path.to_owned(), kind, text: words, imported_by });
        for import in import::imports(&text) {
            let Some(target) = import::target(&import, path, home) else { continue };
            if importers.len() == IMPORT_DEPTH {
                let what = Diagnostic::problem(format!("@{import} in {} is too deep", path.display()));
                self.warnings.push(what.clause("imports end here"));
            } else if within.is_some_and(|folder| !is_within(&target, folder)) {
                self.warnings.push(Diagnostic::problem(format!(
                    "@{import} in {} leads out of the project and is not followed",
                    path.display()
                )));
            } else {
                self.add_imported(&target, kind, within, home, &[importers, &[path]].concat());
            }
        }
    }

    fn text_of(&mut self, path: &Path) -> io::Result<String> {
        let about = fs::metadata(path)?;
        if !about.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        if about.len() > FILE_LIMIT {
            let what = Diagnostic::problem(format!("the memory file {} is long", path.display()));
            self.warnings.push(what.clause(format!("only its first {} KiB are used", FILE_LIMIT / 1024)));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(FILE_LIMIT).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Whether a path really is inside a folder, links followed.
fn is_within(path: &Path, folder: &Path) -> bool {
    match (fs::canonicalize(path), fs::canonicalize(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
