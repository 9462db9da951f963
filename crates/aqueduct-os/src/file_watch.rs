//! A notice that a file was deleted.

use std::os::fd::OwnedFd;
use std::path::Path;

use crate::platform;

/// Reports changes of the number of names that a file has. Where the system can't report them, look now and then.
#[derive(Debug)]
pub struct FileWatch(Option<OwnedFd>);

impl FileWatch {
    /// Watches a file. A process that has it open keeps the file, so its deletion is a change of its links.
    pub fn links(path: &Path) -> Self {
        FileWatch(platform::file::watch_links(path).ok().flatten())
    }

    /// Readable after a change; none where the system can't report them.
    pub fn events(&self) -> Option<&OwnedFd> {
        self.0.as_ref()
    }

    /// Takes all reports: any number of them is one look at the file.
    pub fn clear(&mut self) {
        let Some(events) = &self.0 else { return };
        let mut bytes = [0; 512];
        while matches!(rustix::io::read(events, &mut bytes), Ok(count) if count > 0) {}
    }
}
