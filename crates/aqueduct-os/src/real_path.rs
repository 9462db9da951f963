//! Where a path really leads.

use std::path::{Component, Path, PathBuf};

/// How many links are followed before a path counts as leading nowhere.
const MAX_LINKS: usize = 40;

/// The path without links. Of a path that does not exist yet, the part that does is resolved, and so is a
/// link that leads to nothing: writing to it makes the file it leads to.
pub fn real_path(path: &str) -> String {
    resolve(Path::new(path), MAX_LINKS).to_string_lossy().into_owned()
}

fn resolve(path: &Path, links: usize) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let (Some(parent), Some(Component::Normal(name))) = (path.parent(), path.components().next_back()) else {
        return path.to_owned();
    };
    let parent = resolve(parent, links);
    let here = parent.join(name);
    match here.read_link() {
        Ok(target) if links > 0 => resolve(&parent.join(target), links - 1),
        _ => here,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::real_path;

    #[test]
    fn links_are_followed_also_where_they_lead_to_nothing() {
        let folder = tempfile::tempdir().expect("folder");
        let root = folder.path().canonicalize().expect("root");
        let at = |name: &str| root.join(name).to_string_lossy().into_owned();
        std::fs::create_dir(root.join("real")).expect("real");
        symlink(root.join("real"), root.join("link")).expect("link");
        symlink("real/made-later", root.join("dangling")).expect("dangling");
        symlink("loop-b", root.join("loop-a")).expect("loop");
        symlink("loop-a", root.join("loop-b")).expect("loop");
        assert_eq!(real_path(&at("link/new/file")), at("real/new/file"));
        assert_eq!(real_path(&at("dangling")), at("real/made-later"));
        assert_eq!(real_path(&at("plain")), at("plain"));
        assert!(real_path(&at("loop-a")).contains("loop-"));
    }
}
