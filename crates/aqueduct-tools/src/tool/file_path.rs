//! The path that a call of a file tool names, spelled out.

use std::path::{Component, Path, PathBuf};

use aqueduct_wire::json::Str;

use super::ToolContext;

/// The path of an input, from the root; `None` where it is written so already.
pub(super) fn spelled_out<'s>(tool_context: &ToolContext, path: &str) -> Option<Str<'s>> {
    absolute(path, &tool_context.workspace.cwd(), &tool_context.environment.home).map(Str::from)
}

/// The path from the root; `None` where it is written so already, or where only the tool can say what it means.
fn absolute(path: &str, cwd: &Path, home: &Path) -> Option<String> {
    let given = match path.strip_prefix('~') {
        Some("") => home.to_owned(),
        Some(rest) => home.join(rest.strip_prefix('/')?.trim_start_matches('/')),
        None => cwd.join(path),
    };
    let mut clean = PathBuf::new();
    for component in given.components() {
        match component {
            Component::ParentDir => drop(clean.pop()),
            Component::CurDir => {}
            component => clean.push(component),
        }
    }
    clean.to_str().filter(|clean| *clean != path).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_root() {
        let spelled = |path: &str| absolute(path, Path::new("/proj/sub"), Path::new("/home/ada"));
        for (path, wanted) in [
            ("a.rs", "/proj/sub/a.rs"),
            ("./b//c/", "/proj/sub/b/c"),
            ("../../etc/passwd", "/etc/passwd"),
            ("../../../../x", "/x"),
            ("/proj/./link/../x", "/proj/x"),
            ("~", "/home/ada"),
            ("~//notes", "/home/ada/notes"),
            ("", "/proj/sub"),
        ] {
            assert_eq!(spelled(path).as_deref(), Some(wanted), "{path}");
        }
        for path in ["/proj/a.rs", "/", "~bob/notes"] {
            assert_eq!(spelled(path), None, "{path}");
        }
    }
}
