//! The bridge with our agent behind it: sessions as clients see them.

mod adversity;
mod crash;
mod days;
mod descriptors;
mod faults;
mod frozen;
mod lives;
mod mcp;
#[cfg(target_os = "linux")]
mod memory;
mod ordering;
mod push;
mod questions;
mod restored;

#[allow(dead_code, reason = "the bridge's own tests need all of it")]
#[path = "../../../../aqueduct-bridge/tests/it/push/service.rs"]
mod service;
mod stops;
mod storage;
mod terminals;
mod upgrade;
mod world;
