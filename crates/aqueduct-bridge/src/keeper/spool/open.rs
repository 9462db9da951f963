//! Opening a spool, and repairing it after a crash.
//!
//! The death of a keeper leaves at most an unfinished line, which is cut off. The death of a machine can leave
//! segments that are shorter than they were; the hole is filled with NUL bytes up to where the next segment
//! begins, so that offsets keep their meaning and a reader sees a line that is damaged.

use std::collections::VecDeque;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::Path;

use super::{Sizes, Spool, path};

/// How much is read at a time on the search for the last line end.
const BLOCK: u64 = 16 << 10;

impl Spool {
    /// Opens the spool in this folder, or begins one.
    pub(in crate::keeper) fn open(folder: &Path, sizes: Sizes) -> io::Result<Spool> {
        match DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let mut starts = segments(folder)?;
        for (start, end) in starts.iter().zip(starts.iter().skip(1)) {
            fill(&path(folder, *start), end - start)?;
        }
        let (start, file) = match starts.back() {
            Some(start) => (*start, existing(&path(folder, *start))?),
            None => {
                starts.push_back(0);
                (0, create(&path(folder, 0))?)
            }
        };
        let length = whole_lines(&file)?;
        file.set_len(length)?;
        let next = start + length;
        Ok(Spool {
            folder: folder.to_owned(),
            sizes,
            starts,
            file,
            written: next,
            next,
            line: 0,
            skipping: false,
            synced: 0,
        })
    }
}

/// Where segments begin, in order. Files with other names are ignored.
fn segments(folder: &Path) -> io::Result<VecDeque<u64>> {
    let mut starts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let start: Option<u64> =
            name.to_str().filter(|name| name.len() == 20).and_then(|name| name.parse().ok());
        starts.extend(start);
    }
    starts.sort_unstable();
    Ok(starts.into())
}

/// Makes an earlier segment as long as it has to be.
fn fill(path: &Path, length: u64) -> io::Result<()> {
    let file = existing(path)?;
    let shorter = file.metadata()?.len() < length;
    file.set_len(length)?;
    if shorter && length > 0 {
        file.write_all_at(b"\n", length - 1)?;
    }
    Ok(())
}

/// The length of the file up to its last line end.
fn whole_lines(file: &File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut bytes = vec![0; BLOCK as usize];
    while end > 0 {
        let begin = end.saturating_sub(BLOCK);
        let block = &mut bytes[..(end - begin) as usize];
        file.read_exact_at(block, begin)?;
        if let Some(at) = memchr::memrchr(b'\n', block) {
            return Ok(begin + at as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

/// A new segment. One that a crash left behind has nothing in it that counts.
pub(super) fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(true).mode(0o600).open(path)
}

fn existing(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}
