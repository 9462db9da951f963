//! stream-json on the wire: every frame that a coding agent and its host exchange, in both directions,
//! with nothing lost.

pub mod json;
pub mod table;

pub mod block;
pub mod event;
pub mod frame;
pub mod message;
pub mod usage;

pub mod peek;

pub use frame::{FromAgent, ToAgent};
pub use peek::peek;
