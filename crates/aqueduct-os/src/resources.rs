//! What this process uses, and the system and the machine that it runs on.

use std::io;
use std::path::Path;

use crate::platform;

/// The bytes that this process has in memory, where the system reports it.
pub fn resident_memory() -> Option<u64> {
    platform::system::resident_memory()
}

/// The space of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskSpace {
    /// The bytes that this user can still write.
    pub available: u64,
    /// The bytes that the file system has.
    pub total: u64,
}

/// The space of the disk that has this path.
pub fn disk_space(path: &Path) -> io::Result<DiskSpace> {
    let system = rustix::fs::statvfs(path)?;
    let bytes = |blocks: u64| blocks.saturating_mul(system.f_frsize);
    Ok(DiskSpace { available: bytes(system.f_bavail), total: bytes(system.f_blocks) })
}

/// How many files this process has open, where the system reports it.
pub fn open_files() -> Option<u64> {
    platform::system::open_files()
}

/// How many files this process may open; `None` if there is no limit.
pub fn open_files_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// The machine's name, without its domain.
pub fn machine_name() -> Option<String> {
    let names = rustix::system::uname();
    let name = names.nodename().to_string_lossy();
    let first = name.split('.').next().unwrap_or_default();
    (!first.is_empty()).then(|| first.to_owned())
}

/// The system's name and release, as `uname` reports them.
pub fn system_release() -> String {
    let names = rustix::system::uname();
    format!("{} {}", names.sysname().to_string_lossy(), names.release().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_has_no_more_room_than_bytes() {
        let space = disk_space(Path::new("/")).unwrap();
        assert!(space.total > 0 && space.available <= space.total, "{space:?}");
        assert!(disk_space(Path::new("/is/not/there")).is_err());
    }

    #[test]
    fn open_files_are_below_the_limit() {
        let limit = open_files_limit().unwrap_or(u64::MAX);
        assert!(open_files().is_none_or(|open| open > 0 && open <= limit));
    }
}
