use super::{ControlError, RequestId};
use crate::json::Raw;

/// What a received frame means. `Q` is the kind of request that the peer makes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Incoming<Q> {
    /// The peer asks. Serve it and call [`Machine::answer`](super::Machine::answer),
    /// [`Machine::refuse`](super::Machine::refuse) or [`Machine::decline`](super::Machine::decline).
    Request {
        /// Chosen by the peer.
        id: RequestId,
        /// What is asked.
        request: Q,
    },
    /// The peer sent a request that can't be served. The line, which refuses it, must be sent; nothing else
    /// must be done.
    Refused {
        /// Chosen by the peer.
        id: RequestId,
        /// The error response.
        line: String,
    },
    /// The peer answered a request of this side.
    Answer {
        /// The one that [`Machine::request`](super::Machine::request) gave.
        id: RequestId,
        /// What was asked.
        subtype: String,
        /// The payload, `{}` for a bare acknowledgement; or why there is none.
        outcome: Result<Raw<'static>, ControlError>,
    },
    /// The peer no longer wants the answer to a request that is being served. Stop serving it; an answer would
    /// not be sent.
    Cancelled {
        /// Chosen by the peer.
        id: RequestId,
    },
    /// Nothing is to be done.
    Ignored {
        /// The id that the frame carried; empty if it had none.
        id: RequestId,
        /// Why.
        why: Ignored,
    },
}

/// Why a control frame has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ignored {
    /// A request with the id of one that is being served.
    DuplicateRequest,
    /// A request with the id of one that was answered, refused or withdrawn before.
    SettledRequest,
    /// A request of a kind that is never refused, which lacks what it needs.
    MalformedRequest,
    /// An answer to a request that was answered, withdrawn or given up before.
    SettledResponse,
    /// An answer to a request that was never made. Agents that echo their input send such.
    UnknownResponse,
    /// A cancel for a request that is not being served.
    UnknownCancel,
}
