//! What an exit code means, and what silence does.

/// Commands for which a code of 1 is an answer, not a failure. A pair is a command with its subcommand.
const ANSWERS: [(&str, Option<&str>, &str); 10] = [
    ("grep", None, "No matches found"),
    ("egrep", None, "No matches found"),
    ("fgrep", None, "No matches found"),
    ("rg", None, "No matches found"),
    ("git", Some("grep"), "No matches found"),
    ("diff", None, "Files differ"),
    ("git", Some("diff"), "Files differ"),
    ("find", None, "Some directories were inaccessible"),
    ("test", None, "Condition is false"),
    ("[", None, "Condition is false"),
];

/// Commands that say nothing when all is well.
const SILENT: [&str; 14] = [
    "cd", "chgrp", "chmod", "chown", "cp", "export", "ln", "mkdir", "mv", "rm", "rmdir", "touch", "unset",
    "wait",
];

/// What a code other than zero means, if it does not mean failure. The last command of the text gave it.
pub(super) fn interpretation(command: &str, code: i32) -> Option<&'static str> {
    if code != 1 {
        return None;
    }
    let segments = segments(command);
    let mut words = words(segments.last()?);
    let (program, subcommand) = (words.next()?, words.next());
    ANSWERS
        .iter()
        .find(|(name, second, _)| *name == program && (second.is_none() || *second == subcommand))
        .map(|(_, _, meaning)| *meaning)
}

/// Whether a command prints nothing when all is well.
pub(super) fn is_silent(command: &str) -> bool {
    let segments = segments(command);
    !segments.is_empty()
        && segments.iter().all(|segment| words(segment).next().is_some_and(|word| SILENT.contains(&word)))
}

/// The words of a simple command, from its program on, without the program's folder.
fn words(segment: &str) -> impl Iterator<Item = &str> {
    let is_assignment = |word: &&str| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    };
    let mut first = true;
    segment.split_ascii_whitespace().skip_while(is_assignment).map(move |word| {
        if std::mem::take(&mut first) { word.rsplit('/').next().unwrap_or(word) } else { word }
    })
}

/// The simple commands of a text, cut where the shell would: roughly, for this only chooses words to show.
fn segments(command: &str) -> Vec<&str> {
    let mut segments = Vec::new();
    let mut start = 0;
    let mut quote = None;
    let mut escaped = false;
    for (at, byte) in command.bytes().enumerate() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match (quote, byte) {
            (None | Some(b'"'), b'\\') => escaped = true,
            (None, b'\'' | b'"') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            // `2>&1` and `&>` are redirections.
            (None, b'&') if command[..at].ends_with('>') || command[at + 1..].starts_with('>') => {}
            (None, b'|' | b'&' | b';' | b'\n') => {
                segments.push(&command[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    segments.push(&command[start..]);
    segments.retain(|segment| !segment.trim().is_empty());
    segments
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::{interpretation, is_silent, segments};

    proptest! {
        #[test]
        fn any_text_is_cut(command in any::<String>(), shell in "[a\"' |&;>\\\\\n]{0,20}") {
            for text in [command, shell] {
                assert!(segments(&text).concat().len() <= text.len());
            }
        }
    }

    #[test]
    fn the_last_command_gives_the_code_its_meaning() {
        for (command, meaning) in [
            ("grep x file", Some("No matches found")),
            ("cd a && LC_ALL=C /usr/bin/grep 'a; b' file 2>&1", Some("No matches found")),
            ("echo a | rg b", Some("No matches found")),
            ("git diff --exit-code", Some("Files differ")),
            ("git push", None),
            ("grep x file; make", None),
            ("echo 'grep", None),
            ("", None),
        ] {
            assert_eq!(interpretation(command, 1), meaning, "{command}");
        }
        assert_eq!(interpretation("grep x file", 2), None);
    }

    #[test]
    fn silence_is_expected_where_every_command_is_silent() {
        assert!(is_silent("touch a && mkdir -p b; rm a"));
        assert!(!is_silent("touch a && ls"));
        assert!(!is_silent(""));
    }
}
