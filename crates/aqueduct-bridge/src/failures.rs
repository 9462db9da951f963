//! Failures that users see: one place that counts them by kind and writes their log lines.

use std::collections::VecDeque;
use std::fmt::{self, Display};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use aqueduct_tracing::EventRow;
use aqueduct_tracing::tracing::Level;

use crate::auth::{Attempts, Peer};
use crate::log::{LogError, Time};
use crate::metrics::Counter;

/// How many of the latest failures are kept.
const RECENT: usize = 64;

/// How many lines a kind of failure gets for one session or peer at once, and how long until one more. Further failures
/// are counted, and the next line has their number.
const LINES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(10);

/// Where the events are from, for filters.
const TARGET: &str = "aqueduct::bridge";

/// The fields of the lines.
const FIELDS: &[&str] = &["session_id", "peer", "device_id", "error", "not_written"];

/// Makes the table of failures: kind, level, name, and what happened and what was done about it.
macro_rules! failures {
    ($( $(#[doc = $doc:literal])* $kind:ident = $level:ident $name:literal: $message:literal; )*) => {
        /// The kind of a failure.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum FailureKind {
            $( $(#[doc = $doc])* $kind, )*
        }

        impl FailureKind {
            /// All kinds.
            pub const ALL: &[FailureKind] = &[$(FailureKind::$kind,)*];

            /// Its name in metrics. That of its event is `failure.` and this.
            pub fn name(self) -> &'static str {
                match self {
                    $(FailureKind::$kind => $name,)*
                }
            }

            /// What happened, and what was done about it.
            pub fn message(self) -> &'static str {
                match self {
                    $(FailureKind::$kind => $message,)*
                }
            }

            fn emit(self, line: &FailureLine<'_>) {
                match self {
                    $(FailureKind::$kind => aqueduct_tracing::tracing::event!(
                        name: concat!("failure.", $name),
                        target: TARGET,
                        Level::$level,
                        {
                            session_id = line.subject.session_id(),
                            peer = line.subject.peer().map(aqueduct_tracing::tracing::field::display),
                            device_id = line.subject.device_id(),
                            error = line.error,
                            not_written = line.not_written,
                            message = $message
                        }
                    ),)*
                }
            }
        }

        /// The events of failures.
        pub const FAILURE_EVENTS: &[EventRow] = &[$(
            EventRow {
                name: concat!("failure.", $name),
                level: Level::$level,
                target: TARGET,
                message: $message,
                fields: FIELDS,
            },
        )*];
    };
}

failures! {
    /// An agent could not be started.
    AgentStart = WARN "agent_start": "the agent could not be started; its inputs wait";
    /// An agent ended without being asked to.
    AgentCrash = WARN "agent_crash": "the agent ended unexpectedly; inputs that it did not take wait for the next one";
    /// An agent did not answer a request in time.
    AgentTimeout = WARN "agent_timeout": "the agent did not answer in time; the request failed, and the agent runs on";
    /// A keeper ended before its agent.
    KeeperLost = WARN "keeper_lost": "the keeper ended unexpectedly, and the agent with it; the output that it stored is read";
    /// A keeper does not answer.
    KeeperUnreachable = WARN "keeper_unreachable": "the keeper does not answer; inputs wait until it does or the session is stopped";
    /// A keeper, its folder or what it left behind can't be used.
    KeeperUnusable = WARN "keeper_unusable": "the keeper can't be used now; it is tried again in 5 seconds";
    /// A keeper does not read its agent.
    KeeperStalled = WARN "keeper_stalled": "the keeper can't store the agent's output; the agent waits until it can";
    /// Output of an agent is lost.
    OutputUnreadable = ERROR "output_unreadable": "a part of the agent's output can't be read; the session continues without it";

    /// The disk with the event log is full.
    DiskFull = ERROR "disk_full": "the disk with the event log is full; nothing was stored, and it is tried again";
    /// The event log may not be written.
    StorageReadOnly = ERROR "storage_read_only": "the event log may not be written; nothing was stored, and it is tried again";
    /// The disk failed.
    StorageIo = ERROR "storage_io": "the disk with the event log failed; nothing was stored, and it is tried again";
    /// The event log is damaged.
    StorageDamaged = ERROR "storage_damaged": "the event log is damaged; nothing was stored";
    /// A file of the event log was removed or replaced.
    StorageLost = ERROR "storage_lost": "a file of the event log was removed or replaced; nothing is stored until the bridge is restarted";
    /// The event log failed in another way.
    StorageError = ERROR "storage_error": "the event log failed; nothing was stored";

    /// A request failed inside the bridge.
    RequestFailed = ERROR "request_failed": "a request failed; the client received the error";
    /// A connection could not be accepted: no file descriptors are left, for example.
    Accept = ERROR "accept": "a connection could not be accepted; those that wait are tried again, and open ones stay";
    /// No slot was free for a connection.
    TooManyConnections = WARN "too_many_connections": "too many connections are open; one was refused";
    /// TLS could not be agreed on.
    TlsHandshake = INFO "tls_handshake": "TLS was not established; the connection was closed";
    /// Certificates could not be read again.
    TlsReload = ERROR "tls_reload": "the certificates could not be read again; those of before stay in use";
    /// What a client sent is not HTTP, or came too slowly.
    MalformedRequest = INFO "malformed_request": "the input of a connection was not HTTP; it was answered with an error and closed";
    /// A client does not read.
    SlowClient = WARN "slow_client": "a client did not read what was sent to it; its connection was closed, and it can resume";
    /// A client fell behind.
    ClientBehind = INFO "client_behind": "a client fell behind; what it missed is read from the event log";

    /// A page of another origin, or a name that is not the bridge's.
    ForeignOrigin = WARN "foreign_origin": "a request from a foreign origin or for a foreign host was refused";
    /// A request without the access that it needs.
    RequestRefused = INFO "request_refused": "a request without the necessary access was refused";
    /// A token that is not known.
    WrongToken = WARN "wrong_token": "a credential that is not valid was refused";
    /// A device could not sign in.
    SignIn = WARN "sign_in": "a device could not sign in; it was refused";
    /// A pairing code that is not good.
    Pairing = WARN "pairing": "a pairing code that is not valid was refused";
    /// Another user at the admin socket.
    AdminSocket = WARN "admin_socket": "another user at the socket for administration was refused";
    /// A revocation could not be stored.
    RevocationUnsaved = ERROR "revocation_unsaved": "a revocation is in effect but could not be stored; it is lost when the bridge ends";

    /// A notification was given up.
    PushDelivery = WARN "push_delivery": "a notification was not accepted by its push service and was dropped";

    /// Traces or metrics were not delivered.
    TelemetryExport = WARN "telemetry_export": "traces or metrics could not be delivered; later ones are sent, and those that do not fit are dropped";
}

impl FailureKind {
    /// The kind of an error of the event log. None if the log works and what was asked of it can't be done.
    pub(crate) fn of_storage(error: &LogError) -> Option<Self> {
        Some(match error {
            LogError::Full => FailureKind::DiskFull,
            LogError::ReadOnly => FailureKind::StorageReadOnly,
            LogError::Io { .. } => FailureKind::StorageIo,
            LogError::Corrupt { .. } => FailureKind::StorageDamaged,
            LogError::Lost { .. } => FailureKind::StorageLost,
            LogError::Closed
            | LogError::NoSession { .. }
            | LogError::SessionExists { .. }
            | LogError::InputState { .. }
            | LogError::NoDevice { .. }
            | LogError::TooLarge => return None,
            _ => FailureKind::StorageError,
        })
    }
}

/// What a failure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureSubject<'a> {
    /// A session.
    Session(&'a str),
    /// A connection from this peer.
    Peer(Peer),
    /// A paired device.
    Device(&'a str),
    /// The bridge as a whole.
    Bridge,
}

impl<'a> FailureSubject<'a> {
    fn session_id(self) -> Option<&'a str> {
        match self {
            FailureSubject::Session(id) => Some(id),
            _ => None,
        }
    }

    fn peer(self) -> Option<Peer> {
        match self {
            FailureSubject::Peer(peer) => Some(peer),
            _ => None,
        }
    }

    fn device_id(self) -> Option<&'a str> {
        match self {
            FailureSubject::Device(id) => Some(id),
            _ => None,
        }
    }
}

