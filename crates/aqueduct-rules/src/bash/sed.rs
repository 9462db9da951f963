//! What a sed script does.

use std::collections::HashSet;

/// How much a sed script can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Power {
    /// Prints lines by number.
    Prints,
    /// One `s/…/…/`.
    Substitutes,
    /// Changes text in other ways.
    Changes,
    /// Runs commands, writes or reads files, or can't be understood.
    Acts,
}

/// A sed command line taken apart.
#[derive(Debug)]
pub(crate) struct Sed<'a> {
    pub(crate) power: Power,
    pub(crate) in_place: bool,
    pub(crate) files: HashSet<&'a str>,
    quiet: bool,
    /// Whether all options are `-n`, `-i`, `-E` or `-r`.
    plain: bool,
}

/// Takes the words after `sed` apart.
pub(crate) fn read<'a>(values: &[&'a str]) -> Sed<'a> {
    let mut sed =
        Sed { power: Power::Prints, in_place: false, files: HashSet::new(), quiet: false, plain: true };
    let mut scripts = Vec::new();
    let mut values = values.iter();
    let mut options = true;
    while let Some(&value) = values.next() {
        match value {
            "--" if options => options = false,
            "-n" | "--quiet" | "--silent" if options => sed.quiet = true,
            "-E" | "-r" if options => {}
            "-e" | "--expression" if options => {
                sed.plain = false;
                scripts.extend(values.next());
            }
            _ if options && value.starts_with("--expression=") => {
                sed.plain = false;
                scripts.push(&value["--expression=".len()..]);
            }
            _ if options && (value.starts_with("-i") || value.starts_with("--in-place")) => {
                sed.in_place = true;
                sed.plain &= value == "-i";
            }
            _ if options && value.len() > 1 && value.starts_with('-') => {
                sed.plain = false;
                let cluster = !value.starts_with("--") && value.contains('i');
                sed.in_place |= cluster || value.starts_with("--i");
                if value != "-s" && value != "-z" && value != "-u" {
                    sed.power = Power::Acts;
                }
            }
            _ if scripts.is_empty() => scripts.push(value),
            _ => {
                sed.files.insert(value);
            }
        }
    }
    if scripts.is_empty() {
        sed.power = Power::Acts;
    }
    sed.power = scripts.iter().map(|script| power(script)).fold(sed.power, Power::max);
    sed
}

/// Whether a sed command only shows lines of files, or changes what is piped through it.
pub(crate) fn is_reading(values: &[&str]) -> bool {
    let sed = read(values);
    let shows = sed.power == Power::Prints && sed.quiet;
    let filters = sed.power <= Power::Substitutes && sed.files.is_empty();
    sed.plain && !sed.in_place && (shows || filters)
}

/// Whether a mode that accepts edits accepts this one.
pub(crate) fn is_plain_edit(values: &[&str]) -> bool {
    let sed = read(values);
    // Files with names that could be read as orders to write, and patterns that hide their end, are left to
    // a person.
    let looks_like_order = |file: &&str| file.len() == 1 || file.starts_with(['w', 'W']);
    let clear = !sed.files.is_empty()
        && !sed.files.iter().any(looks_like_order)
        && !values.iter().any(|v| v.contains("\\/"));
    sed.plain && !sed.quiet && sed.power == Power::Substitutes && clear
}

fn power(script: &str) -> Power {
    let mut most = Power::Prints;
    let mut commands = 0;
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';', '}']);
        if rest.is_empty() {
            break;
        }
        let Some((this, after)) = command(rest) else { return Power::Acts };
        commands += 1;
        most = most.max(this);
        rest = after;
    }
    if most == Power::Substitutes && commands > 1 { Power::Changes } else { most }
}

/// Reads one command with its addresses; returns its power and what follows it.
fn command(text: &str) -> Option<(Power, &str)> {
    let (by_number, rest) = addresses(text)?;
    let letter = rest.chars().next()?;
    let after = &rest[letter.len_utf8()..];
    let power = match letter {
        'p' if by_number => Power::Prints,
        's' => return substitution(after).filter(|_| rest.len() == text.len()),
        'p' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'P' | 'x' | '=' | '{' | 'q' | 'Q' => {
            Power::Changes
        }
        _ => return None,
    };
    let ends = letter == '{' || after.is_empty() || after.starts_with([';', '\n', ' ', '}']);
    ends.then_some((power, after))
}

/// Skips addresses; returns whether they are all numbers, and what follows.
fn addresses(text: &str) -> Option<(bool, &str)> {
    let mut rest = text;
    let mut by_number = text.starts_with(|c: char| c.is_ascii_digit());
    loop {
        let c = rest.chars().next()?;
        match c {
            '0'..='9' | ',' | '!' | ' ' | '~' | '+' => rest = &rest[1..],
            '$' => {
                by_number = false;
                rest = &rest[1..];
            }
            '/' => {
                by_number = false;
                let end = unescaped(&rest[1..], '/')?;
                rest = &rest[end + 2..];
            }
            _ => return Some((by_number, rest)),
        }
    }
}

/// Reads the rest of an `s` command.
fn substitution(after: &str) -> Option<(Power, &str)> {
    let delimiter =
        after.chars().next().filter(|c| !c.is_alphanumeric() && !matches!(c, '\\' | '\n' | ' '))?;
    let rest = &after[delimiter.len_utf8()..];
    let pattern = unescaped(rest, delimiter)?;
    let rest = &rest[pattern + delimiter.len_utf8()..];
    let replacement = unescaped(rest, delimiter)?;
    let rest = &rest[replacement + delimiter.len_utf8()..];
    let flags = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let harmless = rest[..flags].bytes().all(|byte| b"gpimIM0123456789".contains(&byte));
    let after = &rest[flags..];
    let ends = after.is_empty() || after.starts_with([';', '\n', ' ', '}']);
    let power = if delimiter == '/' { Power::Substitutes } else { Power::Changes };
    (harmless && ends).then_some((power, after))
}

/// The position of a delimiter that is not escaped.
fn unescaped(text: &str, delimiter: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == delimiter && !escaped {
            return Some(at);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers() {
        assert_eq!(power("1,5p"), Power::Prints);
        assert_eq!(power("1p;3p"), Power::Prints);
        assert_eq!(power("s/x/y/g"), Power::Substitutes);
        assert_eq!(power("s|x|y|"), Power::Changes);
        assert_eq!(power("1d"), Power::Changes);
        for script in
            ["s/x/y/e", "s/x/y/w out", "1e ls", "w out", "e", "r /etc/passwd", "s/x/y/;e", "s/[/]/;e/"]
        {
            assert_eq!(power(script), Power::Acts, "{script}");
        }
    }
}
