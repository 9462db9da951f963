//! The disk of the data folder: how much room there is, and what limits the log.

use std::path::Path;

use aqueduct_bridge::log::RetentionPolicy;
use aqueduct_os::resources::{DiskSpace, disk_space};
use serde_json::json;

use super::check::DoctorCheck;
use crate::config::Config;
use crate::terminal::bytes;

const SUBJECT: &str = "storage";

/// A disk with less room than this share of it is nearly full, unless it has [`ENOUGH`].
const LEAST_SHARE: u64 = 20;
/// A disk with this much room is not nearly full, however large it is.
const ENOUGH: u64 = 5 << 30;

pub(super) fn check(config: &Config) -> Option<DoctorCheck> {
    let folder = config.data_dir.ancestors().find(|folder| folder.exists())?;
    let space = disk_space(folder).ok()?;
    let log = log_size(&config.data_dir);
    Some(judge(space, log, &config.retention))
}

/// The size of the log with its write-ahead log.
fn log_size(data: &Path) -> u64 {
    let size = |name: &str| std::fs::metadata(data.join(name)).map_or(0, |data| data.len());
    size("log.sqlite3") + size("log.sqlite3-wal")
}

fn judge(space: DiskSpace, log: u64, retention: &RetentionPolicy) -> DoctorCheck {
    let DiskSpace { available, total } = space;
    let is_nearly_full = available < ENOUGH && available < total / LEAST_SHARE;
    let found = format!("the log has {}, its disk {} free of {}", bytes(log), bytes(available), bytes(total));
    let check = match (is_nearly_full, retention.is_limited()) {
        (false, _) => DoctorCheck::ok(SUBJECT, found),
        (true, true) => {
            DoctorCheck::warn(SUBJECT, found, "make room: the bridge accepts nothing on a full disk")
        }
        (true, false) => DoctorCheck::warn(
            SUBJECT,
            format!("{found}, and sessions are kept for ever"),
            "aqueduct prune --retain-age 90d --dry-run shows what could go; retain_age in the configuration keeps it so",
        ),
    };
    let age = retention.age.map(|age| age.as_secs());
    check.with_detail(json!({
        "logBytes": log,
        "availableBytes": available,
        "totalBytes": total,
        "retainAgeSeconds": age,
        "retainBytes": retention.bytes,
    }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::commands::doctor::check::CheckStatus;

    #[test]
    fn a_disk_that_is_nearly_full_names_the_command() {
        let space = |available: u64, total: u64| DiskSpace { available, total };
        let forever = RetentionPolicy::default();
        let limited = RetentionPolicy { age: Some(Duration::from_secs(86_400)), bytes: None };
        for (space, status) in [
            (space(200 << 30, 250 << 30), CheckStatus::Ok),
            (space(6 << 30, 4 << 40), CheckStatus::Ok),
            (space(1 << 30, 8 << 30), CheckStatus::Ok),
            (space(4 << 30, 250 << 30), CheckStatus::Warn),
            (space(0, 250 << 30), CheckStatus::Warn),
        ] {
            assert_eq!(judge(space, 1 << 30, &forever).status, status, "{space:?}");
        }
        let next = |policy| judge(space(1 << 30, 250 << 30), 1 << 30, policy).next.unwrap();
        assert!(next(&forever).starts_with("aqueduct prune --retain-age 90d --dry-run"));
        assert!(!next(&limited).contains("prune"));
    }
}
