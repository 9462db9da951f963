//! The submodules that an index names.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

/// The mode of an entry that names a commit of another repository.
const GITLINK: u32 = 0o160_000;

/// More submodules than this are an error.
const MOST: usize = 1000;

/// A path that is longer than this is an error.
const LONGEST: usize = 1 << 16;

/// The paths of all entries that are other repositories, in the index and in the ones it shares.
pub(super) fn gitlinks(git: &Path, is_sha256: bool) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let shared = fs::read_dir(git)?.flatten().map(|entry| entry.file_name());
    let shared = shared.filter(|name| name.to_string_lossy().starts_with("sharedindex."));
    for name in shared.chain(["index".into()]) {
        match File::open(git.join(name)) {
            Ok(file) => read(BufReader::with_capacity(1 << 16, file), is_sha256, &mut found)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

fn malformed(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what.to_owned())
}

fn read(mut file: impl BufRead, is_sha256: bool, found: &mut Vec<String>) -> io::Result<()> {
    let mut header = [0; 12];
    file.read_exact(&mut header)?;
    let number = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (version, count) = (number(4), number(8));
    if &header[..4] != b"DIRC" || !(2..=4).contains(&version) {
        return Err(malformed("it has an unknown form"));
    }
    // Ten numbers, the object's name, and flags.
    let fixed = 40 + if is_sha256 { 32 } else { 20 } + 2;
    let mut entry = [0; 74];
    let mut path = Vec::new();
    for _ in 0..count {
        let entry = &mut entry[..fixed];
        file.read_exact(entry)?;
        let mode = u32::from_be_bytes([entry[24], entry[25], entry[26], entry[27]]);
        let mut length = fixed;
        if version >= 3 && entry[fixed - 2] & 0x40 != 0 {
            file.read_exact(&mut [0; 2])?;
            length += 2;
        }
        if version == 4 {
            let dropped = variable_number(&mut file)?;
            let kept = path.len().checked_sub(dropped).ok_or_else(|| malformed("a path is too short"))?;
            path.truncate(kept);
        } else {
            path.clear();
        }
        let before = path.len();
        (&mut file).take(LONGEST as u64).read_until(0, &mut path)?;
        if path.pop() != Some(0) {
            return Err(malformed("a path has no end"));
        }
        if version < 4 {
            // Entries are padded to a multiple of eight bytes, with one zero at least.
            length += path.len() - before;
            file.read_exact(&mut [0; 8][..7 - length % 8])?;
        }
        if mode == GITLINK {
            let text = std::str::from_utf8(&path).map_err(|_| malformed("a path is not text"))?;
            found.push(text.to_owned());
        }
        if found.len() > MOST {
            return Err(malformed("it has too many submodules"));
        }
    }
    Ok(())
}

/// A number of as many bytes as it needs.
fn variable_number(file: &mut impl Read) -> io::Result<usize> {
    let mut number = 0_usize;
    for at in 0..5 {
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        number = (number + usize::from(at > 0)) << 7 | usize::from(byte[0] & 0x7f);
        if byte[0] & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(malformed("a number is too long"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::read;

    proptest! {
        /// An index from anywhere is read or refused, and nothing else.
        #[test]
        fn any_bytes_are_read_or_refused(version in 2_u8..5, count in 0_u8..4, rest in prop::collection::vec(any::<u8>(), 0..400)) {
            let mut bytes = b"DIRC\0\0\0".to_vec();
            bytes.extend([version, 0, 0, 0, count]);
            bytes.extend(rest);
            let mut found = Vec::new();
            let _ = read(bytes.as_slice(), false, &mut found);
            prop_assert!(found.len() <= usize::from(count));
        }
    }
}
