//! The event log: everything that must outlive the bridge, in one SQLite database.
//!
//! [`Log`] is the entry point. A session's events have numbers 1, 2, 3 and so on, and are never changed. What a
//! batch of them changes besides (the place up to which the agent's output was read, requests, inputs, cost,
//! status) is in the same [`Append`], and an `Append` happens as a whole or not at all. So a bridge that was
//! killed resumes at the position in the log, and nothing is lost or sent twice.
//!
//! | file | contents |
//! |---|---|
//! | `handle.rs`, `append.rs` | [`Log`]; [`Append`]: events with everything that changes with them |
//! | `writer.rs`, `job.rs`, `chores.rs`, `purge.rs` | the thread that writes, its jobs, and its work while idle: indexing, purging, checkpoints |
//! | `readers.rs`, `page.rs` | connections that read; pages of events in both directions |
//! | `session.rs`, `sessions.rs`, `event.rs`, `input.rs`, `queue.rs`, `pending.rs`, `usage.rs`, `device.rs`, `grant.rs`, `revocation.rs`, `push.rs`, `time.rs` | one subject a file: its type, its SQL, its methods of `Log` |
//! | `search/` | full-text search |
//! | `snapshot.rs`, `retention.rs` | a state of the log for backups and other readers; which sessions are removed for their age or size |
//! | `database.rs`, `schema.rs`, `schema/`, `lock.rs`, `check.rs` | the database file, migrations, the lock on the data folder, integrity checks |
//! | `measure.rs` | how long commits take, and how many writes wait |
//! | `files.rs`, `recovery.rs`, `error.rs` | whether the data folder still has the files that are written to; repairs at opening; errors |
//!
//! # Invariants
//!
//! - **One thread writes**, and commits together what came together. A caller gets its result after
//!   the commit. Readers have their own connections and never wait for it.
//! - **First come, first served, by the database**: a decision, an input, a pairing code count once, because
//!   the statement that takes them has that condition.
//! - **Bounded**: the queue in messages and bytes, a page of events in number and bytes, the text of an event
//!   that is indexed, the page caches.
//! - **Never into files that are gone**: each commit is acknowledged only if the data folder still has the files
//!   that it went to. Otherwise the log fails, and stays so until the bridge is started again: [`LogError::Lost`].
//! - What was appended survives the death of this process at any time. The write-ahead log is not flushed
//!   at every commit, so a power cut may set the log back by the last commits, to an earlier commit as a
//!   whole: [`EventPage::last_seq`] shows this to clients.
//!
//! # What it does not own
//!
//! Deltas are not stored, only whole messages. The log keeps JSON as text and looks inside for searches only.
//! Callers make hashes and ids.

mod append;
mod check;
mod chores;
mod database;
mod device;
mod error;
mod event;
mod files;
mod grant;
mod handle;
mod input;
mod job;
mod lock;
mod measure;
mod page;
mod pending;
mod purge;
mod push;
mod queue;
mod readers;
mod recovery;
mod retention;
mod revocation;
mod schema;
mod search;
mod session;
mod sessions;
mod snapshot;
mod time;
mod usage;
mod writer;

pub use append::{Append, Appended, SessionChange};
pub use device::{Device, NewDevice, PairingOutcome};
pub use error::LogError;
pub use event::{LogEvent, NewEvent};
pub use grant::Grant;
pub use handle::Log;
pub use input::{EditOutcome, EnqueueOutcome, NewInput, StoredInput, StoredInputState};
pub use measure::LogMetrics;
pub use page::{AttachedSession, EventPage, EventStream, PageLimits, PagePosition};
pub use pending::{DecisionOutcome, Hash, NewPending, PendingState, RecordedDecision, StoredRequest};
pub use push::PushSubscription;
pub use retention::{ExpiredSession, RetentionPlan, RetentionPolicy, RetentionReason};
pub use search::{EventHit, EventHits, EventQuery};
pub use session::{NewSession, SessionRecord};
pub use sessions::SessionQuery;
pub use snapshot::{KeptSession, LogCounts, LogSnapshot};
pub use time::Time;
pub use usage::{DailyUsage, RateLimit, TokenCounts, TurnUsage, UsageQuery};
