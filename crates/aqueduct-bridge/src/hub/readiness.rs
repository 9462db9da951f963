//! Whether the bridge can do its work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::Hub;
use super::storage::StorageSizes;
use crate::log::LogError;
use crate::message::bridge::{Readiness, ReadinessCheck, ReadinessSubject as Subject};

/// How long the log may take to write a page.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long the result of the checks is used again: `/readyz` needs no credential, and each check writes to the disk.
const FRESH: Duration = Duration::from_secs(2);

/// With less space than this, the next large answer or database page may not fit.
const LEAST_SPACE: u64 = 64 << 20;

/// What is known of the bridge's readiness.
#[derive(Debug, Default)]
pub(crate) struct ReadinessState {
    /// How many listeners can't accept connections now.
    failing_listeners: AtomicUsize,
    last: Mutex<Option<(Instant, Readiness<'static>)>>,
}

impl ReadinessState {
    /// A listener can't accept connections, such as for lack of file descriptors.
    pub(crate) fn listener_fails(&self) {
        self.failing_listeners.fetch_add(1, Ordering::Relaxed);
    }

    /// A listener that could not accept connections can again.
    pub(crate) fn listener_recovers(&self) {
        self.failing_listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Hub {
    /// What listeners report about themselves.
    pub(crate) fn readiness_state(&self) -> &ReadinessState {
        &self.shared.readiness
    }

    /// Whether the bridge can do its work. The result may be two seconds old.
    pub async fn readiness(&self) -> Readiness<'static> {
        let mut last = self.shared.readiness.last.lock().await;
        if let Some((checked, readiness)) = &*last
            && checked.elapsed() < FRESH
        {
            return readiness.clone();
        }
        let checks = vec![
            check(Subject::Log, self.log_fault().await),
            check(Subject::Listener, self.listener_fault()),
            check(Subject::Disk, disk_fault(self.storage().await)),
        ];
        let readiness = Readiness::new(checks.iter().all(|check| check.ok), checks);
        *last = Some((Instant::now(), readiness.clone()));
        readiness
    }

    async fn log_fault(&self) -> Option<&'static str> {
        match timeout(PATIENCE, self.shared.log.check_writable()).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(public_reason(&error)),
            Err(_) => Some("the event log does not answer"),
        }
    }

    fn listener_fault(&self) -> Option<&'static str> {
        let failing = self.shared.readiness.failing_listeners.load(Ordering::Relaxed);
        if self.shared.registry().closing {
            return Some("the bridge is shutting down");
        }
        (failing > 0).then_some("a listener can't accept connections")
    }
}

fn check(subject: Subject<'static>, fault: Option<&'static str>) -> ReadinessCheck<'static> {
    let mut check = ReadinessCheck::new(subject, fault.is_none());
    check.message = fault.map(Into::into);
    check
}

fn disk_fault(sizes: StorageSizes) -> Option<&'static str> {
    match sizes.disk {
        None => Some("the disk of the data folder can't be examined"),
        Some(space) if space.available < LEAST_SPACE => {
            Some("the disk of the data folder has less than 64 MiB left")
        }
        Some(_) => None,
    }
}

/// Why the log can't be written, without paths: the answer needs no credential.
fn public_reason(error: &LogError) -> &'static str {
    match error {
        LogError::Full => "the event log can't be written: the disk is full",
        LogError::ReadOnly => "the event log can't be written: it is read-only",
        LogError::Lost { .. } => {
            "a file of the event log was removed, replaced or changed by another program"
        }
        LogError::Corrupt { .. } => "the event log is damaged",
        LogError::Closed => "the event log is closed",
        _ => "the event log can't be written",
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_os::resources::DiskSpace;

    use super::*;

    #[test]
    fn a_disk_without_space_is_a_fault() {
        let sizes = |available| StorageSizes {
            disk: Some(DiskSpace { available, total: 1 << 40 }),
            ..StorageSizes::default()
        };
        assert_eq!(disk_fault(sizes(LEAST_SPACE)), None);
        assert!(disk_fault(sizes(LEAST_SPACE - 1)).is_some_and(|fault| fault.contains("64 MiB")));
        assert!(disk_fault(StorageSizes::default()).is_some());
    }

    #[test]
    fn reasons_name_no_path() {
        let path = "/home/ada/secret".into();
        let lost = LogError::Lost { path, detail: "was removed or moved".to_owned() };
        assert!(!public_reason(&lost).contains('/'));
    }
}
