//! The path that a call of a file tool names, spelled out.

use std::path::{Component, Path, PathBuf};

use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::tool::{EditInput, NotebookEditInput, ReadInput, WriteInput};

use super::Workshop;
use crate::json_text::to_raw;

/// The input of a call with its path from the root, without `~`, `.` and `..`. Hooks and the host are told this
/// one and the call runs with it: whoever decides about a path decides about the file that the tool means.
pub(crate) fn spelled_out(workshop: &Workshop, tool: &str, input: Raw<'static>) -> Raw<'static> {
    /// Changes the path in an input of a type; `None` where there is nothing to change.
    macro_rules! change {
        ($input:ident . $path:ident) => {{
            let mut typed = input.view::<$input<'_>>()?;
            typed.$path = Str::from(absolute(&typed.$path, &workshop.cwd(), &workshop.environment.home)?);
            Some(to_raw(&typed))
        }};
    }
    let change = || match tool {
        "Read" => change!(ReadInput.file_path),
        "Write" => change!(WriteInput.file_path),
        "Edit" => change!(EditInput.file_path),
        "NotebookEdit" => change!(NotebookEditInput.notebook_path),
        _ => None,
    };
    change().unwrap_or(input)
}

/// The path from the root; `None` where it is written so already, or where only the tool can say what it means.
fn absolute(path: &str, cwd: &Path, home: &Path) -> Option<String> {
    let given = match path.strip_prefix('~') {
        Some("") => home.to_owned(),
        Some(rest) => home.join(rest.strip_prefix('/')?.trim_start_matches('/')),
        None if path.is_empty() => return None,
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
        ] {
            assert_eq!(spelled(path).as_deref(), Some(wanted), "{path}");
        }
        for path in ["/proj/a.rs", "/", "", "~bob/notes"] {
            assert_eq!(spelled(path), None, "{path}");
        }
    }
}
