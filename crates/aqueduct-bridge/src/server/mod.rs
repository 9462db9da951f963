//! The way in: HTTP, WebSocket and server-sent events over TCP, TLS and Unix sockets.
//!
//! [`Server`] is the entry point. hyper speaks HTTP/1.1; routes come from the table in
//! [`message::http`](crate::message::http), so there is no router besides it.
//!
//! A connection is one task from beginning to end. `start.rs` accepts it, `connection.rs` speaks HTTP on it,
//! `caller.rs` answers each request (`api.rs`, `auth.rs`, `site.rs`, `metrics.rs`), and `websocket.rs` takes over where it becomes a
//! WebSocket.
//!
//! # What must stay true
//!
//! - **Nobody is answered before the [`Gate`](crate::door::Gate) was asked**, and nothing but the UI's files, `/healthz`
//!   pairing and signing in before the [`Door`](crate::door::Door) was.
//! - **Everything has a limit**: connections, the size and time of a head, the size and pauses of a body, what waits to
//!   be written, how long a client may read nothing, how long a shutdown takes.
//! - **Strangers keep nobody out.** When there are too many connections, those go first that have shown no token.
//! - **Heads are read in one way.** [`HeadWatch`] refuses what proxies and servers read differently, ahead of the parser.
//! - **Every error is our `error` message**, also where no HTTP was understood.

mod answer;
mod api;
mod auth;
mod bind;
mod body;
mod caller;
mod connection;
mod crowd;
mod decode;
mod document;
mod error;
mod events;
mod find;
mod handshake;
mod head;
mod house;
mod image;
mod intake;
mod link;
mod listen;
mod metrics;
mod options;
mod pace;
mod site;
mod start;
mod stream;
mod tls;
mod websocket;
mod wire;

pub use error::ServerError;
pub use head::{HeadFault, HeadWatch, Phase};
pub use listen::Listen;
pub use options::Options;
pub use pace::Pace;
pub use site::{Asset, Assets};
pub use start::{Reserved, Server};
pub use tls::Tls;
