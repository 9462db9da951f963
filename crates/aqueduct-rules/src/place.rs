//! Places that are never edited without asking, because their content is run or trusted later.

use crate::folding::{folded, is_ignored};

/// Directories whose whole content is protected, wherever they occur in a path.
const DIRECTORIES: [(&str, &str); 14] = [
    (".git", "git runs hooks and commands it finds there"),
    (".claude", "the agent's own settings live there"),
    (".vscode", "editors run tasks they find there"),
    (".idea", "editors run tasks they find there"),
    (".husky", "git hooks live there"),
    (".devcontainer", "containers are built from it"),
    (".cargo", "cargo runs what its configuration names"),
    (".ssh", "keys and host trust live there"),
    (".gnupg", "keys live there"),
    (".aws", "credentials live there"),
    (".azure", "credentials live there"),
    (".kube", "credentials live there"),
    (".docker", "credentials live there"),
    (".config", "programs are configured there"),
];

/// Below `.config` only these are protected.
const CONFIGURATIONS: [&str; 4] = ["git", "gh", "gcloud", "fish"];

/// Files that are protected in any place.
const FILES: [&str; 31] = [
    ".gitconfig",
    ".gitmodules",
    ".git-credentials",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zprofile",
    ".zshenv",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".envrc",
    ".mcp.json",
    ".claude.json",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".pypirc",
    ".netrc",
    ".ripgreprc",
    ".bazelrc",
    ".pre-commit-config.yaml",
    "authorized_keys",
];

/// Why a path may not be edited without asking, if it may not.
pub(crate) fn protects(path: &str) -> Option<&'static str> {
    if path.split('/').any(is_misleading) {
        return Some("its name can mean another file on some systems");
    }
    names_trusted(path)
}

/// What makes one of the names in a path protected, whatever else some systems read in them.
pub(crate) fn names_trusted(path: &str) -> Option<&'static str> {
    let path = folded(path);
    if format!("{path}/").contains("/.local/share/aqueduct/") || path.ends_with("/aqueduct/trust.json") {
        return Some("which folders and devices you trust is kept there");
    }
    let mut components = path.split('/').filter(|component| !component.is_empty()).peekable();
    while let Some(component) = components.next() {
        if let Some((_, why)) = DIRECTORIES.iter().find(|(name, _)| *name == component) {
            match component {
                // Work trees of the agent hold ordinary project files; what follows is judged by itself.
                ".claude" if components.peek() == Some(&"worktrees") => continue,
                ".config" if !components.peek().is_some_and(|next| CONFIGURATIONS.contains(next)) => continue,
                _ => return Some(why),
            }
        }
        if components.peek().is_none() && FILES.contains(&component) {
            return Some("programs run or trust the content of this file");
        }
    }
    None
}

/// Names that some file systems take for others: trailing dots and spaces, short names, streams.
fn is_misleading(component: &str) -> bool {
    // Nearly all names contain nothing of the kind, which is quick to check.
    let is_odd = |byte: u8| matches!(byte, b'~' | b':' | b'\\') || !byte.is_ascii();
    if component.ends_with(['.', ' ']) {
        return true;
    }
    if !component.bytes().any(is_odd) {
        return false;
    }
    let short_name = component
        .split_once('~')
        .is_some_and(|(before, after)| !before.is_empty() && after.starts_with(|c: char| c.is_ascii_digit()));
    short_name || component.contains("::$") || component.contains('\\') || component.contains(is_ignored)
}

/// Whether removing this path would remove the project, a home or the system.
pub(crate) fn is_critical(path: &str, cwd: &str, home: Option<&str>) -> bool {
    let holds = |place: &str| crate::path::is_within(place, path);
    let shallow = path.matches('/').count() <= 1;
    shallow || holds(cwd) || home.is_some_and(holds)
}
