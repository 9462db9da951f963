//! Sessions that are deleted while the bridge runs, because they are older than they are kept.

use std::time::Duration;

use aqueduct_bridge::hub::Hub;
use aqueduct_bridge::log::{ExpiredSession, RetentionPolicy, Time};
use aqueduct_wire::hint::HintedError as _;
use tokio::time::MissedTickBehavior;

use super::log_lines;

/// How often sessions are looked for; the first time at the start.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Deletes what a policy removes, as long as the bridge runs.
pub(super) async fn keep(hub: &Hub, policy: RetentionPolicy) {
    if !policy.is_limited() {
        return std::future::pending().await;
    }
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = Time::now();
        match hub.expire_sessions(policy, now).await {
            Ok(deleted) => deleted.iter().for_each(|session| report(session, now)),
            Err(failure) => log_lines::retention_failed(&failure.advised()),
        }
    }
}

/// Writes what was deleted and why, without anything of its content.
fn report(session: &ExpiredSession, now: Time) {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let age = u64::try_from(now.0.saturating_sub(session.updated.0) / DAY).unwrap_or_default();
    log_lines::session_expired(&session.id, session.reason.as_str(), age, session.bytes);
}
