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
//! @http TIMES JSON TEXT         an HTTP response with `status`, `headers` and `body`, then a text
//! @events TIMES STEPS TEXT      a stream of steps that many times, then a text
//! ```
//!
//! Steps are a JSON array: `"start"` opens the message, `["text", TEXT]` and `["tool", NAME, JSON-TEXT]` are
//! blocks, `["stop", REASON]` ends the message, an object is an event as it is, a number is a pause in
//! seconds, and `"cut"` breaks the connection.
//!
//! The Chat Completions API answers in the same way, at `/v1/chat/completions`.
//!
//! When the script is used up, the model repeats the last tool result.

mod http;
mod openai;
mod reply;
mod script;
mod server;
mod steps;
mod stream;

pub(crate) use self::server::ScriptedApi;
