//! Whether everything that git reads of a repository is under the roots.
//!
//! Working tree, git folder and common folder are not all: `objects/info/alternates` names further folders of objects,
//! which may name others, and any file or folder of objects, or the index, may be a symbolic link.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use aqueduct_os::regular_file::open_without_waiting;

use crate::Failure;
use crate::message::ErrorCode;
use crate::workspace::roots::Roots;

/// How deep alternates may name others: as deep as git follows them.
const DEPTH: usize = 5;
/// How many folders of objects are followed.
const STORES: usize = 64;
/// How large a list of alternates may be.
const LIST_BYTES: u64 = 64 << 10;
/// How many entries of a repository are looked at.
const ENTRIES: usize = 1_000_000;
/// How many folders deep objects, packs and commit graphs are.
const LEVELS: usize = 3;

/// The folders of a repository that are checked.
#[derive(Debug, Clone)]
pub(super) struct Boundary {
    /// The git folder and the common folder.
    folders: [PathBuf; 2],
}

impl Boundary {
    /// The boundary of a repository whose folders are under the roots.
    pub(super) fn new(folders: [PathBuf; 2]) -> Boundary {
        Boundary { folders }
    }

    /// Refuses a repository that makes git read something outside of the roots. Blocks.
    pub(super) fn check(&self, roots: &Roots) -> Result<(), Failure> {
        let mut check = BoundaryCheck { roots, seen: BTreeSet::new(), entries: ENTRIES };
        for folder in &self.folders {
            // Index, references and settings.
            check.links(folder, 1)?;
        }
        let [_, common] = &self.folders;
        check.store(&common.join("objects"), DEPTH)
    }
}

/// A check while it continues.
struct BoundaryCheck<'r> {
    roots: &'r Roots,
    /// The folders of objects that were checked.
    seen: BTreeSet<PathBuf>,
    /// How many entries may still be looked at.
    entries: usize,
}

impl BoundaryCheck<'_> {
    /// Checks a folder of objects, and those that it names.
    fn store(&mut self, path: &Path, depth: usize) -> Result<(), Failure> {
        // Git skips a path that does not exist; it may be created soon after.
        let real = self.roots.resolve_absent(path).map_err(|_| outside(path))?;
        if !self.seen.insert(real.clone()) {
            return Ok(());
        }
        if self.seen.len() > STORES {
            return Err(too_much(path));
        }
        self.links(&real, LEVELS)?;
        let list = match alternates(&real.join("info/alternates")) {
            Ok(list) => list,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unreadable(&real.join("info/alternates"), &error)),
        };
        for alternate in list {
            if depth == 0 {
                return Err(too_much(path));
            }
            self.store(&real.join(alternate), depth - 1)?;
        }
        Ok(())
    }

    /// Checks the links in a folder, and in those in it so many levels down.
    fn links(&mut self, folder: &Path, levels: usize) -> Result<(), Failure> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unreadable(folder, &error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(folder, &error))?;
            let kind = entry.file_type().map_err(|error| unreadable(&entry.path(), &error))?;
            self.entries = self.entries.checked_sub(1).ok_or_else(|| too_much(folder))?;
            if kind.is_symlink() {
                let real = self.roots.resolve_absent(&entry.path()).map_err(|_| outside(&entry.path()))?;
                // What it leads to is read like what is here.
                if levels > 1 && real.is_dir() {
                    self.links(&real, levels - 1)?;
                }
            } else if kind.is_dir() && levels > 1 {
                self.links(&entry.path(), levels - 1)?;
            }
        }
        Ok(())
    }
}

/// The folders that a list of alternates names, as git reads it.
fn alternates(file: &Path) -> io::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    // A pipe in its place must not block.
    open_without_waiting(file)?.take(LIST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIST_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && line[0] != b'#');
    // What looks quoted and is not is a path with a quote in it.
    let path = |line: &[u8]| line.strip_prefix(b"\"").and_then(unquote).unwrap_or_else(|| line.to_vec());
    Ok(lines.map(|line| PathBuf::from(OsString::from_vec(path(line)))).collect())
}

/// What is in C-style quotes, whose first is left out; nothing where they are not closed or have something behind them.
fn unquote(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut bytes = text.iter().copied();
    loop {
        match bytes.next()? {
            b'"' => return bytes.next().is_none().then_some(out),
            b'\\' => out.push(match bytes.next()? {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                byte @ (b'\\' | b'"') => byte,
                first @ b'0'..=b'3' => {
                    let mut value = first - b'0';
                    for _ in 0..2 {
                        let digit = bytes.next().filter(|digit| (b'0'..=b'7').contains(digit))?;
                        value = value * 8 + (digit - b'0');
                    }
                    value
                }
                _ => return None,
            }),
            byte => out.push(byte),
        }
    }
}

/// The repository reads something outside of the roots.
fn outside(path: &Path) -> Failure {
    let message =
        format!("The repository reads objects from outside the roots of this bridge, by {}", path.display());
    Failure::new(ErrorCode::PathNotAllowed, message).sentence(
        "Copy them into the repository (git repack -a -d, then remove .git/objects/info/alternates), or start the \
         bridge with a further --root.",
    )
}

fn too_much(path: &Path) -> Failure {
    let message = format!(
        "The repository has too many objects or alternates to check that all are under the roots: {}",
        path.display()
    );
    Failure::new(ErrorCode::RepositoryRefused, message).sentence("Run git gc, or remove alternates.")
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{} of the repository can't be checked: {error}.", path.display());
    Failure::new(ErrorCode::RepositoryRefused, message)
}

#[cfg(test)]
mod tests {
    use super::{alternates, unquote};

    #[test]
    fn quotes_are_read_as_git_reads_them() {
        assert_eq!(unquote(br#"/a b""#).as_deref(), Some(&b"/a b"[..]));
        assert_eq!(unquote(br#"\057etc\t\"""#).as_deref(), Some(&b"/etc\t\""[..]));
        for wrong in [&br"/a"[..], br#"/a"x"#, br#"\x41""#, br#"\9""#, br#"\05""#] {
            assert_eq!(unquote(wrong), None);
        }
    }

    #[test]
    fn a_list_is_read_line_by_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "# no\n\n../a\n\"/b\\040c\"\n\"open\n").unwrap();
        let paths = alternates(file.path()).unwrap();
        assert_eq!(paths, ["../a", "/b c", "\"open"].map(std::path::PathBuf::from));
    }
}
