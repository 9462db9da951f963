//! The contract between the bridge and its clients: every message in both directions, from one table each.
//!
//! Parser, writer, TypeScript types, JSON Schema, OpenAPI and the tables of docs/bridge-api.md come from
//! [`ClientMessage`] and [`BridgeMessage`]; [`http`] has the routes.
//!
//! | file | contents |
//! |---|---|
//! | `client_message.rs`, `bridge_message.rs` | the tables of message kinds: the reply to each request, how each message is delivered |
//! | `client/`, `bridge/` | the members of messages, one subject a file |
//! | `http/` | the table of routes, the conversion of requests to messages, the OpenAPI document |
//! | `code.rs`, `refusal.rs` | error codes; what is wrong with a client's message |
//! | `scope.rs`, `need.rs`, `reach.rs` | the scope that each message needs, and what in its content needs more |
//! | `constraint.rs`, `demand.rs` | what members of requests have to be beyond their shapes |
//! | `connection.rs`, `delivery.rs` | protocol constants and close codes; how messages are delivered |
//! | `table.rs`, `family.rs` | the macros behind the tables |
//!
//! # Invariants
//!
//! - **One table.** A message, member, route or error code is defined in one table; everything else is generated from it.
//! - **A client's message is valid or refused with a reason.** Unknown members are ignored; wrong ones are not.
//! - **Old clients keep working.** Members and kinds are added and not changed; [`PROTOCOL`] counts breaking changes.

mod bridge_message;
mod client_message;
mod code;
mod connection;
mod constraint;
mod delivery;
mod demand;
mod family;
mod need;
mod reach;
mod refusal;
mod scope;
mod table;

pub mod bridge;
pub mod client;
pub mod http;

pub use bridge_message::{BridgeMessage, StoredKind};
pub use client_message::ClientMessage;
pub use code::{ERROR_CODES, ErrorCode};
pub use connection::{
    BEARER_SUBPROTOCOL, CLOSE_CODES, COOKIE, CloseCode, PROTOCOL, SUBPROTOCOL, WEBSOCKET_PATH,
};
pub use constraint::{CONSTRAINTS, Constraint};
pub use delivery::Delivery;
pub use need::{Consequence, MessageNeed};
pub use reach::MessageReach;
pub use refusal::Refusal;
pub use scope::{AccessScope, Scope};

pub(crate) use bridge_message::StoredRecord;
pub(crate) use need::of_decision;

use bridge::ErrorReply;
