//! Commands that go through whole folders.

use super::reading::is_option;

/// Whether a command goes through folders and shows what is behind links it finds there, which may lead
/// anywhere.
pub(crate) fn follows_links(program: &str, values: &[&str]) -> bool {
    let has =
        |options: &[&str]| values.iter().any(|value| options.iter().any(|option| is_option(value, option)));
    match program {
        "grep" | "egrep" | "fgrep" => has(&["-R", "--dereference-recursive"]),
        "rg" => has(&["-L", "--follow"]),
        "diff" => has(&["-r", "--recursive"]) && !values.contains(&"--no-dereference"),
        _ => false,
    }
}

/// Whether a command reads whole folders, so that it may come across any file in them.
pub(crate) fn is_recursive(program: &str, values: &[&str]) -> bool {
    let has =
        |options: &[&str]| values.iter().any(|value| options.iter().any(|option| is_option(value, option)));
    match program {
        "grep" | "egrep" | "fgrep" => {
            has(&["-r", "-R", "--recursive", "--dereference-recursive"])
                || values.iter().any(|value| value.ends_with("recurse"))
        }
        "rgrep" | "ag" | "ack" | "ugrep" | "ug" => true,
        "rg" => has(&["-u", "-.", "--hidden", "--no-ignore", "--unrestricted", "-g", "--glob", "--iglob"]),
        "diff" => has(&["-r", "--recursive"]),
        _ => false,
    }
}
