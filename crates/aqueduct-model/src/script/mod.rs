//! The scripted model: it answers as its script or the prompt specifies, and needs no network.
//!
//! [`Scripted`] finds the script for a call (a file's rules, the `@` lines of the prompt, or the demo) and makes
//! a [`ScriptedAnswer`] of it: a [`MessagePlan`] of the answer, or a [`ScriptedFailure`].
//! [`MessagePlan::play`] turns a plan into the events of a Messages API, with their pauses. The call in
//! process and the server share all of that. docs/scripted-model.md describes the language.
//!
//! | file | contents |
//! |---|---|
//! | `line.rs`, `action.rs`, `change.rs`, `limits.rs`, `turns.rs` | `@` lines, and the turns that they become |
//! | `file.rs`, `rule.rs` | script files, and when a script applies |
//! | `error.rs` | [`ScriptError`] |
//! | `talk.rs`, `scripted.rs` | the conversation; [`Scripted`] |
//! | `plan.rs`, `failure.rs`, `play.rs`, `call.rs` | the answer, or how it fails; its events; a call in
//! process |
//! | `demo.rs` | the demo |

mod action;
mod call;
mod change;
mod demo;
mod error;
mod failure;
mod file;
mod limits;
mod line;
mod plan;
mod play;
mod rule;
mod scripted;
mod talk;
mod turns;

pub use error::{ScriptError, ScriptLineError};
pub use failure::ScriptedFailure;
pub use limits::SubscriptionLimits;
pub use plan::{MessagePlan, PlannedBlock, PlannedStop, ScriptedAnswer, StreamBreak};
pub use play::PlaybackStep;
pub use scripted::Scripted;

#[cfg(feature = "server")]
pub(crate) use play::to_json;
