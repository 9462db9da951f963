//! The contract between the bridge and its clients: every message in both directions, from one table each.
//!
//! Parser, writer, TypeScript types, JSON Schema, OpenAPI and the tables of docs/bridge-api.md come from
//! [`ClientMessage`] and [`BridgeMessage`]; [`http`] has the routes.

mod bridge_message;
mod client_message;
mod code;
mod connection;
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

pub use bridge_message::BridgeMessage;
pub use client_message::ClientMessage;
pub use code::{ERROR_CODES, ErrorCode};
pub use connection::{
    BEARER_SUBPROTOCOL, CLOSE_CODES, COOKIE, CloseCode, PROTOCOL, SUBPROTOCOL, WEBSOCKET_PATH,
};
pub use delivery::Delivery;
pub use need::{Consequence, Need};
pub use reach::Reach;
pub use refusal::Refusal;
pub use scope::{AccessScope, Scope};

pub(crate) use need::of_decision;

use bridge::ErrorReply;
