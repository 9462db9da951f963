use rustix::process::{Pid, Signal, kill_process_group};

/// A process group, which ends with this value.
#[derive(Debug)]
pub(crate) struct Group(Option<Pid>);

impl Group {
    /// The group that a process leads.
    pub(crate) fn led_by(id: u32) -> Self {
        Group(i32::try_from(id).ok().and_then(Pid::from_raw))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // A group without a process can't be signalled, and needn't.
            let _ = kill_process_group(group, signal);
        }
    }

    /// The group is gone; its number may be another's by now.
    pub(crate) fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}
