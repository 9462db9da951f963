//! Linux: `/proc`, pidfds, subreapers, `openat2`, inotify.

pub(crate) mod file;
pub(crate) mod process;
pub(crate) mod process_handle;
pub(crate) mod socket;
pub(crate) mod system;
