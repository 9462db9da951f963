//! Gitlinks in an index: the entries by which git enters another repository.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

use aqueduct_os::regular_file::read_whole;

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

/// How long hashes are, in bytes.
#[derive(Clone, Copy)]
pub enum Hashes {
    /// Twenty.
    Sha1,
    /// Thirty-two.
    Sha256,
    /// The configuration was not read, and the file does not contain it: the first that fits.
    Unknown,
}

/// The paths of the gitlinks in a repository's index; `None` where it can't be read. An index that is split has the
/// other part in a file of its own. Only plain files are opened.
pub fn gitlinks(repository: &Path, hashes: Hashes) -> Option<BTreeSet<Vec<u8>>> {
    let lengths: &[usize] = match hashes {
        Hashes::Sha1 => &[20],
        Hashes::Sha256 => &[32],
        Hashes::Unknown => &[20, 32],
    };
    let part = |name: &str| {
        let (bytes, _) = read_whole(&repository.join(name), LIMIT).ok()?;
        lengths.iter().find_map(|length| read(&bytes, *length))
    };
    match std::fs::symlink_metadata(repository.join("index")) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(BTreeSet::new()),
        Ok(data) if data.is_file() => {}
        _ => return None,
    }
    let (mut paths, shared) = part("index")?;
    if let Some(shared) = shared {
        paths.extend(part(&format!("sharedindex.{shared}"))?.0);
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
    // Bytes behind the entries that are not an extension are not an index with hashes of this length.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::read;

    proptest! {
        /// An index from anywhere is read or refused, and nothing else.
        #[test]
        fn any_bytes_are_read_or_refused(
            version in 2_u8..5,
            count in 0_u8..4,
            rest in prop::collection::vec(any::<u8>(), 0..400),
        ) {
            let mut bytes = b"DIRC\0\0\0".to_vec();
            bytes.extend([version, 0, 0, 0, count]);
            bytes.extend(rest);
            for hash in [20, 32] {
                let found = read(&bytes, hash).map_or(0, |(paths, _)| paths.len());
                prop_assert!(found <= usize::from(count));
            }
        }
    }
}
