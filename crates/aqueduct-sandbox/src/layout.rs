//! What a command sees of the files: what it may change, and what in there stays as it is.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use aqueduct_os::real_path::real_path;
use aqueduct_os::regular_file::read_whole;

use super::placeholder::{COMMON, is_left_over};
use super::policy::SandboxPolicy;
use super::repository::hooks_path;
use crate::machine::SandboxEnvironment;

#[cfg(test)]
mod tests;

/// Files in the home that programs run, or believe, outside of the sandbox.
const OF_HOME: &[(&str, PathKind)] = &[
    (".bashrc", PathKind::Folder),
    (".bash_profile", PathKind::Folder),
    (".bash_login", PathKind::Folder),
    (".bash_logout", PathKind::Folder),
    (".bash_aliases", PathKind::Folder),
    (".profile", PathKind::Folder),
    (".zshrc", PathKind::Folder),
    (".zshenv", PathKind::Folder),
    (".zprofile", PathKind::Folder),
    (".zlogin", PathKind::Folder),
    (".ssh", PathKind::Folder),
    (".claude", PathKind::Folder),
    (".claude.json", PathKind::File),
    (".gitconfig", PathKind::File),
    (".config/git", PathKind::Folder),
    (".config/fish", PathKind::Folder),
    // Which folders and devices the user trusts.
    (".local/share/aqueduct", PathKind::Folder),
];

/// What agents and editors run or believe in a working directory.
const OF_PROJECT: &[&str] = &[".claude", ".mcp.json", ".vscode", ".idea"];

/// The files of the user's own git settings, in the home.
const SETTINGS: [&str; 2] = [".config/git/config", ".gitconfig"];
/// How long they may be.
const SETTINGS_LIMIT: u64 = 256 << 10;

/// How many submodules, and how many worktrees, can be used in the sandbox.
const MODULES: usize = 64;

/// What is at a path, or replaces what is not: usually an empty folder, which git ignores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathKind {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// What a command may do with a path and all below it. Of two for the same path the later one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LayoutAccess {
    /// Change it.
    Write,
    /// Read it, inside of what may be changed.
    Keep,
    /// Nothing: there is something empty in its place.
    Hide,
    /// Read it, inside of what is hidden.
    Show,
}

/// One path with what may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LayoutEntry {
    /// What may be done.
    pub(super) access: LayoutAccess,
    /// What is there.
    pub(super) kind: PathKind,
    /// It is not there, and must not be made.
    pub(super) is_absent: bool,
}

/// What a command sees of the files. Everything that is not named is there to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// Sorted, so that what is in another comes after it.
    pub(super) places: BTreeMap<PathBuf, LayoutEntry>,
    /// Whether nothing that is kept can be replaced, by way of a link.
    pub(super) is_tight: bool,
}

/// What a layout is made of.
pub(super) struct LayoutInput<'g> {
    /// The settings.
    pub(super) policy: &'g SandboxPolicy,
    /// What is known of the machine.
    pub(super) machine: &'g SandboxEnvironment,
    /// The working directories.
    pub(super) roots: &'g [PathBuf],
    /// The folder for temporary files.
    pub(super) temporary: &'g Path,
}

impl Layout {
    /// What follows from all that as the files are now. `is_held`: whether something is a placeholder, which
    /// counts as absent.
    pub(super) fn new(ground: &LayoutInput<'_>, is_held: &dyn Fn(&Path) -> bool) -> Layout {
        let roots: Vec<PathBuf> = ground.roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
        let forbidden: Vec<PathBuf> = ground.policy.unwritable.iter().map(|path| real(path)).collect();
        let mut writable = roots.clone();
        for path in &ground.policy.writable {
            // What is in a working directory can be changed already. Where it leads out, a command made it
            // so.
            if !roots.iter().any(|root| path.starts_with(root)) {
                writable.extend(path.canonicalize());
            }
        }
        writable.retain(|path| !forbidden.iter().any(|denied| path.starts_with(denied)));
        let projects = writable.clone();
        let temporary = ground.temporary.canonicalize().ok();
        writable.extend(temporary.clone());
        let settings = SETTINGS.map(|name| ground.machine.home.join(name)).to_vec();
        let mut laying =
            LayoutBuilder { writable, settings, is_held, places: BTreeMap::new(), is_tight: true };
        for path in laying.writable.clone() {
            laying.place(path, LayoutAccess::Write, PathKind::Folder, false);
        }
        for folder in &projects {
            laying.keep_project(folder, roots.contains(folder));
        }
        laying.keep_home(ground.machine);
        // The folder above is the agent's own: outputs, and notes of commands that run outside.
        if let Some(spool) = temporary.as_deref().and_then(Path::parent) {
            laying.keep(spool, PathKind::Folder);
        }
        for path in forbidden {
            laying.keep(&path, PathKind::Folder);
        }
        laying.hide(ground);
        Layout { places: laying.places, is_tight: laying.is_tight }
    }

