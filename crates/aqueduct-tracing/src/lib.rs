//! Log events: tables of them for libraries, and the subscriber that writes them for programs.
//!
//! A library lists its events with [`events!`]: name, level, message and fields. Each row becomes a function that emits
//! the event through `tracing`, and a value of the table, which documents and tests read. Without a subscriber an event
//! costs one comparison.
//!
//! | module | contents |
//! |---|---|
//! | `event` | [`events!`], [`EventRow`] |
//! | `filter` | [`LogFilter`]: which events are written |
//! | `format` | [`LogFormat`]: lines of text or JSON; control characters are escaped |
//! | `rotation` | [`LogFile`]: a file that is replaced when it is large |
//! | `sink` | [`LogSink`]: where lines go; lines that could not be written are counted |
//! | `layer`, `install` | [`install`], [`subscriber`]: events become lines |
//!
//! All but the first are behind the feature `subscriber`, which only programs use. The registry of spans is that of
//! `tracing-subscriber`, so that other layers can be added beside the lines; the lines are our own, because its formatter
//! neither escapes control characters in all values nor keeps events apart by name.
//!
//! The crate reads neither the environment nor the home directory: a program passes values.

mod event;
#[cfg(feature = "subscriber")]
mod filter;
#[cfg(feature = "subscriber")]
mod format;
#[cfg(feature = "subscriber")]
mod install;
#[cfg(feature = "subscriber")]
mod layer;
#[cfg(feature = "subscriber")]
mod rotation;
#[cfg(feature = "subscriber")]
mod sink;

pub use event::EventRow;
#[cfg(feature = "subscriber")]
pub use filter::{LogFilter, SOURCES};
#[cfg(feature = "subscriber")]
pub use format::LogFormat;
#[cfg(feature = "subscriber")]
pub use install::{install, subscriber};
#[cfg(feature = "subscriber")]
pub use rotation::LogFile;
#[cfg(feature = "subscriber")]
pub use sink::LogSink;
#[doc(hidden)]
pub use tracing;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
