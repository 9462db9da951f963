//! Messages on their way to clients: one bounded queue for each connection.
//!
//! `ClientOutbox` is the entry point. Sessions put `OutboxItem`s into the outboxes of the clients that watch
//! them; a connection takes them out as [`Outgoing`] and sends them.
//!
//! | file | contents |
//! |---|---|
//! | `queue.rs` | `ClientOutbox`: the queue, its bounds, and what it drops when a client falls behind |
//! | `stored.rs` | `Stored`: a message for the log, before it has a position in its session |
//! | `shared_text.rs` | [`SharedText`]: the text of a message, shared by the log and all clients |
//! | `delta.rs` | `AnswerDelta`, `SharedDelta`: a part of an answer that is being streamed |
//! | `catch_up.rs` | `CatchUp`: reads the stored messages that a client lacks from the log |
//! | `outgoing.rs` | [`Outgoing`]: what a connection does next |
//!
//! # Invariants
//!
//! - **A sender never waits.** Putting an item into an outbox never blocks, however slowly the client reads.
//! - **Memory is bounded** for each client. Items that do not fit are dropped and read from the log later.
//! - **A text exists once**, however many clients receive it.

mod catch_up;
mod delta;
mod outgoing;
mod queue;
mod shared_text;
mod stored;

pub use outgoing::Outgoing;
pub use shared_text::SharedText;

pub(crate) use catch_up::CatchUp;
pub(crate) use delta::{AnswerDelta, DeltaKind, SharedDelta};
pub(crate) use queue::{ClientOutbox, OutboxItem};
pub(crate) use stored::{Stored, raw_or_null, stamped, to_raw};
