//! Which files a command touches.

use super::reading::{self, Operands};
use super::rule::base_name;
use super::writing::{self, Writes};
use super::{git, sed};
use crate::path;
use crate::shell::{Redirect, RedirectKind, Word};

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    /// A folder is read with everything below it.
    Search,
    Write,
    /// Written by a redirection, not by the program.
    Redirect,
    /// Named to a program that may do anything with it.
    Name,
}

impl Use {
    pub(crate) fn edits(self) -> bool {
        matches!(self, Self::Write | Self::Redirect)
    }
}

/// One file and what is done with it.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) how: Use,
    /// The absolute path; `None` if it is not known before the command runs.
    pub(crate) path: Option<String>,
    pub(crate) glob: bool,
    /// Whether `..` follows a directory that may be a symlink.
    pub(crate) climbs: bool,
}

/// Where relative paths of a command may be counted from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'a> {
    pub(crate) directories: &'a [String],
    pub(crate) home: Option<&'a str>,
}

/// Files that are always there and hold nothing.
fn is_device(path: &str) -> bool {
    path == "/dev/null"
}

/// Every file that a command is seen to touch.
pub(crate) fn accesses(redirects: &[Redirect<'_>], words: &[Word<'_>], places: Places<'_>) -> Vec<Access> {
    let mut found = Vec::new();
    for redirect in redirects {
        let how = match redirect.kind {
            RedirectKind::Read => Use::Read,
            RedirectKind::Write | RedirectKind::ReadWrite => Use::Redirect,
            _ => continue,
        };
        if !is_device(&redirect.target.value) {
            place(&mut found, how, &redirect.target, &redirect.target.value, places);
        }
    }
    if let Some((first, rest)) = words.split_first() {
        operands(&mut found, base_name(&first.value), rest, places);
    }
    found
}

fn operands(found: &mut Vec<Access>, program: &str, words: &[Word<'_>], places: Places<'_>) {
    let values: Vec<&str> = words.iter().map(|word| word.value.as_ref()).collect();
    if program == "cd" && values.is_empty() {
        let path = places.home.map(str::to_owned);
        found.push(Access { how: Use::Read, path, glob: false, climbs: false });
        return;
    }
    if let Some(writes) = writing::writes(program, &values) {
        written(found, writes, words, places);
        if writing::carries(program) {
            words.iter().for_each(|word| named(found, word, places));
        }
        return;
    }
    if reading::may_write(program) {
        words.iter().for_each(|word| named(found, word, places));
    }
    match (program, reading::operands(program)) {
        ("find", _) => {
            // Options that say how links are followed may stand before the places to look at.
            let leads = |word: &&Word<'_>| {
                let value = word.value.as_ref();
                matches!(value, "-L" | "-H" | "-P") || value.starts_with("-O") || value.starts_with("-D")
            };
            let starts =
                words.iter().skip_while(leads).take_while(|word| !word.value.starts_with(['-', '(', '!']));
            starts.for_each(|word| place(found, Use::Read, word, &word.value, places));
        }
        ("sed", _) => {
            let files = sed::read(&values).files;
            let is_file = |word: &&Word<'_>| files.contains(&word.value.as_ref());
            words.iter().filter(is_file).for_each(|word| place(found, Use::Read, word, &word.value, places));
        }
        ("git", _) => git_operands(found, words, &values, places),
        ("docker", _) => {}
        (_, Some(Operands::Paths)) => read(found, Use::Read, words, places),
        (_, Some(Operands::PatternThenPaths)) => {
            let how = if reading::is_recursive(program, &values) { Use::Search } else { Use::Read };
            let given = ["-e", "-f", "--regexp", "--file"];
            let has_pattern =
                values.iter().any(|value| given.iter().any(|option| reading::is_option(value, option)));
            let pattern = words.iter().position(|word| !word.value.starts_with('-')).filter(|_| !has_pattern);
            let options = words[..pattern.unwrap_or(0)].iter();
            options.for_each(|word| attached(found, how, word, places));
            let rest = &words[pattern.map_or(0, |at| at + 1)..];
            read(found, how, rest, places);
            if how == Use::Search && rest.iter().all(|word| word.value.starts_with('-')) {
                let directories = places.directories.iter();
                found.extend(directories.map(|path| Access {
                    how,
                    path: Some(path.clone()),
                    glob: false,
                    climbs: false,
                }));
            }
        }
        (_, Some(Operands::Names | Operands::Data)) => {}
        (_, Some(Operands::AtMost(_)) | None) => words.iter().for_each(|word| named(found, word, places)),
    }
}

