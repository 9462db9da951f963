//! The bridge as a service of systemd: readiness, state, watchdog, and sockets that it listens on already.
//!
//! Without a service manager all of it does nothing.

mod socket;
mod watchdog;

use std::io;
use std::time::Duration;

use aqueduct_bridge::hub::Hub;
use aqueduct_bridge::log::Log;
use sd_notify::NotifyState;

pub(super) use self::socket::ServiceSocket;
use crate::output;

/// The service manager that started this process, if one did.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServiceManager {
    /// Within which time it expects a sign of life.
    watchdog: Option<Duration>,
}

impl ServiceManager {
    /// That of this process.
    pub(super) fn of_this_process() -> Self {
        ServiceManager { watchdog: sd_notify::watchdog_enabled() }
    }

    /// The bridge serves clients.
    pub(super) fn ready(self, hub: &Hub) {
        self.notify(&[NotifyState::Ready, NotifyState::Status(&status(hub))]);
    }

    /// It reads its files again; [`ServiceManager::ready`] follows.
    pub(super) fn reloading(self) {
        // Newer versions of systemd need the time, older ones ignore it.
        match NotifyState::monotonic_usec_now() {
            Ok(now) => self.notify(&[NotifyState::Reloading, now]),
            Err(_) => self.notify(&[NotifyState::Reloading]),
        }
    }

    /// It ends.
    pub(super) fn stopping(self) {
        self.notify(&[NotifyState::Stopping, NotifyState::Status("stopping; agents continue")]);
    }

    /// Sends signs of life, each after the hub and the writer of the log have answered. Part of the main loop: if that
    /// one or one of the others is stuck, no more are sent, and the service manager starts the bridge again.
    pub(super) async fn watch(self, hub: &Hub, log: &Log) {
        let Some(limit) = self.watchdog else { return std::future::pending().await };
        let answers = async || {
            log.reach_writer().await;
            status(hub)
        };
        watchdog::run(limit, answers, |status| {
            self.notify(&[NotifyState::Watchdog, NotifyState::Status(&status)]);
        })
        .await;
    }

    fn notify(self, states: &[NotifyState<'_>]) {
        match sd_notify::notify(states) {
            // One whose socket is gone waits for nothing any more.
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                output::remark(&format!("the service manager was not notified: {error}"));
            }
            _ => {}
        }
    }
}

/// What `systemctl status` shows.
fn status(hub: &Hub) -> String {
    let statuses = hub.statuses();
    let total: usize = statuses.iter().map(|(_, count)| count).sum();
    let parts: Vec<String> = statuses
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(status, count)| format!("{count} {}", status.replace('_', " ")))
        .collect();
    match total {
        0 => "no sessions".to_owned(),
        1 => format!("1 session: {}", parts.join(", ")),
        _ => format!("{total} sessions: {}", parts.join(", ")),
    }
}
