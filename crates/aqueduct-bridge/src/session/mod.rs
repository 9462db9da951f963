//! Sessions: one actor each, which owns the state of its session.
//!
//! An actor takes [`SessionCommand`]s from its mailbox and lines of its agent from the keeper, turns both into events,
//! appends them to the log, and sends them to its watchers once they are committed. It reaches the bridge around it
//! through [`Services`] and [`SessionHost`] only.
//!
//! | file | contents |
//! |---|---|
//! | `actor.rs`, `serve.rs`, `command.rs` | [`SessionActor`]: its loop; the commands and their execution |
//! | `host.rs` | [`Services`], [`SessionHost`]: what an actor uses of the bridge |
//! | `absorb.rs`, `translate.rs`, `partial.rs` | lines of the agent become messages, one commit for each batch; answers that are being streamed, in bounded memory |
//! | `queue.rs`, `delivery.rs`, `unconfirmed.rs`, `recall.rs` | inputs: queued, changed, sent to the agent; their confirmation; inputs that may be lost; inputs that only the keeper's journal has |
//! | `pending.rs`, `decide.rs`, `answer.rs`, `bridge_requests.rs` | open requests of the agent, decisions, responses; requests of the bridge itself (budget, retries) |
//! | `lifecycle.rs`, `launch.rs`, `trust.rs`, `connect.rs`, `agent_exit.rs` | start and end of the agent, its arguments, its restrictions, the connection to its keeper, exited agents and keepers |
//! | `live.rs`, `exchange.rs` | the running agent; control requests in both directions |
//! | `snapshot.rs`, `watchers.rs`, `details.rs`, `announce.rs` | a session as clients see it; its watchers; further stored state; notifications |
//! | `timing.rs` | times and usage for the metrics |
//! | `observed.rs` | reports to an observer of the session ([`crate::telemetry`]) |
//! | `bounds.rs` | tests of memory bounds against hostile agents |
//!
//! # Invariants
//!
//! - **An actor may die at any time.** All of its state is in the log and in the keeper's spool. After a failed write it
//!   does not guess: it starts over from the log.
//! - **Commit, then send, then acknowledge.** A commit gives messages their numbers and moves the position up to which the
//!   agent's output was read; the keeper deletes output only after that.
//! - **An input is stored as sent, with its message, before the keeper gets it**, always under the same id.
//! - **A decision is stored with the response line for the agent** until the keeper has it.

mod absorb;
mod actor;
mod agent_exit;
mod announce;
mod answer;
#[cfg(test)]
mod bounds;
mod bridge_requests;
mod command;
mod connect;
mod decide;
mod delivery;
mod details;
mod exchange;
mod host;
mod launch;
mod lifecycle;
mod live;
mod observed;
mod partial;
mod pending;
mod queue;
mod recall;
mod serve;
mod snapshot;
mod timing;
mod translate;
mod trust;
mod unconfirmed;
mod watchers;

pub(crate) use actor::{MAILBOX, SessionActor};
pub(crate) use command::{ClientDecision, ReplySender, SessionCommand, WatchStart};
pub(crate) use connect::keeper_folder;
pub(crate) use decide::ambiguous;
pub(crate) use details::{StoredOptions, adopted};
pub(crate) use host::{Services, SessionHost};
pub(crate) use pending::meant_by;
pub(crate) use snapshot::info_of_row;
pub(crate) use translate::{SessionOutput, Translator, image};
pub(crate) use watchers::Watcher;
