//! Web Push notifications (RFC 8030), encrypted for the device (RFC 8291) and signed with the bridge's own key (RFC 8292).
//!
//! [`Push`] is the entry point. It takes a [`PushNotification`] of a session; the dispatcher decides which
//! subscriptions get it, each subscription has a queue with a task that delivers it, and the client makes one
//! attempt of a delivery.
//!
//! | file | contents |
//! |---|---|
//! | `handle.rs` | [`Push`]: subscribe, unsubscribe, announce |
//! | `notification.rs`, `settings.rs` | [`PushNotification`], [`NotificationKind`] and their text; [`PushSettings`] |
//! | `dispatcher.rs`, `withheld.rs` | which subscriptions get what; notifications that are withheld while a device watches |
//! | `queue.rs`, `client.rs` | the queue of one subscription, with retries; one HTTP request |
//! | `encrypt.rs`, `key.rs` | the encrypted message; the bridge's VAPID key |
//! | `endpoint.rs`, `resolve.rs` | where notifications may be sent |
//!
//! # Invariants
//!
//! - **A session never waits for a push service.** A service that hangs delays only its own subscription, and queues are
//!   bounded: a newer notification of a session replaces an older one.
//! - **Content is opt-in.** Without [`PushSubscription::content`](crate::log::PushSubscription) a
//!   notification only reports that a session waits, is done or has failed.
//! - **No server-side request forgery.** A client names the endpoint, so names are resolved here and private addresses
//!   are refused, each time, and redirects are not followed.
//! - **An endpoint is a secret.** It is enough to reach the device, so log lines have only its host.

mod client;
mod dispatcher;
mod encrypt;
mod endpoint;
mod error;
mod handle;
mod key;
mod notification;
mod queue;
mod resolve;
mod settings;
mod withheld;

pub use endpoint::{EndpointError, PushEndpoint};
pub use error::PushError;
pub use handle::{Push, PushCounts};
pub use notification::{NotificationKind, PushNotification};
pub use settings::{PushPace, PushSettings, PushWords};
