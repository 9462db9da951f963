use std::path::{Component, Path};

use serde_json::Value;

/// What settings say about worktrees, under `worktree`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorktreeSettings {
    /// Folders of the main checkout that a worktree has links to.
    pub(super) links: Vec<String>,
    /// The folders that are checked out; all, where none is named.
    pub(super) sparse: Vec<String>,
    /// It begins with the commit that is checked out, and not with the default branch of `origin`.
    pub(super) from_head: bool,
}

impl WorktreeSettings {
    /// Reads them. Paths that lead out of the checkout are passed over.
    pub fn of(value: Option<&Value>) -> Self {
        let member = |name: &str| value.and_then(|value| value.get(name));
        let paths = |name: &str| {
            let listed =
                member(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            listed.filter(|path| is_inside(path)).map(str::to_owned).collect()
        };
        WorktreeSettings {
            links: paths("symlinkDirectories"),
            sparse: paths("sparsePaths"),
            from_head: member("baseRef").and_then(Value::as_str) == Some("head"),
        }
    }
}

/// Whether a path stays below the folder that it is relative to, and does not look like an option.
pub(super) fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    let is_git = |part: &Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
    parts.peek().is_some()
        && parts.all(|part| matches!(part, Component::Normal(_)) && !is_git(&part))
        && !path.starts_with('-')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_stay_inside() {
        let value = json!({
            "symlinkDirectories": ["node_modules", "a/b", "../x", "/etc", "", ".git", "a/.GIT/x", "-x", 7, "a/../b"],
            "sparsePaths": "src",
            "baseRef": "head",
        });
        let settings = WorktreeSettings::of(Some(&value));
        assert_eq!(settings.links, ["node_modules", "a/b"]);
        assert!(settings.sparse.is_empty() && settings.from_head);
        assert_eq!(WorktreeSettings::of(None), WorktreeSettings::default());
    }
}
