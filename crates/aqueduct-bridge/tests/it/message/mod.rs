//! The contract between the bridge and its clients.

#[path = "../../../../aqueduct-wire/tests/it/exact.rs"]
mod exact;
mod fixtures;
mod generated;
mod http;
mod lossless;
mod openapi;
mod openapi_types;
mod page;
mod refusal;
mod shape;