    /// The paths of one kind of access.
    pub(super) fn with(&self, access: LayoutAccess) -> impl Iterator<Item = &Path> {
        self.places.iter().filter(move |(_, place)| place.access == access).map(|(path, _)| path.as_path())
    }

    /// What is not there and must not be made.
    pub(super) fn absent(&self) -> impl Iterator<Item = (&Path, PathKind)> {
        self.places
            .iter()
            .filter(|(_, place)| place.is_absent)
            .map(|(path, place)| (path.as_path(), place.kind))
    }
}

/// A layout while it is made.
struct LayoutBuilder<'l> {
    writable: Vec<PathBuf>,
    /// The files of the user's own git settings.
    settings: Vec<PathBuf>,
    is_held: &'l dyn Fn(&Path) -> bool,
    places: BTreeMap<PathBuf, LayoutEntry>,
    is_tight: bool,
}

impl LayoutBuilder<'_> {
    /// Keeps what agents, editors and git run or believe in a folder.
    fn keep_project(&mut self, folder: &Path, is_root: bool) {
        if is_root {
            for name in OF_PROJECT {
                self.keep(&folder.join(name), PathKind::Folder);
            }
        }
        let git = folder.join(".git");
        match fs::symlink_metadata(&git) {
            Ok(found) if found.is_dir() => self.keep_repository(&git, Some(folder)),
            // The file of a worktree or of a submodule, or a link, names the repository.
            Ok(_) => {
                self.keep(&git, PathKind::File);
                for repository in leads_to(&git) {
                    self.keep_repository(&repository, Some(folder));
                }
            }
            // What a command makes there is checked when it has ended.
            Err(_) => (),
        }
        let has_records = folder.join("objects").is_dir() || folder.join(COMMON).is_file();
        if folder.join("HEAD").is_file() && has_records {
            self.keep_repository(folder, None);
        }
    }

    /// Protects what git runs, and what defines where that is: also for submodules and worktrees. Their
    /// folders can be used; new ones can't be made.
    fn keep_repository(&mut self, git: &Path, tree: Option<&Path>) {
        self.keep_records(git);
        self.keep_hooks_path(git, tree);
        self.keep(&git.join("modules"), PathKind::Folder);
        let mut left = MODULES;
        self.open_modules(&git.join("modules"), &mut left);
        let worktrees = git.join("worktrees");
        self.keep(&worktrees, PathKind::Folder);
        for folder in folders(&worktrees).take(MODULES) {
            for name in [COMMON, "config.worktree", "gitdir"] {
                self.keep(&folder.join(name), PathKind::File);
            }
        }
    }

    /// Protects what a repository's folder defines about programs and other places.
    fn keep_records(&mut self, git: &Path) {
        self.keep(&git.join("hooks"), PathKind::Folder);
        for name in ["config", "config.worktree", COMMON, "info/attributes"] {
            self.keep(&git.join(name), PathKind::File);
        }
        // Without objects it is not a repository yet, and `git init` makes one of it.
        if git.join("objects").is_dir() {
            self.keep(&git.join("objects/info/alternates"), PathKind::File);
        }
    }

    /// Lets the submodules be used that are there: what is around them stays protected.
    fn open_modules(&mut self, modules: &Path, left: &mut usize) {
        for folder in folders(modules) {
            if *left == 0 {
                return;
            }
            *left -= 1;
            if folder.join("HEAD").is_file() && folder.join("objects").is_dir() {
                self.place(folder.clone(), LayoutAccess::Write, PathKind::Folder, false);
                self.keep_records(&folder);
                self.keep(&folder.join("modules"), PathKind::Folder);
                self.open_modules(&folder.join("modules"), left);
            } else {
                // A name may have several parts.
                self.place(folder.clone(), LayoutAccess::Keep, PathKind::Folder, false);
                self.open_modules(&folder, left);
            }
        }
    }

    /// Keeps the folder of hooks that the user's or the repository's settings name.
    fn keep_hooks_path(&mut self, git: &Path, tree: Option<&Path>) {
        let files = self.settings.iter().cloned().chain([git.join("config"), git.join("config.worktree")]);
        for file in files.collect::<Vec<_>>() {
            let Ok((bytes, _)) = read_whole(&file, SETTINGS_LIMIT) else { continue };
            let Some(hooks) = hooks_path(&bytes) else { continue };
            let hooks = real(&tree.unwrap_or(git).join(hooks));
            // Where whole working directories are hooks, nothing can be kept.
            self.is_tight &= !self.writable.iter().any(|root| root.starts_with(&hooks));
            self.keep(&hooks, PathKind::Folder);
        }
    }

    fn keep_home(&mut self, machine: &SandboxEnvironment) {
        for (name, kind) in OF_HOME {
            self.keep(&machine.home.join(name), *kind);
        }
        self.keep(&machine.config, PathKind::Folder);
    }

    /// Protects a path that is in what may be changed.
    fn keep(&mut self, path: &Path, kind: PathKind) {
        let Some(root) = self.root(path) else {
            // It may be there under another name.
            let real = real(path);
            if real != *path && self.root(&real).is_some() {
                self.keep(&real, kind);
            }
            return;
        };
        let Ok(below) = path.strip_prefix(&root).map(Path::to_owned) else { return };
        let mut here = root.clone();
        let mut names = below.components().peekable();
        while let Some(name) = names.next() {
            let is_last = names.peek().is_none();
            here.push(name);
            match fs::symlink_metadata(&here) {
                Ok(found) if found.is_symlink() => {
                    // A link can be replaced, whatever becomes of where it leads.
                    self.is_tight = false;
                    let real = real(path);
                    if self.root(&real).is_some() && real != *path {
                        self.keep(&real, kind);
                    }
                    return;
                }
                Ok(found) if !(self.is_held)(&here) && !is_left_over(&here) => match is_last {
                    true => {
                        let kind = if found.is_dir() { PathKind::Folder } else { PathKind::File };
                        self.place(here.clone(), LayoutAccess::Keep, kind, false);
                    }
                    // What contains it can't be moved away.
                    false => self.place(here.clone(), LayoutAccess::Write, PathKind::Folder, false),
                },
                Ok(_) | Err(_) => {
                    let kind = if is_last { kind } else { PathKind::Folder };
                    self.place(here, LayoutAccess::Keep, kind, true);
                    return;
                }
            }
        }
    }

    /// Hides what must not be read, and shows what may be read all the same.
    fn hide(&mut self, ground: &LayoutInput<'_>) {
        let credentials = [&ground.machine.config, &ground.machine.home.join(".claude")]
            .map(|folder| folder.join(".credentials.json"));
        let mut hidden = Vec::new();
        for path in credentials.iter().chain(&ground.policy.unreadable) {
            let Ok(real) = path.canonicalize() else { continue };
            if let Some(root) = self.root(&real) {
                let above = real.ancestors().skip(1).take_while(|above| **above != root);
                for folder in above.map(Path::to_owned).collect::<Vec<_>>() {
                    self.place(folder, LayoutAccess::Write, PathKind::Folder, false);
                }
            }
            let kind = if real.is_dir() { PathKind::Folder } else { PathKind::File };
            self.place(real.clone(), LayoutAccess::Hide, kind, false);
            hidden.push(real);
        }
        for path in &ground.policy.readable {
            let Ok(real) = path.canonicalize() else { continue };
            if hidden.iter().any(|hidden| real.starts_with(hidden)) {
                let kind = if real.is_dir() { PathKind::Folder } else { PathKind::File };
                self.place(real, LayoutAccess::Show, kind, false);
            }
        }
    }

    /// The outermost folder that may be changed and holds a path, without being it.
    fn root(&self, path: &Path) -> Option<PathBuf> {
        let holds = |root: &&PathBuf| path.starts_with(root) && path != **root;
        self.writable.iter().filter(holds).min_by_key(|root| root.components().count()).cloned()
    }

    fn place(&mut self, path: PathBuf, access: LayoutAccess, kind: PathKind, is_absent: bool) {
        let place = LayoutEntry { access, kind, is_absent };
        let known = self.places.entry(path).or_insert(place);
        if known.access < access {
            *known = place;
        }
    }
}

/// The repository that a `.git` leads to which is not a folder, and the one that it shares its records with.
fn leads_to(git: &Path) -> Vec<PathBuf> {
    let above = git.parent().unwrap_or(git);
    let target = match fs::metadata(git) {
        Ok(found) if found.is_file() => read_whole(git, SETTINGS_LIMIT).ok().and_then(|(bytes, _)| {
            let target = bytes.strip_prefix(b"gitdir:")?.trim_ascii();
            Some(above.join(OsStr::from_bytes(target)))
        }),
        _ => Some(git.to_owned()),
    };
    let Some(target) = target.and_then(|target| target.canonicalize().ok()) else { return Vec::new() };
    let common = read_whole(&target.join(COMMON), SETTINGS_LIMIT).ok();
    let common = common.map(|(bytes, _)| target.join(OsStr::from_bytes(bytes.trim_ascii_end())));
    let common = common.and_then(|common| common.canonicalize().ok());
    std::iter::once(target).chain(common).collect()
}

/// The folders in a folder; links are none.
fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders.into_iter()
}

/// A path without links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    match path.to_str() {
        Some(text) => real_path(text).into(),
        // A path that is not text is resolved if it exists as a whole.
        None => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
    }
}
