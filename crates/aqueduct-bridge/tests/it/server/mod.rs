//! The server over real sockets, with bytes as a client sends them.

mod api;
mod assets;
mod crowd;
mod devices;
mod events;
mod heads;
mod listening;
mod push;
mod scopes;
mod security;
mod shutdown;
mod websocket;
mod world;
