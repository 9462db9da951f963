//! Word that the session's folder was deleted.

use std::os::fd::OwnedFd;

use crate::keeper::folder::Folder;

/// Tells when the lock file of the session's folder is deleted. Where the system can't tell, the keeper looks after it
/// now and then.
#[derive(Debug)]
pub(super) struct Removal(Option<OwnedFd>);

impl Removal {
    #[cfg(target_os = "linux")]
    pub(super) fn watch(folder: &Folder) -> Removal {
        use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};

        let watched = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).and_then(|events| {
            // The keeper has the file open, so its end is not the deletion; a change of its link count is.
            add_watch(&events, folder.lock_path(), WatchFlags::ATTRIB)?;
            Ok(events)
        });
        Removal(watched.ok())
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn watch(_folder: &Folder) -> Removal {
        Removal(None)
    }

    /// Readable after something happened to the folder's lock.
    pub(super) fn events(&self) -> Option<&OwnedFd> {
        self.0.as_ref()
    }

    /// Any number of events is one look at the folder.
    pub(super) fn forget(&mut self) {
        let Some(events) = &self.0 else { return };
        let mut bytes = [0; 512];
        while matches!(rustix::io::read(events, &mut bytes), Ok(count) if count > 0) {}
    }
}
