use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use aqueduct_rules::{CredentialFilter, Mode};
use memchr::memrchr;

use super::Hidden;

/// Determines quickly which files of a search are hidden. Files come folder by folder, so the check of a folder is kept
/// for the next file.
#[derive(Clone)]
pub(crate) struct HiddenFilter<'a> {
    hidden: &'a Hidden,
    /// The folder of the last file, and the check of what is in it.
    folder: Vec<u8>,
    filter: Option<CredentialFilter>,
}

impl<'a> HiddenFilter<'a> {
    pub(crate) fn new(hidden: &'a Hidden) -> Self {
        HiddenFilter { hidden, folder: Vec::new(), filter: None }
    }

    /// Whether a file is hidden: the result of [`Hidden::hides`].
    pub(crate) fn hides(&mut self, path: &Path) -> bool {
        self.may_hide(path) && self.hidden.hides(path)
    }

    /// Whether a file needs the full check. For most files, the name shows that they are not hidden.
    fn may_hide(&mut self, path: &Path) -> bool {
        let Some(rules) = &self.hidden.rules else { return false };
        if self.hidden.by_rule {
            return true;
        }
        if rules.mode() == Mode::BypassPermissions {
            return false;
        }
        let path = path.as_os_str().as_bytes();
        let Some(slash) = memrchr(b'/', path) else { return true };
        let (folder, name) = (&path[..slash], &path[slash + 1..]);
        if self.folder != folder {
            self.filter = None;
            self.folder.clear();
            self.folder.extend_from_slice(folder);
        }
        let filter =
            self.filter.get_or_insert_with(|| rules.credential_filter(&String::from_utf8_lossy(folder)));
        std::str::from_utf8(name).map_or(true, |name| filter.may_hold(name))
    }
}
