//! Sessions on disk.

mod change;
mod export;
mod list;
mod read;
mod room;
mod safety;
mod search;
