//! Ids of runs.

/// A fresh id of a task's run.
pub fn fresh_run_id() -> String {
    format!("{:09x}-{:08x}", fastrand::u64(..1 << 36), fastrand::u32(..))
}
