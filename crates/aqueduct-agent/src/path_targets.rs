//! Where the paths of a tool call lead: through links, for every name that a wildcard matches, and below the folders
//! that a command traverses.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::path::{Component, Path, PathBuf};

use aqueduct_os::real_path::real_path;

/// How many entries of folders are looked at for one path. What is beyond counts as leading anywhere.
const MAX_ENTRIES: usize = 20_000;

/// The end of a path that asks about the links below a folder.
const LINKS_BELOW: &str = "/**";
/// The end of a path that asks about the names below a folder, which a program splits at spaces.
const NAMES_BELOW: &str = "/**/*";

/// Pairs of each path and where it leads, as [`aqueduct_rules::Call::with_resolved`] takes them.
pub fn resolve(paths: Vec<String>) -> Vec<(String, String)> {
    let mut resolved = Vec::new();
    for path in paths {
        let targets = if let Some(folder) = path.strip_suffix(NAMES_BELOW) {
            below(folder, is_odd)
        } else if let Some(folder) = path.strip_suffix(LINKS_BELOW) {
            below(folder, |_| false)
        } else if path.contains(['*', '?', '[']) {
            matched(&path)
        } else {
            vec![target(&path)]
        };
        resolved.extend(targets.into_iter().map(|target| (path.clone(), target)));
    }
    resolved
}

/// Where one path leads; a folder ends with a slash.
fn target(path: &str) -> String {
    let real = real_path(path);
    if real != "/" && Path::new(&real).is_dir() { real + "/" } else { real }
}

/// What leads anywhere.
fn unknown() -> Vec<String> {
    vec!["/".to_owned()]
}

/// Whether a program that takes names from its input may take this one for something else.
fn is_odd(name: &OsStr) -> bool {
    let splits = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\'' | '"' | '\\');
    name.to_str().is_none_or(|name| name.starts_with('-') || name.contains(splits))
}

/// Where the links below a folder lead, and the links below those. A name for which `is_odd` holds leads anywhere.
fn below(folder: &str, is_odd: impl Fn(&OsStr) -> bool) -> Vec<String> {
    let start = real_path(folder);
    let mut targets = vec![start.clone()];
    let mut seen = HashSet::from([PathBuf::from(&start)]);
    let mut folders = vec![PathBuf::from(start)];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        let Ok(entries) = fs::read_dir(&folder) else { return unknown() };
        for entry in entries {
            let Ok(entry) = entry else { return unknown() };
            let Ok(kind) = entry.file_type() else { return unknown() };
            count += 1;
            if count > MAX_ENTRIES || is_odd(&entry.file_name()) {
                return unknown();
            }
            let path = if kind.is_symlink() {
                let real = real_path(&entry.path().to_string_lossy());
                targets.push(real.clone());
                PathBuf::from(real)
            } else {
                entry.path()
            };
            if (kind.is_dir() || kind.is_symlink()) && seen.insert(path.clone()) {
                folders.push(path);
            }
        }
    }
    targets
}

/// Where every name leads that the wildcards in a path may match. Only the beginning and the end of a name are
/// compared, so there may be too many of them, never too few.
fn matched(path: &str) -> Vec<String> {
    let mut reached = vec![PathBuf::from("/")];
    let mut count = 0;
    for component in Path::new(path).components() {
        let Component::Normal(name) = component else { continue };
        let name = name.to_string_lossy();
        if !name.contains(['*', '?', '[']) {
            reached.iter_mut().for_each(|place| place.push(&*name));
            continue;
        }
        let mut next = Vec::new();
        for folder in &reached {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for entry in entries.flatten() {
                count += 1;
                if count > MAX_ENTRIES {
                    return unknown();
                }
                if may_match(&name, &entry) {
                    next.push(entry.path());
                }
            }
        }
        reached = next;
    }
    let mut targets: Vec<String> = reached.iter().map(|place| target(&place.to_string_lossy())).collect();
    targets.sort();
    targets.dedup();
    targets
}

fn may_match(pattern: &str, entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    let wild = |c: char| matches!(c, '*' | '?' | '[' | ']' | '\\');
    let (Some(first), Some(last)) = (pattern.find(wild), pattern.rfind(wild)) else { return false };
    name.starts_with(&pattern[..first]) && name.ends_with(&pattern[last + 1..])
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    struct Folder {
        root: PathBuf,
        _kept: tempfile::TempDir,
    }

    impl Folder {
        fn new() -> Self {
            let kept = tempfile::tempdir().expect("folder");
            let root = kept.path().canonicalize().expect("root");
            fs::create_dir_all(root.join("proj/docs/deep")).expect("folders");
            fs::create_dir(root.join("elsewhere")).expect("folder");
            fs::write(root.join("elsewhere/key"), "k").expect("file");
            fs::write(root.join("proj/docs/a.md"), "a").expect("file");
            Folder { root, _kept: kept }
        }

        fn at(&self, name: &str) -> String {
            self.root.join(name).to_string_lossy().into_owned()
        }

        fn targets(&self, path: &str) -> Vec<String> {
            resolve(vec![self.at(path)]).into_iter().map(|(_, target)| target).collect()
        }
    }

    #[test]
    fn folders_end_with_a_slash() {
        let folder = Folder::new();
        assert_eq!(folder.targets("proj/docs"), [folder.at("proj/docs/")]);
        assert_eq!(folder.targets("proj/docs/a.md"), [folder.at("proj/docs/a.md")]);
    }

    #[test]
    fn a_wildcard_leads_where_its_links_do_at_any_depth() {
        let folder = Folder::new();
        symlink(folder.at("elsewhere/key"), folder.at("proj/docs/link.md")).expect("link");
        symlink(folder.at("elsewhere"), folder.at("proj/docs/way")).expect("link");
        assert!(folder.targets("proj/docs/*.md").contains(&folder.at("elsewhere/key")));
        assert!(folder.targets("proj/docs/*/key").contains(&folder.at("elsewhere/key")));
        assert!(folder.targets("proj/*/way/key").contains(&folder.at("elsewhere/key")));
    }

    #[test]
    fn links_below_a_folder_are_found_and_followed() {
        let folder = Folder::new();
        assert_eq!(folder.targets("proj/docs/**"), [folder.at("proj/docs")]);
        fs::create_dir(folder.at("proj/other")).expect("folder");
        symlink("../../other", folder.at("proj/docs/deep/inside")).expect("link");
        symlink(folder.at("elsewhere/key"), folder.at("proj/other/out")).expect("link");
        assert!(folder.targets("proj/docs/**").contains(&folder.at("elsewhere/key")));
    }

    #[test]
    fn odd_names_lead_anywhere() {
        let folder = Folder::new();
        assert_eq!(folder.targets("proj/docs/**/*"), [folder.at("proj/docs")]);
        fs::create_dir(folder.at("proj/docs/deep/x ")).expect("folder");
        assert_eq!(folder.targets("proj/docs/**/*"), ["/"]);
        assert_ne!(folder.targets("proj/docs/**"), ["/"]);
    }
}
