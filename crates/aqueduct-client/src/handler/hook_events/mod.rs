//! Typed hooks: for each event of the protocol a call, which has the event's input, and an answer, which has what the
//! event supports and nothing else.
//!
//! ```
//! use aqueduct_client::Hook;
//! use aqueduct_client::hook::{PreToolUseAnswer, PreToolUseCall, StopCall};
//! use serde_json::json;
//!
//! async fn guard(call: PreToolUseCall) -> PreToolUseAnswer {
//!     match call.tool_name.as_str() {
//!         "WebFetch" => call.block("There is no network here."),
//!         "Bash" => call.proceed().with_context("The tests take a minute.").with_input(json!({"command": "make test"})),
//!         _ => call.proceed(),
//!     }
//! }
//!
//! let hooks = [
//!     Hook::pre_tool_use(guard).matching("Bash|WebFetch"),
//!     Hook::stop(|call: StopCall| async move {
//!         match call.stop_hook_active {
//!             Some(true) => call.proceed(),
//!             _ => call.block("Run the tests before you stop."),
//!         }
//!     }),
//! ];
//! ```
//!
//! A call dereferences to the input of its event in [`wire::hook`](aqueduct_wire::hook), and can be made from one in
//! tests. Each answer converts into the `HookOutput` of the wire; `output_mut` is for members that have no method.
//! A hook whose call has another shape than its event is refused, and the agent treats it as failed: see
//! `Hook::blocking_on_failure`. Events that this crate does not know are served by `Hook::new`.

mod ability;
mod table;

pub use table::*;
