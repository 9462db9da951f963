//! The user of this process.

use rustix::process::{getegid, geteuid};

/// The user whose rights this process has.
pub fn effective_id() -> u32 {
    geteuid().as_raw()
}

/// The group whose rights this process has.
pub fn effective_group() -> u32 {
    getegid().as_raw()
}
