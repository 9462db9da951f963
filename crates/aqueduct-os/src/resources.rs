//! What this process uses, and the system and the machine that it runs on.

use crate::platform;

/// The bytes that this process has in memory, where the system reports it.
pub fn resident_memory() -> Option<u64> {
    platform::system::resident_memory()
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
