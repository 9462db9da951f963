//! The branch, and which files changed.

use super::repository::GitRepository;
use crate::Failure;
use crate::message::bridge::{FileChangeKind, GitChange, GitState};

/// How many changes are listed.
const CHANGES: usize = 5000;

/// How much of git's list is read.
const LIST_BYTES: u64 = 4 << 20;

/// The state of a repository.
pub(in crate::workspace) async fn status(
    repository: &GitRepository<'_>,
) -> Result<GitState<'static>, Failure> {
    let arguments = [
        "status",
        "--porcelain=v2",
        "-z",
        "--branch",
        "--untracked-files=all",
        "--ignore-submodules=dirty",
        "--find-renames",
    ];
    let answer = repository.run(arguments, LIST_BYTES).await?;
    let is_cut = answer.is_cut;
    let output = answer.output()?;
    let mut state = GitState::new(repository.top().to_string_lossy().into_owned(), Vec::new());
    state.cut = (!read(&mut state, &output) || is_cut).then_some(true);
    Ok(state)
}

/// Reads git's list; `false` where it has too many changes.
fn read(state: &mut GitState<'static>, output: &[u8]) -> bool {
    // The last record has an end too: what comes behind it was cut off.
    let whole = memchr::memrchr(0, output).map_or(&[][..], |end| &output[..end]);
    let mut records = whole.split(|&byte| byte == 0);
    while let Some(record) = records.next() {
        let record = String::from_utf8_lossy(record);
        let Some((kind, rest)) = record.split_once(' ') else { continue };
        let change = match kind {
            "#" => {
                header(state, rest);
                continue;
            }
            "1" => changed(rest, 8),
            "2" => changed(rest, 9).map(|mut change| {
                let old = records.next().map(|old| String::from_utf8_lossy(old).into_owned());
                change.old_path = old.map(Into::into);
                change
            }),
            "u" => field(rest, 10).map(|path| {
                let mut change = GitChange::new(path.to_owned());
                change.unstaged = Some(FileChangeKind::Conflicted);
                change
            }),
            "?" => {
                let mut change = GitChange::new(rest.trim_end_matches('/').to_owned());
                change.unstaged = Some(FileChangeKind::Untracked);
                Some(change)
            }
            _ => None,
        };
        if state.changes.len() == CHANGES {
            return false;
        }
        state.changes.extend(change);
    }
    true
}

/// What is reported of the branch.
fn header(state: &mut GitState<'static>, text: &str) {
    let Some((name, value)) = text.split_once(' ') else { return };
    let owned = || Some(value.to_owned().into());
    match (name, value) {
        ("branch.oid", "(initial)") | ("branch.head", "(detached)") => {}
        ("branch.oid", _) => state.commit = owned(),
        ("branch.head", _) => state.branch = owned(),
        ("branch.upstream", _) => state.upstream = owned(),
        ("branch.ab", value) => {
            if let Some((ahead, behind)) = value.split_once(' ') {
                state.ahead = ahead.trim_start_matches('+').parse().ok();
                state.behind = behind.trim_start_matches('-').parse().ok();
            }
        }
        _ => {}
    }
}

/// A change whose path is the last of so many fields.
fn changed(text: &str, fields: usize) -> Option<GitChange<'static>> {
    let mut letters = text.chars();
    let (staged, unstaged) = (letters.next()?, letters.next()?);
    let mut change = GitChange::new(field(text, fields)?.to_owned());
    change.staged = kind(staged);
    change.unstaged = kind(unstaged);
    Some(change)
}

/// The last of so many fields, which may have blanks in it.
fn field(text: &str, fields: usize) -> Option<&str> {
    text.splitn(fields, ' ').nth(fields - 1)
}

/// The meaning of git's letter.
pub(super) fn kind(letter: char) -> Option<FileChangeKind<'static>> {
    Some(match letter {
        'A' => FileChangeKind::Added,
        'M' => FileChangeKind::Modified,
        'D' => FileChangeKind::Deleted,
        'R' => FileChangeKind::Renamed,
        'C' => FileChangeKind::Copied,
        'T' => FileChangeKind::TypeChanged,
        'U' => FileChangeKind::Conflicted,
        _ => return None,
    })
}
