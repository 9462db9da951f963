//! Checks that other users of the machine can neither read nor change what only this user may.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::user;

const ROOT: u32 = 0;

/// Represents users that the process's user namespace does not map.
const UNMAPPED: u32 = 65534;

const OTHERS: u32 = 0o007;
const GROUP: u32 = 0o070;
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// Why a folder or file is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PrivacyError {
    /// Another user owns it.
    #[error(
        "{} belongs to the user with the id {owner}, but this program runs with the id {user}",
        path.display()
    )]
    Owner {
        /// The folder or file.
        path: PathBuf,
        /// The id of its owner.
        owner: u32,
        /// The id of the user that this process runs as.
        user: u32,
    },
    /// Other users can read or change it.
    #[error(
        "other users of this machine have access to {} (its mode is {mode:04o})",
        path.display()
    )]
    Mode {
        /// The folder or file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
        /// The mode that it needs, for `chmod`.
        fix: &'static str,
    },
    /// Other users can put something else in its place.
    #[error(
        "other users of this machine can replace {}, because they can change the folder {} (its mode is {mode:04o})",
        path.display(),
        ancestor.display()
    )]
    Ancestor {
        /// The folder or file.
        path: PathBuf,
        /// The folder above it.
        ancestor: PathBuf,
        /// The mode of the folder above it.
        mode: u32,
    },
    /// It can't be examined.
    #[error("can't check who has access to {}: {detail}", path.display())]
    Unknown {
        /// The folder or file.
        path: PathBuf,
        /// What the system reports.
        detail: String,
    },
}

impl PrivacyError {
    /// What to do about it: a clause.
    pub fn hint(&self) -> Option<String> {
        match self {
            PrivacyError::Owner { path, user, .. } => {
                let path = quoted(path);
                Some(format!("run it as the owner, or take it over with `sudo chown -R {user} {path}`"))
            }
            PrivacyError::Mode { path, fix, .. } => Some(format!("run `chmod {fix} {}`", quoted(path))),
            PrivacyError::Ancestor { ancestor, .. } => {
                Some(format!("run `chmod go-w {}`, or choose another place", quoted(ancestor)))
            }
            PrivacyError::Unknown { .. } => None,
        }
    }
}

/// Checks a folder for data: it belongs to this user, no other user has access to it, and no other user can
/// replace it or own something in it.
pub fn check_folder(path: &Path) -> Result<(), PrivacyError> {
    let user = User::of_this_process();
    let failed = |error: io::Error| unknown(path, &error);
    let real = fs::canonicalize(path).map_err(failed)?;
    let access = Ownership::of(&fs::metadata(&real).map_err(failed)?);
    user.check_own(&real, access, "700")?;
    user.check_ancestors(&real)?;
    for entry in fs::read_dir(&real).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        match entry.metadata() {
            Ok(metadata) => user.check_owner(&entry.path(), Ownership::of(&metadata).owner)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unknown(&entry.path(), &error)),
        }
    }
    Ok(())
}

/// Checks an open file that holds a secret: only this user and the administrator have access to it.
pub fn check_secret(path: &Path, file: &File) -> Result<(), PrivacyError> {
    let user = User::of_this_process();
    let metadata = file.metadata().map_err(|error| unknown(path, &error))?;
    let access = Ownership::of(&metadata);
    if access.owner == ROOT && user.id != ROOT && access.mode & (OTHERS | GROUP_WRITES) == 0 {
        // The administrator chose the group, as for the credentials that systemd hands to a service.
    } else {
        user.check_own(path, access, "600")?;
    }
    // A pipe, such as of a shell's `<(…)`, is not in a folder.
    match metadata.is_file() {
        true => user.check_ancestors(&fs::canonicalize(path).map_err(|error| unknown(path, &error))?),
        false => Ok(()),
    }
}

/// Checks an open file whose content this program acts on: only this user and the administrator can change
/// it.
pub fn check_unchangeable(path: &Path, file: &File) -> Result<(), PrivacyError> {
    let user = User::of_this_process();
    let metadata = file.metadata().map_err(|error| unknown(path, &error))?;
    let access = Ownership::of(&metadata);
    if !user.trusts(access.owner) {
        return Err(PrivacyError::Owner { path: path.to_owned(), owner: access.owner, user: user.id });
    }
    if user.others_write(access) {
        return Err(PrivacyError::Mode { path: path.to_owned(), mode: access.mode, fix: "go-w" });
    }
    match metadata.is_file() {
        true => user.check_ancestors(&fs::canonicalize(path).map_err(|error| unknown(path, &error))?),
        false => Ok(()),
    }
}

/// Whom something belongs to, and what others may do with it.
#[derive(Debug, Clone, Copy)]
struct Ownership {
    owner: u32,
    group: u32,
    mode: u32,
}

impl Ownership {
    fn of(metadata: &Metadata) -> Self {
        Ownership { owner: metadata.uid(), group: metadata.gid(), mode: metadata.mode() & 0o7777 }
    }
}

