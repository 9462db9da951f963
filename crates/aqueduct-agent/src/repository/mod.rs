//! What git would use in a directory: the session's own repository, another one, or none.
//!
//! Git runs programs that a repository's configuration names, so the permission rules need to know which repository a
//! command would use. The files are read for each decision, without starting git and without following links.
//!
//! `locate.rs` finds the repository of a directory, `inspect.rs` the programs that it brings along.

mod inspect;
mod locate;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;

use aqueduct_rules::{Own, Repository};

use self::locate::{Located, WorkTree, locate};

/// Variables that make git use another repository than the one it finds.
const REDIRECTING: [&str; 3] = ["GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];

/// What git would find in each of these directories, for a session that was started in `start` and whose commands have
/// these variables.
pub fn repositories(
    start: &Path,
    variables: &[(OsString, OsString)],
    directories: Vec<String>,
) -> Vec<(String, Repository)> {
    let redirected = REDIRECTING.iter().find(|name| variables.iter().any(|(set, _)| set == *name));
    let mut session = None;
    let mut find = |directory: &str| {
        if let Some(name) = redirected {
            return Repository::Foreign(format!("and `{name}` is set, which names another repository"));
        }
        session.get_or_insert_with(|| SessionRepository::new(start)).find(Path::new(directory))
    };
    directories.into_iter().map(|directory| (directory.clone(), find(&directory))).collect()
}

/// The repository that the session was started in.
struct SessionRepository {
    tree: Option<WorkTree>,
    own: Option<Own>,
}

impl SessionRepository {
    fn new(start: &Path) -> Self {
        let tree = match start.canonicalize().map(|start| locate(&start)) {
            Ok(Located::Tree(tree)) => Some(tree),
            _ => None,
        };
        SessionRepository { tree, own: None }
    }

    fn find(&mut self, directory: &Path) -> Repository {
        let real = match directory.canonicalize() {
            Ok(real) => real,
            Err(error) => return Repository::Foreign(format!("which can't be opened: {error}")),
        };
        let tree = match locate(&real) {
            Located::Nothing => return Repository::None,
            Located::Unclear(why) => return Repository::Foreign(why),
            Located::Tree(tree) => tree,
        };
        match &self.tree {
            Some(own) if *own == tree => {
                Repository::Own(self.own.get_or_insert_with(|| inspect::inspect(&tree)).clone())
            }
            Some(own) if tree.is_worktree_of(own) => Repository::Own(inspect::inspect(&tree)),
            _ => {
                let top = tree.top.display();
                Repository::Foreign(format!("and the repository in `{top}` is not the one of this session"))
            }
        }
    }
}
