//! Bytes to lines and back: one JSON object a line.
//!
//! [`LineDecoder`] cuts a stream of bytes into lines, whatever way the bytes are split, and does no I/O
//! itself. A line that is too long or no text costs an error and not the stream. [`write_line`] goes the
//! other way. [`LineReader`] reads the lines of any `BufRead`. With the feature `tokio`, `FrameCodec` does both for
//! `tokio_util`'s `Framed`.

mod frame;
#[cfg(feature = "tokio")]
mod framed;
mod line;
mod lines;
mod reader;

pub use frame::{AnyFrame, write_line};
#[cfg(feature = "tokio")]
pub use framed::{AgentCodec, FrameCodec, FrameError, HostCodec};
pub use line::{Line, LineError};
pub use lines::{DEFAULT_LINE_LIMIT, LineDecoder};
pub use reader::LineReader;
