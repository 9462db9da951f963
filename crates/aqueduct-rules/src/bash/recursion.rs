//! Commands that go through whole folders.

use super::reading::is_option;

fn has(values: &[&str], options: &[&str]) -> bool {
    values.iter().any(|value| options.iter().any(|option| is_option(value, option)))
}

/// Whether a program compares its operands, and the files in them where they are folders.
pub(crate) fn compares(program: &str) -> bool {
    matches!(
        program,
        "diff"
            | "sdiff"
            | "colordiff"
            | "vimdiff"
            | "icdiff"
            | "wdiff"
            | "diff3"
            | "meld"
            | "kdiff3"
            | "zdiff"
    )
}

/// Whether a command goes through folders and shows what is behind links it finds there, which may lead
/// anywhere.
pub(crate) fn follows_links(program: &str, values: &[&str]) -> bool {
    match program {
        "grep" | "egrep" | "fgrep" => has(values, &["-R", "--dereference-recursive"]),
        "rg" => has(values, &["-L", "--follow"]),
        "find" | "fd" | "fdfind" | "ls" | "du" | "tree" => lists_through_links(program, values),
        "rgrep" | "ag" | "ack" | "ugrep" | "ug" => true,
        "diff" => !values.contains(&"--no-dereference"),
        _ => compares(program),
    }
}

/// Whether a command lists folders and goes through links that it finds there.
pub(crate) fn lists_through_links(program: &str, values: &[&str]) -> bool {
    match program {
        "find" => values.iter().any(|value| matches!(*value, "-L" | "-follow")),
        "fd" | "fdfind" => has(values, &["-L", "--follow"]),
        "ls" => has(values, &["-L", "--dereference"]) && has(values, &["-R", "--recursive"]),
        "du" => has(values, &["-L", "--dereference"]),
        "tree" => has(values, &["-l"]),
        _ => false,
    }
}

/// Whether a command reads whole folders, so that it may come across any file in them.
pub(crate) fn is_recursive(program: &str, values: &[&str]) -> bool {
    match program {
        "grep" | "egrep" | "fgrep" => {
            has(values, &["-r", "-R", "--recursive", "--dereference-recursive"])
                || searches_directories(values)
        }
        "rgrep" | "ag" | "ack" | "ugrep" | "ug" => true,
        "rg" => {
            has(values, &["-u", "-.", "--hidden", "--no-ignore", "--unrestricted", "-g", "--glob", "--iglob"])
        }
        _ => false,
    }
}

/// Whether `-d` or `--directories` of grep requests a search of folders. Both the option and its value can be
/// cut short, and the value may be the next word.
fn searches_directories(values: &[&str]) -> bool {
    let searches = |action: &str| !action.starts_with('s') && action != "read";
    values.iter().enumerate().any(|(at, value)| {
        let next = || values.get(at + 1).copied().unwrap_or_default();
        match value.strip_prefix("--") {
            Some(long) => {
                let (name, action) = long.split_once('=').unwrap_or_else(|| (long, next()));
                name.starts_with('d') && "directories".starts_with(name) && searches(action)
            }
            None => value
                .strip_prefix('-')
                .and_then(|cluster| cluster.split_once('d'))
                .is_some_and(|(_, action)| searches(if action.is_empty() { next() } else { action })),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_grep() {
        let recursive = |text: &str| is_recursive("grep", &text.split(' ').collect::<Vec<_>>());
        for text in [
            "--directories=rec x .",
            "--dir=rec x .",
            "-drec x .",
            "-nd rec x .",
            "--directories recurse x .",
            "--recur x .",
        ] {
            assert!(recursive(text), "{text}");
        }
        for text in ["-d skip x a", "--directories=skip x a", "-dskip x a", "-n x a"] {
            assert!(!recursive(text), "{text}");
        }
    }
}
