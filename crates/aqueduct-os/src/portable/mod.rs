//! POSIX alone: what every Unix has.

pub(crate) mod file;
pub(crate) mod process;
pub(crate) mod process_handle;
pub(crate) mod socket;
pub(crate) mod system;
