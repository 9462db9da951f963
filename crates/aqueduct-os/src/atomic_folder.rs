//! Putting a folder in the place of another one in one step: a reader sees the old files or the new ones, never some of
//! both.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::platform;

/// Exchanges two folders of one file system. Both must exist.
///
/// Systems and file systems that can't do it in one step fail with [`io::ErrorKind::Unsupported`], and nothing is changed.
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    platform::file::exchange(one, other)
}

/// Waits until the names in a folder are on the disk.
pub fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{exchange, sync};

    #[test]
    #[cfg_attr(aqueduct_portable, ignore = "there is no exchange in one step")]
    fn folders_change_places() {
        let place = tempfile::tempdir().unwrap();
        let (one, other) = (place.path().join("one"), place.path().join("other"));
        for folder in [&one, &other] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("name"), folder.file_name().unwrap().as_encoded_bytes()).unwrap();
        }
        exchange(&one, &other).unwrap();
        sync(place.path()).unwrap();
        assert_eq!(fs::read_to_string(one.join("name")).unwrap(), "other");
        assert_eq!(fs::read_to_string(other.join("name")).unwrap(), "one");
        assert!(exchange(&one, &place.path().join("missing")).is_err());
    }
}
