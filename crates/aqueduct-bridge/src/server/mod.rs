//! The server: HTTP, WebSocket and server-sent events over TCP, TLS and Unix sockets.
//!
//! [`Server`] is the entry point. hyper parses HTTP/1.1; routes come from the table in
//! [`message::http`](crate::message::http), so no other router exists.
//!
//! | file | contents |
//! |---|---|
//! | `start.rs`, `options.rs`, `pace.rs`, `state.rs`, `error.rs` | [`Server`]: listeners, shutdown; options and timeouts; the state that connections share |
//! | `listen.rs`, `bind.rs`, `tls.rs`, `stream.rs`, `connection_limit.rs` | listening addresses and sockets, TLS, how many connections there may be |
//! | `connection.rs`, `wire.rs`, `head.rs` | one connection while it is HTTP: timeouts, limits, request heads checked ahead of the parser |
//! | `caller.rs`, `api.rs`, `auth.rs`, `find.rs`, `intake.rs`, `decode.rs` | a request: authentication, routing, its body |
//! | `response.rs`, `body.rs`, `events.rs`, `image.rs`, `document.rs`, `site.rs`, `metrics.rs`, `readiness.rs` | responses: messages, server-sent events, images, exports, files of the web UI, Prometheus metrics, readiness |
//! | `handshake.rs`, `websocket.rs`, `link.rs` | a WebSocket: its handshake, its loop, its frames without I/O |
//!
//! # Invariants
//!
//! - **Every request passes the [`OriginPolicy`](crate::auth::OriginPolicy)**, and all but the UI's files, `/healthz`, `/readyz`,
//!   pairing and signing in pass the [`Authenticator`](crate::auth::Authenticator).
//! - **Everything has a limit**: connections, the size and time of a head, the size and pauses of a body, the data that
//!   waits to be written, how long a client may read nothing, how long a shutdown takes.
//! - **Unauthenticated clients lock no client out.** At the limit, the oldest unauthenticated connection is
//!   closed first.
//! - **Heads have one interpretation.** [`HeadWatch`] refuses what proxies and servers parse differently.
//! - **Every error is an `error` message**, also where the request was not valid HTTP.
//! - **A connection is one task** from beginning to end.

mod api;
mod auth;
mod bind;
mod body;
mod caller;
mod connection;
mod connection_limit;
mod decode;
mod document;
mod error;
mod events;
mod find;
mod handshake;
mod head;
mod image;
mod intake;
mod link;
mod listen;
mod metrics;
mod options;
mod pace;
mod readiness;
mod response;
mod site;
mod start;
mod state;
mod stream;
mod tls;
mod websocket;
mod wire;

pub use error::ServerStartError;
pub use head::{HeadFault, HeadWatch, Phase};
pub use listen::Listen;
pub use options::ServerOptions;
pub use pace::Pace;
pub use site::{Asset, Assets};
pub use start::{ReservedServer, Server};
pub use tls::Tls;
