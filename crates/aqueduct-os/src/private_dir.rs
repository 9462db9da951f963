//! Folders that are the user's alone: what is kept in them may be secret.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

use crate::user;

/// Makes a folder, with those above it, that only the user can look into. One that is there stays as it is.
pub fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// The same in a place where all users may create folders: one of another user is refused, and so is
/// a link.
pub fn make_private_among_others(folder: &Path) -> io::Result<()> {
    make_private(folder)?;
    let found = fs::symlink_metadata(folder)?;
    if !found.is_dir() || found.uid() != user::effective_id() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the folder belongs to another user"));
    }
    Ok(())
}

/// Closes a folder of this user to everyone else. One of another user is refused.
pub fn close_to_others(folder: &Path) -> io::Result<()> {
    let metadata = fs::metadata(folder)?;
    if metadata.uid() != user::effective_id() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the folder is another user's"));
    }
    if metadata.mode() & 0o077 != 0 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::{make_private, make_private_among_others};

    #[test]
    fn only_the_user_looks_into_it() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        make_private(&folder).unwrap();
        for made in [folder.as_path(), folder.parent().unwrap()] {
            assert_eq!(fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o700);
        }
        make_private_among_others(&folder).unwrap();
    }

    #[test]
    fn a_link_that_waits_there_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let (theirs, ours) = (place.path().join("theirs"), place.path().join("ours"));
        fs::create_dir(&theirs).unwrap();
        symlink(&theirs, &ours).unwrap();
        let error = make_private_among_others(&ours).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
    }
}