/// What a line has besides the kind.
struct FailureLine<'a> {
    subject: FailureSubject<'a>,
    error: fmt::Arguments<'a>,
    /// How many failures of this kind had no line since the last one.
    not_written: Option<u64>,
}

/// A failure that was reported lately.
#[derive(Debug, Clone)]
pub struct RecentFailure {
    /// When it happened.
    pub time: Time,
    /// Its kind.
    pub kind: FailureKind,
    /// The session that it is about.
    pub session_id: Option<String>,
    /// Why it happened, in one line.
    pub error: String,
}

/// The failures since the bridge started. All of them pass [`Failures::report`].
#[derive(Debug)]
pub struct Failures {
    counts: Vec<FailureCount>,
    /// How often a kind gets a line for the same subject.
    lines: Attempts<(FailureKind, String)>,
    recent: Mutex<VecDeque<RecentFailure>>,
}

#[derive(Debug, Default)]
struct FailureCount {
    all: Counter,
    /// Those without a line.
    not_written: Counter,
}

impl Default for Failures {
    fn default() -> Self {
        Failures {
            counts: FailureKind::ALL.iter().map(|_| FailureCount::default()).collect(),
            lines: Attempts::new(LINES, PAUSE),
            recent: Mutex::default(),
        }
    }
}

