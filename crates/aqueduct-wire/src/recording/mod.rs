//! Recordings: both sides of a conversation in one file, one JSON object a line. `aqueduct record` writes them.
//!
//! `{"t":0.25,"dir":"out","msg":{…}}` is a line that was sent: `t` is the time in seconds since the start, `dir` is the
//! direction, and `msg` is the line as it came. [`RecordingLine`] has the table of members.
//!
//! ```
//! use aqueduct_wire::recording::{self, RecordedFrame};
//!
//! let file = concat!(
//!     r#"{"t":0.1,"dir":"in","msg":{"type":"user","message":{"role":"user","content":"hi"}}}"#, "\n",
//!     r#"{"t":0.2,"dir":"err","text":"a warning"}"#, "\n",
//!     r#"{"t":0.9,"dir":"out","msg":{"type":"result","subtype":"success"}}"#, "\n",
//!     r#"{"t":1.0,"dir":"note","text":"exit 0"}"#, "\n",
//! );
//! let mut kinds = Vec::new();
//! for line in recording::read(file.as_bytes()) {
//!     match line?.frame()? {
//!         Some(RecordedFrame::FromAgent(frame)) => kinds.push(frame.tag().to_owned()),
//!         Some(RecordedFrame::ToAgent(frame)) => kinds.push(frame.tag().to_owned()),
//!         _ => {}
//!     }
//! }
//! assert_eq!(kinds, ["user", "result"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `line.rs` | [`RecordingLine`]: the table of a line |
//! | `content.rs` | [`RecordingContent`], [`RecordedFrame`]: what a line holds |
//! | `read.rs` | [`read`]: the lines of a file |

mod content;
mod line;
mod read;

pub use content::{RecordedFrame, RecordingContent};
pub use line::{RecordingDirection, RecordingLine};
pub use read::{RecordingLineError, RecordingLines, read};
