//! The `.claude` folders that count as the project's.

use std::path::{Path, PathBuf};

use crate::environment::Environment;

/// Where a folder keeps what is for agents.
pub(crate) const FOLDER: &str = ".claude";

/// The `.claude` folders of the project, whether they are there or not: that of the working directory, those above it
/// up to the repository's root, and those of further directories. The nearest come first.
pub(crate) fn project_folders(environment: &Environment, directories: &[PathBuf]) -> Vec<PathBuf> {
    let cwd = environment.cwd.as_path();
    let root = cwd.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(cwd);
    let above = cwd.ancestors().take_while(|folder| folder.starts_with(root)).map(Path::to_owned);
    let all = above.chain(directories.iter().cloned()).map(|folder| folder.join(FOLDER));
    let mut folders = Vec::new();
    for folder in all {
        // The home's is the user's.
        if folder != environment.config && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}
