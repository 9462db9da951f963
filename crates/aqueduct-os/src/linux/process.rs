use std::ffi::CStr;
use std::io;

use rustix::process::{Signal, getpid, set_child_subreaper, set_parent_process_death_signal};

pub(crate) const ADOPTS_ORPHANS: bool = true;

pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

pub(crate) fn set_name(name: &CStr) {
    // A process that keeps its old name works as well.
    let _ = rustix::thread::set_name(name);
}

pub(crate) fn end_with_parent() -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}