fn read(found: &mut Vec<Access>, how: Use, words: &[Word<'_>], places: Places<'_>) {
    let mut options = true;
    for word in words {
        match word.value.as_ref() {
            "-" => {}
            "--" if options => options = false,
            value if options && value.starts_with('-') => attached(found, how, word, places),
            value => place(found, how, word, value, places),
        }
    }
}

/// A path written into an option, as in `--file=/etc/x` or `-f/etc/x`.
fn attached(found: &mut Vec<Access>, how: Use, word: &Word<'_>, places: Places<'_>) {
    let value = word.value.as_ref();
    let path = match value.split_once('=') {
        Some((_, path)) => path,
        None => value.find(['/', '~']).map_or("", |at| &value[at..]),
    };
    if !path.is_empty() {
        place(found, how, word, path, places);
    } else if !word.known {
        found.push(Access { how, path: None, glob: false, climbs: false });
    }
}

fn written(found: &mut Vec<Access>, writes: Writes, words: &[Word<'_>], places: Places<'_>) {
    let mut options = true;
    let mut paths = Vec::new();
    for word in words {
        match word.value.as_ref() {
            "--" if options => options = false,
            value if options && value.starts_with('-') && value.len() > 1 => {
                attached(found, Use::Write, word, places)
            }
            _ => paths.push(word),
        }
    }
    let last = paths.len().saturating_sub(1);
    for (index, word) in paths.into_iter().enumerate() {
        let how = if writes == Writes::Last && index < last { Use::Read } else { Use::Write };
        let value =
            word.value.strip_prefix("of=").or_else(|| word.value.strip_prefix("if=")).unwrap_or(&word.value);
        place(found, how, word, value, places);
    }
}

fn git_operands(found: &mut Vec<Access>, words: &[Word<'_>], values: &[&str], places: Places<'_>) {
    let at = git::command_at(values);
    let mut moved = places.directories.to_vec();
    for pair in words[..at].windows(2).filter(|pair| pair[0].value == "-C") {
        place(found, Use::Read, &pair[1], &pair[1].value, places);
        moved = moved.iter().filter_map(|cwd| path::absolute(&pair[1].value, cwd, places.home)).collect();
    }
    // Paths in commits are counted from the top of the repository, others from where `-C` leads.
    let mut directories = places.directories.to_vec();
    directories.extend(moved.into_iter().filter(|path| !places.directories.contains(path)));
    let places = Places { directories: &directories, ..places };
    let name = values.get(at).copied().unwrap_or_default();
    let reads = git::is_reading(&values[at..]);
    let how = if reads || git::reads_named(name) { Use::Read } else { Use::Write };
    for word in words.iter().skip(at + 1).filter(|word| !git::is_stash(&word.value)) {
        let value = word.value.as_ref();
        let is_option = value.starts_with('-') && value.len() > 1;
        if !is_option && reads {
            place(found, Use::Read, word, value, places);
        }
        // `HEAD:path`, `:0:path` and `-L1,2:path` name files of a commit, `--option=path` and `-opath` one
        // of the disk; short options may be clustered.
        let mut pieces: Vec<&str> = value.split([':', '=', ')']).skip(1).collect();
        pieces.extend(value.split_once([':', '=', ')']).map(|(_, rest)| rest));
        match value.strip_prefix('-').filter(|cluster| !cluster.starts_with('-')) {
            Some(cluster) => pieces.extend((1..12).filter_map(|at| cluster.get(at..))),
            None => pieces.push(value),
        }
        let is_address = git::is_address(name, value);
        pieces.retain(|piece| !piece.is_empty() && !piece.starts_with('-') && !is_address);
        for piece in pieces {
            // `:/` is the top of the repository.
            let is_top = value.starts_with(":/") && !reads;
            let piece = if is_top { piece.trim_start_matches([':', '/']) } else { piece };
            let leaves = piece.starts_with(['/', '~']) || piece.split('/').any(|part| part == "..");
            let is_touched = (reads && !is_option) || git::writes_named(name) || (leaves && word.known);
            if is_touched {
                place(found, how, word, piece, places);
            }
            if !reads || is_option {
                place(found, Use::Name, word, piece, places);
            }
        }
    }
}

/// A word given to a program of which nothing is known: whatever in it could be a path.
fn named(found: &mut Vec<Access>, word: &Word<'_>, places: Places<'_>) {
    let pieces = word.value.split(['=', ':', '@', ',']);
    // The value of a short option may be written right behind it, as in `-oFILE`.
    let attached = word.value.strip_prefix('-').and_then(|option| option.get(1..));
    let all = std::iter::once(word.value.as_ref()).chain(pieces.skip(1)).chain(attached);
    for piece in all.filter(|piece| !piece.is_empty() && !piece.starts_with('-')) {
        place(found, Use::Name, word, piece, places);
    }
}

fn place(found: &mut Vec<Access>, how: Use, word: &Word<'_>, value: &str, places: Places<'_>) {
    let climbs = path::climbs_after_descent(value);
    let access = |path| Access { how, path, glob: word.glob, climbs };
    if !word.known {
        found.push(access(None));
    } else if value.starts_with(['/', '~']) {
        // A quoted `~` is a name and not the home; both are looked at.
        if !word.tilde && value.starts_with('~') {
            found.extend(
                places.directories.iter().map(|cwd| access(Some(path::lexical(&format!("{cwd}/{value}"))))),
            );
        }
        let cwd = places.directories.first().map_or("/", String::as_str);
        found.push(access(path::absolute(value, cwd, places.home)));
    } else {
        for cwd in places.directories {
            found.push(access(path::absolute(value, cwd, places.home)));
        }
    }
}
