//! The server over real sockets, with bytes as a client sends them.

mod api;
mod assets;
mod connection_limit;
mod devices;
mod events;
mod expiring;
mod exposition;
mod heads;
mod listening;
mod lost;
mod metrics;
mod origins;
mod push;
mod revoking;
mod scopes;
mod security;
mod shutdown;
mod sign_in;
mod trust;
mod websocket;
mod world;
