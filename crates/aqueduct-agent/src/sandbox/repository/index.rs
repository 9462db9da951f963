//! Gitlinks in an index: the entries by which git enters another repository.

use std::collections::BTreeSet;
use std::path::Path;

use crate::file::read_whole;

/// How large an index may be.
const LIMIT: u64 = 256 << 20;
/// How long the parts of an entry are before its hash.
const STAT: usize = 40;
/// Where an entry's mode is.
const MODE: usize = 24;
/// The mode of a gitlink.
const GITLINK: u32 = 0o160_000;
/// The flag of an entry that has two more bytes of flags.
const EXTENDED: u16 = 0x4000;

/// The paths of the gitlinks in a repository's index; `None` where it can't be read. An index that is split has the
/// other part in a file of its own.
pub(super) fn gitlinks(repository: &Path) -> Option<BTreeSet<Vec<u8>>> {
    let path = repository.join("index");
    if !path.exists() {
        return Some(BTreeSet::new());
    }
    let (bytes, _) = read_whole(&path, LIMIT).ok()?;
    // The length of hashes is nowhere in the file.
    let (mut paths, shared) = [20, 32].into_iter().find_map(|hash| read(&bytes, hash))?;
    if let Some(shared) = shared {
        let (bytes, _) = read_whole(&repository.join(format!("sharedindex.{shared}")), LIMIT).ok()?;
        let (more, _) = [20, 32].into_iter().find_map(|hash| read(&bytes, hash))?;
        paths.extend(more);
    }
    Some(paths)
}

/// The gitlinks of an index with hashes of this length, and the name of the part that it shares.
fn read(bytes: &[u8], hash: usize) -> Option<(BTreeSet<Vec<u8>>, Option<String>)> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if !bytes.starts_with(b"DIRC") {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let (mut at, mut paths, mut last) = (12, BTreeSet::new(), Vec::new());
    for _ in 0..count {
        let start = at;
        let mode = number(at + MODE)?;
        let flags = at + STAT + hash;
        let bits = u16::from_be_bytes(bytes.get(flags..flags + 2)?.try_into().ok()?);
        at = flags + if bits & EXTENDED != 0 { 4 } else { 2 };
        if version == 4 {
            let (drop, next) = variable(bytes, at)?;
            last.truncate(last.len().checked_sub(drop)?);
            at = next;
        } else {
            last.clear();
        }
        let end = at + memchr::memchr(0, bytes.get(at..)?)?;
        last.extend_from_slice(&bytes[at..end]);
        // Older versions fill up to a multiple of eight, with one byte at least.
        at = if version == 4 { end + 1 } else { start + ((end - start) / 8 + 1) * 8 };
        if mode == GITLINK {
            paths.insert(last.clone());
        }
    }
    // What is behind the entries and is no extension is not an index with hashes of this length.
    let mut shared = None;
    let end = bytes.len().checked_sub(hash)?;
    while at < end {
        let length = usize::try_from(number(at + 4)?).ok()?;
        if bytes.get(at..at + 4)? == b"link" {
            let base = bytes.get(at + 8..at + 8 + hash)?;
            shared = base
                .iter()
                .any(|byte| *byte != 0)
                .then(|| base.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        at = at.checked_add(8)?.checked_add(length)?;
    }
    (at == end).then_some((paths, shared))
}

/// A number as version 4 writes the length that is cut off the last path, and where it ends.
fn variable(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some((value, at + 1))
}
