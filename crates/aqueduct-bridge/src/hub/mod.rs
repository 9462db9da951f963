//! Who hears what: the clients of the bridge, the sessions that it holds, and the way from one to the other.

mod catch_up;
mod decisions;
mod devices;
mod dispatch;
mod files;
mod held;
mod lists;
mod metrics;
mod outbox;
mod permit;
mod push;
mod sessions;
mod shared;
mod start;
mod trust;
mod visit;
mod visitor;

pub use metrics::{Counter, Metrics};
pub use shared::Hub;
pub use visit::{Parcel, Visit};
pub use visitor::Visitor;

pub(crate) use catch_up::CatchUp;
pub(crate) use outbox::{Item, Outbox};
pub(crate) use sessions::end_keeper;
pub(crate) use shared::Shared;
