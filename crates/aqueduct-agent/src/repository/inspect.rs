//! Programs that a repository brings along: by its configuration, its hooks and its submodules.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use aqueduct_rules::git_config::{self, Inspection};
use aqueduct_rules::{Own, When};
use aqueduct_sandbox::git_index::{Hashes, gitlinks};

use super::locate::WorkTree;

/// A configuration file that is larger than this is not read.
const LARGEST: u64 = 256 * 1024;

/// No more submodules than this are looked at.
const MOST_SUBMODULES: usize = 500;

/// How deep submodules may be nested.
const DEEPEST: usize = 8;

/// The hook that git runs when a command that only shows something has refreshed the index.
const INDEX_HOOK: &str = "post-index-change";

/// Folders for hooks that are protected from edits.
const HOOK_FOLDERS: [&str; 4] = [".husky", ".husky/_", "./.husky", ".git/hooks"];

/// The text of a small file; none where there is no file. A link, a large file and anything else is an error.
pub(super) fn read_small(path: &Path) -> io::Result<Option<String>> {
    let data = match fs::symlink_metadata(path) {
        Ok(data) => data,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !data.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let mut text = String::new();
    File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(io::Error::other("it is too large"));
    }
    Ok(Some(text))
}

/// What matters about the session's own repository.
pub(super) fn inspect(tree: &WorkTree) -> Own {
    let WorkTree { top, git, common } = tree;
    let mut found = configuration(common);
    if git != common {
        let more = configuration(git);
        merge(&mut found, more, "");
    }
    if let Some(folder) = found.work_tree.take()
        && git.join(&folder).canonicalize().ok().as_deref() != Some(top)
    {
        found.add("core.worktree".to_owned(), When::Anytime);
    }
    let hooks = found.hooks.clone();
    if hooks.as_deref().is_some_and(|folder| !HOOK_FOLDERS.contains(&folder)) {
        found.add("core.hookspath".to_owned(), When::CalledFor);
    }
    let folder = hooks.map_or_else(|| common.join("hooks"), |folder| top.join(folder));
    hook(&mut found, &folder);
    let inside = |(name, address): &(String, String)| {
        let path = Path::new(address.strip_prefix("file://").unwrap_or(address));
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        path.starts_with(top).then(|| format!("remote.{name}.url"))
    };
    if let Some(setting) = found.remotes.iter().find_map(inside) {
        found.add(setting, When::Anytime);
    }
    submodules(&mut found, tree);
    let remotes = found.remotes.into_iter().map(|(name, _)| name).collect();
    Own { program: found.program, remotes }
}

/// The configuration in a folder of records.
fn configuration(folder: &Path) -> Inspection {
    let mut found = Inspection::default();
    for name in ["config", "config.worktree"] {
        match read_small(&folder.join(name)) {
            Ok(None) => {}
            Ok(Some(text)) => merge(&mut found, git_config::inspect(&text), ""),
            Err(error) => {
                found.add(format!("`{}` can't be read: {error}", folder.join(name).display()), When::Anytime);
            }
        }
    }
    found
}

fn merge(found: &mut Inspection, more: Inspection, prefix: &str) {
    if let Some(program) = more.program {
        found.add(format!("{prefix}{}", program.setting), program.when);
    }
    if prefix.is_empty() {
        found.remotes.extend(more.remotes);
        found.hooks = more.hooks.or(found.hooks.take());
        found.work_tree = more.work_tree.or(found.work_tree.take());
        found.is_sha256 |= more.is_sha256;
    }
}

fn hook(found: &mut Inspection, folder: &Path) {
    if fs::symlink_metadata(folder.join(INDEX_HOOK)).is_ok() {
        found.add(format!("the hook {INDEX_HOOK}"), When::Anytime);
    }
}

/// Looks at the submodules: git asks each of them for its status, with its own configuration.
fn submodules(found: &mut Inspection, tree: &WorkTree) {
    let mut records = Vec::new();
    let mut is_known = modules(&tree.common.join("modules"), DEEPEST, &mut records);
    if tree.git != tree.common {
        is_known &= modules(&tree.git.join("modules"), DEEPEST, &mut records);
    }
    let hashes = if found.is_sha256 { Hashes::Sha256 } else { Hashes::Sha1 };
    match gitlinks(&tree.git, hashes) {
        Some(links) if links.len() <= MOST_SUBMODULES => {
            for link in links {
                is_known &= gitlink(&tree.top.join(OsStr::from_bytes(&link)), &mut records);
            }
        }
        _ => found.add("an index that can't be read".to_owned(), When::Anytime),
    }
    if !is_known || records.len() > MOST_SUBMODULES {
        found.add("submodules that can't be looked at".to_owned(), When::Anytime);
    }
    for folder in records.iter().take(MOST_SUBMODULES) {
        let more = configuration(folder);
        hook(found, &more.hooks.as_ref().map_or_else(|| folder.join("hooks"), PathBuf::from));
        if more.hooks.as_deref().is_some_and(|hooks| !HOOK_FOLDERS.contains(&hooks)) {
            found.add("core.hookspath of a submodule".to_owned(), When::Anytime);
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        merge(found, more, &format!("submodule {name}: "));
    }
}

/// Collects the folders of records below a folder. False if there is more than is looked at.
fn modules(folder: &Path, depth: usize, records: &mut Vec<PathBuf>) -> bool {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { return false };
        if kind.is_symlink() || kind.is_dir() && (depth == 0 || records.len() > MOST_SUBMODULES) {
            return false;
        }
        if !kind.is_dir() {
            continue;
        }
        // Names with slashes are folders in folders.
        let is_complete = if fs::symlink_metadata(path.join("HEAD")).is_ok() {
            records.push(path.clone());
            modules(&path.join("modules"), depth - 1, records)
        } else {
            modules(&path, depth - 1, records)
        };
        if !is_complete {
            return false;
        }
    }
    true
}

/// Adds the records of a repository that the index names, unless they are among the others. False if it is not clear
/// where they are.
fn gitlink(folder: &Path, records: &mut Vec<PathBuf>) -> bool {
    let own = folder.join(".git");
    let Ok(data) = fs::symlink_metadata(&own) else { return true };
    if data.is_dir() {
        records.push(own);
        return true;
    }
    let Ok(Some(text)) = read_small(&own) else { return false };
    let Some(target) = text.strip_prefix("gitdir:") else { return false };
    let Ok(target) = folder.join(target.trim()).canonicalize() else { return false };
    let is_listed = records.iter().any(|known| known.canonicalize().is_ok_and(|known| known == target));
    if !is_listed {
        records.push(target);
    }
    true
}
