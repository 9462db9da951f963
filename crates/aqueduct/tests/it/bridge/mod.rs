//! The bridge with our agent behind it: sessions as clients see them.

mod crash;
mod days;
mod descriptors;
mod faults;
mod frozen;
mod lives;
#[cfg(target_os = "linux")]
mod memory;
mod ordering;
mod push;
mod questions;
mod restored;
mod review;
#[allow(dead_code, reason = "the bridge's own tests need all of it")]
#[path = "../../../../aqueduct-bridge/tests/it/push/service.rs"]
mod service;
mod stops;
mod storage;
mod terminals;
mod upgrade;
mod world;
