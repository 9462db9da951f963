use super::SharedText;
use crate::message::CloseCode;

/// What a connection does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// Send a message.
    Message {
        /// The message, as JSON.
        text: SharedText,
        /// Its number in the session, if it is a stored message.
        seq: Option<u64>,
    },
    /// Close the connection, for this reason.
    Close(CloseCode),
}
