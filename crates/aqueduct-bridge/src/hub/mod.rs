//! The hub: owns the sessions and the connected clients, and dispatches requests between them.
//!
//! [`Hub`] is the entry point. [`Hub::connect`] returns a [`ClientConnection`]: messages of the client go into
//! [`receive`](ClientConnection::receive), and what to send comes out of [`next`](ClientConnection::next).
//!
//! | file | contents |
//! |---|---|
//! | `shared.rs`, `registry.rs` | [`Hub`] and its state; the registry of running sessions and connected clients |
//! | `session_host.rs` | what the hub does for its sessions: the implementation of `SessionHost` |
//! | `sessions.rs` | which session a request refers to; removal of unknown keepers |
//! | `client_connection.rs` | [`ClientConnection`]: one connected client |
//! | `dispatch.rs`, `permit.rs` | each message of a client: the check of its grant, and its handler |
//! | `start.rs`, `expire.rs`, `decisions.rs`, `lists.rs`, `files.rs`, `trust.rs`, `devices.rs`, `push.rs` | the handlers, one subject a file |
//! | `status.rs`, `readiness.rs`, `storage.rs` | the state of the bridge, whether it can do its work, the sizes of its data |
//!
//! # Invariants
//!
//! - **Every message passes `permit` once, however it arrives**: expiry, scope, root, confirmation.
//! - **The hub never waits for a client.** Messages go into the client's [`Outbox`](crate::outbox).
//! - **A session has at most one actor.** It is started on demand, and started again after it has closed.

mod client_connection;
mod decisions;
mod devices;
mod dispatch;
mod expire;
mod files;
mod lists;
mod mcp;
mod permit;
mod push;
mod readiness;
mod registry;
mod session_host;
mod sessions;
mod shared;
mod start;
mod status;
mod storage;
mod trust;

pub use client_connection::ClientConnection;
pub use shared::Hub;

use shared::HubState;
