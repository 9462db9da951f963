//! Trees in which searches have to agree with each other, whatever the number of their threads.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aqueduct_rules::{Behavior, Context, Source};
use proptest::prelude::*;
use tempfile::TempDir;

use super::{Hidden, SearchEffort};

/// Alone, and with so many threads so early that small trees need them.
pub(in crate::tool) const EFFORTS: [SearchEffort; 3] = [
    SearchEffort { threads: 1, alone: 500 },
    SearchEffort { threads: 2, alone: 1 },
    SearchEffort { threads: 4, alone: 7 },
];

const FOLDERS: [&str; 9] = ["", "a", "a.b", "a/c", ".hidden", "secret", ".git", ".aws", "a/.Docker"];
const FILES: [&str; 10] =
    ["a", "x.rs", "y.txt", "x.log", ".env", "config.json", "\u{e9}.rs", "c.rs", ".netrc", ".PGPASS"];
const TEXTS: [&str; 5] = ["needle\n", "no\n", "one\nneedle\ntwo\nneedle\nneedle\n", "needle\0", ""];
const IGNORED: [&str; 6] = ["x.rs\n", "*.txt\n!y.txt\n", "/c\n", "a.b/\n", "!x.rs\n*.log\n", "**/c.rs\n"];
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".rgignore"];
/// None leads out of the folder that a tree is planted in, where there is nothing else.
const LINKS: [&str; 4] = ["..", "x.rs", "nowhere", "."];

#[derive(Debug, Clone)]
pub(in crate::tool) enum Thing {
    File { folder: usize, name: usize, text: usize, age: u64 },
    Ignored { folder: usize, name: usize, text: usize },
    Link { folder: usize, name: usize, to: usize },
}

/// What a tree is made of. Later things replace earlier ones of the same name.
pub(in crate::tool) fn things() -> impl Strategy<Value = Vec<Thing>> {
    let folder = || 0..FOLDERS.len();
    let file = (folder(), 0..FILES.len(), 0..TEXTS.len(), 0..4u64)
        .prop_map(|(folder, name, text, age)| Thing::File { folder, name, text, age });
    let ignored = (folder(), 0..IGNORE_FILES.len(), 0..IGNORED.len())
        .prop_map(|(folder, name, text)| Thing::Ignored { folder, name, text });
    let link = (folder(), 0..FILES.len(), 0..LINKS.len()).prop_map(|(folder, name, to)| Thing::Link {
        folder,
        name,
        to,
    });
    prop::collection::vec(prop_oneof![8 => file, 2 => ignored, 1 => link], 0..40)
}

/// Makes the tree. What can't be made, such as a file with the name of a folder, is left out.
pub(in crate::tool) fn plant(things: &[Thing]) -> (TempDir, PathBuf) {
    let root = TempDir::new().unwrap();
    let cwd = fs::canonicalize(root.path()).unwrap().join("tree");
    fs::create_dir(&cwd).unwrap();
    for thing in things {
        let (Thing::File { folder, .. } | Thing::Ignored { folder, .. } | Thing::Link { folder, .. }) = thing;
        let folder = cwd.join(FOLDERS[*folder]);
        if fs::create_dir_all(&folder).is_err() {
            continue;
        }
        let _ = match thing {
            Thing::File { name, text, age, .. } => write(&folder.join(FILES[*name]), TEXTS[*text], *age),
            Thing::Ignored { name, text, .. } => write(&folder.join(IGNORE_FILES[*name]), IGNORED[*text], 9),
            Thing::Link { name, to, .. } => symlink(LINKS[*to], folder.join(FILES[*name])),
        };
    }
    (root, cwd)
}

fn write(path: &Path, text: &str, age: u64) -> std::io::Result<()> {
    if path.is_symlink() {
        return Ok(());
    }
    fs::write(path, text)?;
    File::options()
        .append(true)
        .open(path)?
        .set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(100 - age))
}

/// What is hidden: nothing, credentials, or a folder too that a rule forbids to read.
pub(in crate::tool) fn hidden() -> impl Strategy<Value = fn(&Path) -> Hidden> {
    let nothing: fn(&Path) -> Hidden = |_| Hidden::default();
    let credentials: fn(&Path) -> Hidden = |cwd| Hidden::by(&Context::new(cwd.to_string_lossy()), cwd);
    let folder: fn(&Path) -> Hidden = |cwd| {
        let mut rules = Context::new(cwd.to_string_lossy());
        rules.add_rules(Source::UserSettings, Behavior::Deny, ["Read(secret/**)"]).unwrap();
        Hidden::by(&rules, cwd)
    };
    prop::sample::select(vec![nothing, credentials, folder])
}