/// The user that this process runs as.
#[derive(Debug, Clone, Copy)]
struct User {
    id: u32,
    group: u32,
}

impl User {
    fn of_this_process() -> Self {
        User { id: user::effective_id(), group: user::effective_group() }
    }

    /// Whether what belongs to this owner can only be changed by this user or by the administrator.
    fn trusts(self, owner: u32) -> bool {
        [self.id, ROOT, UNMAPPED].contains(&owner)
    }

    /// Whether another user can write. The user's own group does not count as another user: many systems give
    /// every user a group and let it write by default.
    fn others_write(self, access: Ownership) -> bool {
        let own = [self.group, ROOT].contains(&access.group);
        access.mode & OTHERS_WRITE != 0 || (access.mode & GROUP_WRITES != 0 && !own)
    }

    fn check_owner(self, path: &Path, owner: u32) -> Result<(), PrivacyError> {
        match owner == self.id {
            true => Ok(()),
            false => Err(PrivacyError::Owner { path: path.to_owned(), owner, user: self.id }),
        }
    }

    fn check_own(self, path: &Path, access: Ownership, fix: &'static str) -> Result<(), PrivacyError> {
        self.check_owner(path, access.owner)?;
        match access.mode & (GROUP | OTHERS) {
            0 => Ok(()),
            _ => Err(PrivacyError::Mode { path: path.to_owned(), mode: access.mode, fix }),
        }
    }

    /// `real` has no symbolic links.
    fn check_ancestors(self, real: &Path) -> Result<(), PrivacyError> {
        for ancestor in real.ancestors().skip(1) {
            let metadata = fs::metadata(ancestor).map_err(|error| unknown(ancestor, &error))?;
            if !self.keeps_entries(Ownership::of(&metadata)) {
                let mode = metadata.mode() & 0o7777;
                return Err(PrivacyError::Ancestor {
                    path: real.to_owned(),
                    ancestor: ancestor.into(),
                    mode,
                });
            }
        }
        Ok(())
    }

    /// Whether no other user can rename or remove what this user has in a folder.
    fn keeps_entries(self, folder: Ownership) -> bool {
        self.trusts(folder.owner) && (folder.mode & STICKY != 0 || !self.others_write(folder))
    }
}

fn unknown(path: &Path, error: &io::Error) -> PrivacyError {
    PrivacyError::Unknown { path: path.to_owned(), detail: error.to_string() }
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+@:,".contains(&byte);
    match text.bytes().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: User = User { id: 1000, group: 1000 };

    fn access(owner: u32, group: u32, mode: u32) -> Ownership {
        Ownership { owner, group, mode }
    }

    #[test]
    fn only_the_owner_has_access_to_what_is_private() {
        let check = |owner, mode| ADA.check_own(Path::new("/data"), access(owner, 1000, mode), "700").is_ok();
        for mode in [0o700, 0o600, 0o2700, 0o1700, 0o500] {
            assert!(check(1000, mode), "{mode:o}");
        }
        for mode in [0o755, 0o750, 0o710, 0o701, 0o704, 0o702, 0o720, 0o777, 0o1777] {
            assert!(!check(1000, mode), "{mode:o}");
        }
        assert!(!check(1001, 0o700) && !check(ROOT, 0o700));
    }

    #[test]
    fn folders_above_are_changed_by_no_other_user() {
        for (folder, keeps) in [
            (access(ROOT, ROOT, 0o755), true),
            (access(1000, 1000, 0o755), true),
            (access(ROOT, ROOT, 0o1777), true),
            (access(1000, 1000, 0o775), true),
            (access(1000, 100, 0o775), false),
            (access(ROOT, 50, 0o2775), false),
            (access(ROOT, ROOT, 0o777), false),
            (access(1000, 1000, 0o757), false),
            (access(1001, 1000, 0o755), false),
            (access(1001, 1000, 0o1777), false),
        ] {
            assert_eq!(ADA.keeps_entries(folder), keeps, "{folder:?}");
        }
    }

    #[test]
    fn errors_name_the_command_that_fixes_them() {
        let path = PathBuf::from("/home/ada/it's here");
        let mode = PrivacyError::Mode { path: path.clone(), mode: 0o755, fix: "700" };
        assert_eq!(
            mode.to_string(),
            "other users of this machine have access to /home/ada/it's here (its mode is 0755)"
        );
        assert_eq!(mode.hint().as_deref(), Some("run `chmod 700 '/home/ada/it'\\''s here'`"));
        let owner = PrivacyError::Owner { path: "/data".into(), owner: 1001, user: 1000 };
        assert!(owner.hint().unwrap().ends_with("with `sudo chown -R 1000 /data`"), "{owner}");
        let ancestor = PrivacyError::Ancestor { path, ancestor: "/srv".into(), mode: 0o777 };
        assert_eq!(
            ancestor.hint().as_deref(),
            Some("run `chmod go-w /srv`, or choose another place"),
            "{ancestor}"
        );
    }
}
