//! The event log: everything that must outlive the bridge, in one SQLite database.
//!
//! [`Log`] is the way in. A session's events have numbers 1, 2, 3 and so on, and are never changed. What a
//! batch of them changes besides (the place up to which the agent's output was read, requests, inputs, cost,
//! status) is in the same [`Append`], and an `Append` happens as a whole or not at all. So a bridge that was
//! killed goes on where the log says that it was, and nothing is lost or told twice.
//!
//! # What must stay true
//!
//! - **One thread writes**, and commits together what came together. Who appends hears of it after the
//!   commit. Reading has connections of its own and never waits for it.
//! - **First come, first served, by the database**: a decision, an input, a pairing code count once, because
//!   the statement that takes them has that condition.
//! - **Bounded**: the queue in messages and bytes, a page of events in number and bytes, the text of an event
//!   that is indexed, the page caches.
//! - **Never into files that are gone**: each commit is acknowledged only if the data folder still has the files
//!   that it went to. Otherwise the log fails, and stays so until the bridge is started again: [`LogError::Lost`].
//! - What was appended survives the death of this process at any moment. The write-ahead log is not flushed
//!   at every commit, so a power cut may set the log back by the last moments, to an earlier commit as a
//!   whole: [`Page::last_seq`] tells clients so.
//!
//! # What it does not own
//!
//! Deltas are never here, only whole messages. The log keeps JSON as text and looks inside for searches only.
//! Hashes and ids are made by those who call.

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
mod page;
mod pending;
mod purge;
mod push;
mod queue;
mod readers;
mod recovery;
mod revocation;
mod schema;
mod search;
mod session;
mod sessions;
mod time;
mod usage;
mod writer;

pub use append::{Append, Appended, Change};
pub use device::{Device, NewDevice, Paired};
pub use error::LogError;
pub use event::{Event, NewEvent};
pub use grant::Grant;
pub use handle::Log;
pub use input::{Edited, Enqueued, Input, InputState, NewInput};
pub use page::{Attachment, EventStream, Limits, Page, Place};
pub use pending::{Decided, Decision, Hash, NewPending, Pending, PendingState};
pub use push::PushSubscription;
pub use search::{Found, Hit, SearchQuery};
pub use session::{NewSession, Session};
pub use sessions::SessionQuery;
pub use time::Time;
pub use usage::{RateLimit, Tokens, TurnUsage, UsageQuery, UsageRow};
