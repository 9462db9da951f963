//! Sessions: one actor each, which alone knows how its session stands.
//!
//! An actor takes requests of clients from its mailbox and lines of its agent from the keeper, turns both into
//! events, appends them to the log, and tells those who watch once they are committed. It can die at any moment:
//! all that it knows is in the log and in the keeper's spool.

mod absorb;
mod actor;
mod announce;
mod answer;
mod ask;
mod connect;
mod decide;
mod delivery;
mod details;
mod ended;
mod exchange;
mod launch;
mod lifecycle;
mod live;
mod own;
mod partial;
mod pending;
mod queue;
mod recall;
mod serve;
mod snapshot;
mod text;
mod translate;
mod trust;
mod unconfirmed;
mod watchers;

pub(crate) use actor::{Actor, MAILBOX};
pub(crate) use ask::{Answering, Ask, Verdict, Watch};
pub(crate) use connect::keeper_folder;
pub(crate) use decide::ambiguous;
pub(crate) use details::{Options, adopted};
pub(crate) use pending::meant_by;
pub(crate) use snapshot::info_of_row;
pub(crate) use text::{Piece, Stored, dress};
pub(crate) use translate::{Said, Translator, image};
pub(crate) use watchers::Watcher;
