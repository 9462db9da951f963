//! The bridge: runs sessions of coding agents and serves them to phones, browsers and programs.
//!
//! [`Hub`](hub::Hub) owns the sessions and the connected clients; [`Server`](server::Server) makes it available over
//! HTTP and WebSocket. A program opens a [`Log`](log::Log), opens a hub on it with [`BridgeSettings`], and
//! starts a server.
//!
//! | module | contents |
//! |---|---|
//! | [`message`] | the API: every message in both directions, HTTP routes, error codes |
//! | [`log`] | the event log: everything that must survive a restart, in SQLite |
//! | [`backup`] | backups of a data folder: made, checked, restored |
//! | [`keeper`] | the process that owns one agent's pipes, and the protocol between it and the bridge |
//! | `session` | the actor of one session |
//! | [`outbox`] | messages on their way to clients |
//! | [`hub`] | sessions, clients, and the dispatch of requests |
//! | [`auth`] | principals, tokens, devices, pairing; `Host` and `Origin` checks |
//! | [`server`] | TCP, TLS and Unix sockets, HTTP, WebSocket, server-sent events |
//! | [`push`] | Web Push notifications |
//! | [`recent`] | sessions of the log and transcripts on disk as one list |
//! | [`workspace`] | files and git of projects, read-only |
//! | [`trust`] | whether the user trusts what a folder provides |
//! | [`settings`], [`metrics`], [`fault`] | settings; counters; named steps at which tests end the process |
//! | [`failures`], [`trace`] | failures that users see: counters and log lines, in one place; the other log lines |
//! | [`telemetry`] | what sessions report to an observer, such as one for OpenTelemetry |
//! | `failure`, `work` | errors for clients; bounded blocking work |
//!
//! `examples/gen-api/` generates TypeScript types, JSON Schema, OpenAPI and sections of docs/bridge-api.md, and
//! `examples/log_bench.rs` measures the log. `tests/conformance/` has the programs of two suites: `crash` kills and
//! freezes bridge, keepers and agents (`schedule.rs` is the table of faults, `fates.rs` checks what became of every
//! input and decision), and `day` takes every agent through a day behind a bridge. `tests/fixtures/` has every message
//! with every member; the first of each kind is its example in the docs.
//!
//! # Dependencies between modules
//!
//! Modules form a hierarchy without cycles: `server` uses `hub`, `hub` uses `session`, `session` uses `outbox`, `keeper`
//! and `log`, and all of them use `message`. A session calls the hub only through the trait `session::SessionHost`.
//!
//! The crate reads neither the environment nor the home directory, and prints nothing: [`BridgeSettings`] and
//! [`ServerOptions`](server::ServerOptions) have everything that it needs.

mod failure;
mod session;
mod work;

pub mod auth;
pub mod backup;
pub mod failures;
pub mod fault;
pub mod hub;
pub mod keeper;
pub mod log;
pub mod message;
pub mod metrics;
pub mod outbox;
pub mod push;
pub mod recent;
pub mod server;
pub mod settings;
pub mod telemetry;
pub mod trace;
pub mod trust;
pub mod workspace;

pub use failure::Failure;
pub use settings::BridgeSettings;