impl Failures {
    /// Counts a failure and writes its line. `error` is why it happened: it holds neither secrets nor what users or agents
    /// wrote.
    pub fn report(&self, kind: FailureKind, subject: FailureSubject<'_>, error: impl Display) {
        let Some(count) = self.counts.get(kind as usize) else { return };
        count.all.add(1);
        self.remember(kind, subject, &error);
        if self.lines.count((kind, key(subject))).is_err() {
            count.not_written.add(1);
            return;
        }
        let not_written = Some(count.not_written.take()).filter(|count| *count > 0);
        kind.emit(&FailureLine { subject, error: format_args!("{error}"), not_written });
    }

    /// The same for an error of the event log, if the log failed.
    pub(crate) fn report_storage(&self, error: &LogError, subject: FailureSubject<'_>) {
        if let Some(kind) = FailureKind::of_storage(error) {
            self.report(kind, subject, error);
        }
    }

    /// How often a failure of this kind has happened.
    pub fn count(&self, kind: FailureKind) -> u64 {
        self.counts.get(kind as usize).map_or(0, |count| count.all.get())
    }

    /// The latest failures, the oldest first.
    pub fn recent(&self) -> Vec<RecentFailure> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn remember(&self, kind: FailureKind, subject: FailureSubject<'_>, error: &impl Display) {
        let failure = RecentFailure {
            time: Time::now(),
            kind,
            session_id: subject.session_id().map(str::to_owned),
            error: error.to_string(),
        };
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= RECENT {
            recent.pop_front();
        }
        recent.push_back(failure);
    }
}

/// What shares the lines of a kind.
fn key(subject: FailureSubject<'_>) -> String {
    match subject {
        FailureSubject::Session(id) | FailureSubject::Device(id) => id.to_owned(),
        FailureSubject::Peer(peer) => peer.to_string(),
        FailureSubject::Bridge => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_metrics_and_unlike() {
        let mut names: Vec<&str> = FailureKind::ALL.iter().map(|kind| kind.name()).collect();
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FailureKind::ALL.len());
        for (kind, row) in FailureKind::ALL.iter().zip(FAILURE_EVENTS) {
            assert_eq!(row.name, format!("failure.{}", kind.name()));
            assert_eq!(row.message, kind.message());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn every_failure_is_counted_and_the_latest_are_kept() {
        let failures = Failures::default();
        for number in 0..RECENT + 10 {
            let session = format!("s-{number}");
            failures.report(FailureKind::AgentCrash, FailureSubject::Session(&session), "ended with code 1");
        }
        assert_eq!(failures.count(FailureKind::AgentCrash), RECENT as u64 + 10);
        assert_eq!(failures.count(FailureKind::DiskFull), 0);
        let recent = failures.recent();
        assert_eq!(recent.len(), RECENT);
        assert_eq!(recent[0].session_id.as_deref(), Some("s-10"));
        assert_eq!(recent[0].error, "ended with code 1");
    }

    #[tokio::test(start_paused = true)]
    async fn a_subject_that_fails_all_the_time_does_not_fill_the_log() {
        let failures = Failures::default();
        let storm = FailureSubject::Session("storm");
        let unwritten = || failures.counts[FailureKind::DiskFull as usize].not_written.get();
        for _ in 0..100 {
            failures.report(FailureKind::DiskFull, storm, "full");
        }
        assert_eq!((failures.count(FailureKind::DiskFull), unwritten()), (100, 95));
        failures.report(FailureKind::DiskFull, FailureSubject::Session("other"), "full");
        assert_eq!(unwritten(), 0, "the line of another session has the number");
        tokio::time::advance(PAUSE).await;
        failures.report(FailureKind::DiskFull, storm, "full");
        assert_eq!(unwritten(), 0);
    }
}
