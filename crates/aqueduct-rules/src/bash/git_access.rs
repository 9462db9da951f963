//! Which files a git command touches.

use std::borrow::Cow;

use super::access::{AccessKind, PathAccess, PathBases, place};
use super::git;
use crate::path;
use crate::place as protected;
use crate::shell::ShellWord;

/// The files that the words after `git` name.
pub(super) fn operands(
    found: &mut Vec<PathAccess>,
    words: &[ShellWord<'_>],
    values: &[&str],
    places: PathBases<'_>,
) {
    let at = git::command_at(values);
    let mut moved = Cow::Borrowed(places.directories);
    for pair in words[..at].windows(2).filter(|pair| pair[0].value == "-C") {
        place(found, AccessKind::Read, &pair[1], &pair[1].value, places);
        let led = moved.iter().filter_map(|cwd| path::absolute(&pair[1].value, cwd, places.home));
        moved = led.collect::<Vec<_>>().into();
    }
    // Paths in commits are counted from the top of the repository, others from where `-C` leads.
    let mut directories = Cow::Borrowed(places.directories);
    if let Cow::Owned(moved) = moved {
        let more = moved.into_iter().filter(|path| !places.directories.contains(path));
        directories.to_mut().extend(more);
    }
    let places = PathBases { directories: &directories, ..places };
    let name = values.get(at).copied().unwrap_or_default();
    let reads = git::is_reading(&values[at..]);
    sweep(found, &words[at.min(words.len())..], &values[at..], places);
    let writes = git::writes_named(name);
    let how = if reads || git::reads_named(name) { AccessKind::Read } else { AccessKind::Write };
    for word in words.iter().skip(at + 1).filter(|word| !git::is_stash(&word.value)) {
        let value = word.value.as_ref();
        let is_option = value.starts_with('-') && value.len() > 1;
        if !is_option && reads {
            place(found, AccessKind::Read, word, value, places);
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
            let is_touched = (reads && !is_option) || writes || (leaves && word.known);
            if is_touched {
                place(found, how, word, piece, places);
            } else if overwrites(name) && !piece.contains('~') && protected::protects(piece).is_some() {
                place(found, AccessKind::Write, word, piece, places);
            }
            if piece.contains(['*', '?', '[']) && !word.glob {
                wildcard(found, word, piece, places);
            }
            if !reads || is_option {
                place(found, AccessKind::Name, word, piece, places);
            }
        }
    }
}

/// Git's own wildcards match hidden names, and through folders.
fn wildcard(found: &mut Vec<PathAccess>, word: &ShellWord<'_>, piece: &str, places: PathBases<'_>) {
    let (folder, last) = piece.rsplit_once('/').unwrap_or((".", piece));
    let folder = folder.split(['*', '?', '[']).next().unwrap_or_default();
    let last = last.trim_start_matches(['*', '?']);
    let wild = ShellWord { glob: true, ..word.clone() };
    place(found, AccessKind::Name, &wild, &format!("{}/**/**{last}", folder.trim_end_matches('/')), places);
}

/// What a git command reads that shows or packs a whole repository.
fn sweep(found: &mut Vec<PathAccess>, words: &[ShellWord<'_>], values: &[&str], places: PathBases<'_>) {
    let Some((name, rest)) = values.split_first() else { return };
    if *name == "diff" {
        compare(found, &words[1..], rest, places);
    }
    if !sweeps(name, rest) {
        return;
    }
    let limit = words.iter().position(|word| word.value == "--");
    let paths: Vec<&ShellWord<'_>> = limit.map_or_else(Vec::new, |at| {
        words[at + 1..].iter().filter(|word| !word.value.starts_with(':')).collect()
    });
    for word in &paths {
        let is_wild = word.value.contains(['*', '?', '[']);
        let value = if is_wild { "." } else { word.value.as_ref() };
        // A file with an extension is not a folder.
        let is_file = value.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'));
        if !is_file && !is_wild {
            place(found, AccessKind::Search, word, value, places);
        }
    }
    if paths.is_empty() {
        let here = ShellWord { known: true, ..ShellWord::default() };
        place(found, AccessKind::Search, &here, ".", places);
    }
}

/// With `--no-index`, and for two paths outside of a repository, folders are compared with everything in them.
fn compare(found: &mut Vec<PathAccess>, words: &[ShellWord<'_>], values: &[&str], places: PathBases<'_>) {
    let explicit = values.contains(&"--no-index");
    let limit = values.iter().position(|value| *value == "--").map_or(words.len(), |at| at + 1);
    let compared = if explicit { words } else { &words[limit..] };
    let operands: Vec<&ShellWord<'_>> = compared.iter().filter(|word| !word.value.starts_with('-')).collect();
    let how = if explicit { AccessKind::Search } else { AccessKind::Compare };
    if explicit || operands.len() == 2 {
        operands.into_iter().for_each(|word| place(found, how, word, &word.value, places));
    }
}

/// Commands that write the files their words name, also protected ones.
fn overwrites(name: &str) -> bool {
    matches!(name, "mv" | "checkout" | "restore")
}

/// Whether a command shows or packs the contents of the files of a whole repository. What is not committed
/// yet and the last commit are what people look at all the time, so they are not counted.
fn sweeps(name: &str, rest: &[&str]) -> bool {
    const SHORT: [&str; 6] =
        ["--stat", "--name-only", "--name-status", "--shortstat", "--numstat", "--summary"];
    let patch = rest.iter().any(|value| {
        matches!(*value, "-p" | "-u" | "--patch" | "-c" | "--cc" | "--stdout" | "--patch-with-stat")
            || value.starts_with("-U")
            || value.starts_with("-G")
            || value.starts_with("-L")
    });
    let brief = rest.iter().any(|value| SHORT.iter().any(|option| value.starts_with(option))) && !patch;
    let mut revisions =
        rest.iter().take_while(|value| **value != "--").filter(|value| !value.starts_with('-'));
    match name {
        "log" | "reflog" | "whatchanged" | "diff-tree" | "diff-index" | "diff-files" => patch,
        "stash" => patch && rest.contains(&"show"),
        // A colon names a file of a commit, which is looked at by itself.
        "diff" | "show" | "range-diff" => {
            !brief && revisions.any(|revision| *revision != "HEAD" && !revision.contains(':'))
        }
        "grep" | "archive" | "bundle" | "fast-export" | "format-patch" | "difftool" => true,
        "cat-file" => rest.iter().any(|value| value.starts_with("--batch")),
        _ => false,
    }
}
