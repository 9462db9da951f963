//! `aqueduct serve`, and the commands that connect to it.

mod backup;
mod config;
#[path = "../../../../aqueduct-bridge/tests/it/server/exposition.rs"]
mod exposition;
mod failures;
mod help;
mod logged;
mod logs;
mod metrics;
mod page;
mod pairing;
mod privacy;
mod prune;
mod secrets;
mod served;
mod session_logs;
mod starting;
mod status;
mod stop;
mod stopping;
mod systemd;
mod trust;
mod ui;
