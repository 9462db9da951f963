//! `aqueduct serve`, and the commands that connect to it.

mod backup;
#[cfg(feature = "otlp")]
#[allow(dead_code, reason = "the tests of aqueduct-otlp need all of it")]
#[path = "../../../../aqueduct-otlp/tests/it/collector.rs"]
mod collector;
mod config;
#[path = "../../../../aqueduct-bridge/tests/it/server/exposition.rs"]
mod exposition;
mod failures;
mod help;
mod logged;
mod logs;
mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
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
#[cfg(feature = "otlp")]
#[path = "../../../../aqueduct-otlp/tests/it/tree.rs"]
mod tree;
mod trust;
mod ui;
#[cfg(not(feature = "otlp"))]
mod without_otlp;
