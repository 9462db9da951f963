//! Commands that run: under a guard, with their output captured, in the foreground or the background.
//!
//! | file | contents |
//! |---|---|
//! | `shell.rs` | the shell, its arguments and variables |
//! | `job.rs` | a running command and its guard |
//! | `capture.rs` | its output: the beginning in memory, all of it in a file once it is long |
//! | `background.rs`, `task.rs` | commands in the background |

mod background;
mod capture;
mod job;
pub mod shell;
mod task;

pub use background::Background;
pub(crate) use background::MAX_RUNNING;
pub(crate) use capture::Capture;
pub(crate) use job::{JobEnd, RunningCommand, inspect};
pub use task::BackgroundCommand;
