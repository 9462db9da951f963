//! A Messages API on loopback whose replies are written in the prompt.
//!
//! The lines of the newest user text that begin with `@` are the script, one line a model turn:
//!
//! ```text
//! @say TEXT                     a text
//! @think THOUGHT | TEXT         a thought, then a text
//! @tool NAME JSON               a tool call
//! @tools [[NAME, JSON], …]      tool calls in one message
//! @saytool TEXT | NAME JSON     a text, then a tool call
//! @slow N SECONDS               N words with a pause after each
//! @fail STATUS TIMES TEXT       an HTTP error that many times, then a text
//! ```
//!
//! The Chat Completions API answers in the same way, at `/v1/chat/completions`.
//!
//! When the script is used up, the model says what the last tool result was.

mod http;
mod openai;
mod reply;
mod script;
mod server;
mod stream;

pub(super) use self::server::ScriptedApi;
