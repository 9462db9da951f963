//! Which files git would leave alone.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use aqueduct_os::folder::Folder;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::roots::Roots;

/// How much of a file with patterns is read.
const PATTERN_BYTES: u64 = 1 << 20;

/// Folders of version control, which are not part of the project.
const KEPT_OUT: &[&str] = &[".git", ".hg", ".jj", ".svn"];

/// The patterns that count in a folder: its own, then those of the folders above.
#[derive(Debug, Clone, Default)]
pub(super) struct IgnorePatterns(Option<Arc<IgnoreLayer>>);

#[derive(Debug)]
struct IgnoreLayer {
    patterns: Gitignore,
    above: IgnorePatterns,
}

impl IgnorePatterns {
    /// What counts in a project's folder because of files above it in the same repository. Only what is under
    /// the roots is read.
    pub(super) fn above(roots: &Roots, project: &Folder) -> Self {
        let ancestors = project.path().ancestors().take_while(|path| roots.hold(path));
        let mut folders = Vec::new();
        let mut is_found = false;
        for ancestor in ancestors {
            let Ok(folder) = roots.folder(ancestor) else { break };
            is_found = folder.facts(Path::new(".git")).is_ok();
            folders.push(folder);
            if is_found {
                break;
            }
        }
        if !is_found {
            return IgnorePatterns::default();
        }
        let mut ignored = IgnorePatterns::default();
        if let Some(top) = folders.last() {
            ignored = ignored.with(top, Path::new(".git/info/exclude"));
        }
        // The project's own come when it is walked through.
        folders.iter().skip(1).rev().fold(ignored, |ignored, folder| ignored.inside(folder))
    }

    /// The same in a folder below.
    pub(super) fn inside(&self, folder: &Folder) -> Self {
        self.with(folder, Path::new(".gitignore")).with(folder, Path::new(".ignore"))
    }

    fn with(&self, folder: &Folder, name: &Path) -> Self {
        let Some(patterns) = read(folder, name) else { return self.clone() };
        IgnorePatterns(Some(Arc::new(IgnoreLayer { patterns, above: self.clone() })))
    }

    /// Whether a file or folder is left out.
    pub(super) fn holds(&self, path: &Path, is_folder: bool) -> bool {
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| KEPT_OUT.contains(&name)) {
            return true;
        }
        let mut layer = &self.0;
        while let Some(this) = layer {
            match this.patterns.matched(path, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => layer = &this.above.0,
            }
        }
        false
    }
}

/// The patterns in a file. One that can't be read is ignored, as in git; so are lines that are not patterns.
fn read(folder: &Folder, name: &Path) -> Option<Gitignore> {
    let mut bytes = Vec::new();
    folder.file(name).ok()??.take(PATTERN_BYTES).read_to_end(&mut bytes).ok()?;
    let mut builder = GitignoreBuilder::new(folder.path());
    for line in String::from_utf8_lossy(&bytes).lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|patterns| !patterns.is_empty())
}
