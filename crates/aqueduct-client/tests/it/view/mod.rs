//! The assembled view, from frames in the shape that agents send them.

mod bounds;
mod calls;
mod picture;
mod retraction;
mod runs;
mod same;
mod session;
mod subagents;
mod talk;
