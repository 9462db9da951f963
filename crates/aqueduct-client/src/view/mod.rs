//! The assembled view: the state of a session, for callers that don't fold frames themselves.
//!
//! [`View`] takes [`Event`](crate::Event)s or frames as they arrive and always has the complete state: text and
//! thinking so far, tool calls with their partial inputs, subagents as a tree, open requests, cost. The result is the
//! same with and without partial messages; with them it is available earlier.
//!
//! | file | contents |
//! |---|---|
//! | `view.rs`, `run.rs` | [`View`] and [`Run`]: the session and its current run |
//! | `fold.rs`, `system.rs` | what each frame changes |
//! | `thread.rs`, `content.rs` | the items of a conversation, in step with the assembled message |
//! | `call.rs`, `task.rs`, `todo.rs`, `tokens.rs` | tool calls, background tasks, todo lists, token counts |
//! | `walk.rs` | a run in reading order |
//!
//! ```
//! use aqueduct_client::view::{CallState, ItemContent, View};
//! use aqueduct_wire::FromAgent;
//!
//! let mut view = View::new();
//! for line in [
//!     r#"{"type":"system","subtype":"init","session_id":"s","model":"example-model"}"#,
//!     r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Let me look."}]}}"#,
//!     r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}"#,
//! ] {
//!     view.push(&FromAgent::parse(line)?);
//! }
//! assert_eq!(view.run().text(), "Let me look.");
//! let call = view.run().call("t").ok_or("the call is there")?;
//! assert_eq!((call.name(), call.state()), ("Bash", CallState::Running));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Memory
//!
//! A view holds one run: everything from when the agent had something to do until it is idle again. When the
//! next run begins, [`View::push`] hands the last one out and forgets it; only what is still at work in the
//! background moves over. Within a run, what is oldest goes first once there is more than [`RUN_BYTES`] or
//! [`RUN_ITEMS`]; [`Run::left_out`] counts it.
//!
//! Any stream is safe: threads and calls are flat maps by id, so no depth and no cycle can overflow a stack.

mod call;
mod content;
mod fold;
mod run;
mod system;
mod task;
mod thread;
mod todo;
mod tokens;
#[expect(clippy::module_inception, reason = "a file is called as the noun in it")]
mod view;
mod walk;

pub use call::{CallState, RESULT_BYTES, ShownResult, ToolCall};
pub use content::{Item, ItemContent};
pub use run::{Compaction, Denial, RUN_BYTES, RUN_ITEMS, Run};
pub use task::Task;
pub use thread::Thread;
pub use todo::Todo;
pub use tokens::Tokens;
pub use view::{View, ViewInput, ViewState};
pub use walk::{ItemWalk, NestedItem};
