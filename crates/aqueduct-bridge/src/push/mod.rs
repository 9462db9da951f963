//! Notifications for devices that look elsewhere: Web Push (RFC 8030), sealed for the device (RFC 8291) and signed with
//! the bridge's own key (RFC 8292).
//!
//! [`Push`] is the entry point. It is told [`News`] of sessions; its desk (`desk.rs`) decides which subscription hears of
//! it, a lane (`lane.rs`) for each subscription carries it, and `post.rs` makes one try of a delivery.
//!
//! # What must stay true
//!
//! - **Nobody waits for a push service.** A session leaves its news and goes on. A service that hangs holds up nothing but
//!   the lane of its own subscription, and what waits in a lane is bounded: newer news of a session takes the place of
//!   older.
//! - **Words are for those who asked for them.** Without [`PushSubscription::content`](crate::log::PushSubscription) a
//!   notification says that a session waits, is done or has failed, and not which.
//! - **The bridge is no way into the network around it.** Where a notification goes is said by a client, so names are
//!   resolved here and private addresses refused, each time, and no redirect is followed.
//! - **An endpoint is a secret.** Whoever knows it can reach the device: the journal names its host and nothing else.

mod address;
mod desk;
mod endpoint;
mod error;
mod handle;
mod key;
mod lane;
mod news;
mod post;
mod resolve;
mod seal;
mod settings;
mod withheld;

pub use address::is_public;
pub use endpoint::{Endpoint, EndpointError};
pub use error::PushError;
pub use handle::{Push, PushCounts};
pub use news::{News, Occasion};
pub use settings::{PushPace, PushSettings, PushWords};
