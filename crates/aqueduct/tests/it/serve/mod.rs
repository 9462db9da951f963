//! `aqueduct serve`, and the commands that connect to it.

mod backup;
mod config;
mod failures;
mod help;
mod logged;
mod logs;
mod page;
mod pairing;
mod privacy;
mod prune;
mod secrets;
mod served;
mod starting;
mod stop;
mod stopping;
mod systemd;
mod trust;
mod ui;
