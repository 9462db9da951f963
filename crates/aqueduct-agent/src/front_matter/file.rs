//! A file with front matter, as text.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// How much of a file is read.
const FILE_LIMIT: u64 = 256 * 1024;

/// The text of a file that is no longer than such files are.
pub(crate) fn read_file(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    if about.len() > FILE_LIMIT {
        return Err(io::Error::other(format!("it has more than {} KiB", FILE_LIMIT / 1024)));
    }
    let mut bytes = Vec::new();
    file.take(FILE_LIMIT).read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
}
