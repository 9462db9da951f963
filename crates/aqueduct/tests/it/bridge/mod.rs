//! The bridge with our agent behind it: sessions as clients see them.

mod crash;
mod days;
mod faults;
mod lives;
mod ordering;
mod push;
mod questions;
mod review;
#[allow(dead_code, reason = "the bridge's own tests need all of it")]
#[path = "../../../../aqueduct-bridge/tests/it/push/service.rs"]
mod service;
mod storage;
mod terminals;
mod world;
