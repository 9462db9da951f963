use std::marker::PhantomData;

use aqueduct_wire::hint::{Hint, HintedError};
use thiserror::Error;

/// A message of one direction.
pub trait ProtocolMessage: Sized {
    /// How long the payload of this kind may be; none if the kind is unknown.
    fn limit(kind: u8) -> Option<usize>;

    /// Reads a payload of this kind.
    fn decode(kind: u8, payload: Vec<u8>) -> Result<Self, Malformed>;

    /// Appends the message as it goes over the socket.
    fn encode(&self, out: &mut Vec<u8>);
}

/// Why bytes are not a message. Nothing that follows on the same connection can be understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The kind is unknown.
    #[error("unknown message kind {0:#04x}")]
    Kind(u8),
    /// The payload is longer than its kind allows.
    #[error("a message of kind {kind:#04x} has {length} bytes, and {limit} is the most")]
    TooLong {
        /// The message's kind.
        kind: u8,
        /// The length that its header claims.
        length: usize,
        /// The most that is allowed.
        limit: usize,
    },
    /// The payload does not have the form of its kind.
    #[error("the payload of a message of kind {0:#04x} has not the form of its kind")]
    Payload(u8),
}

impl HintedError for Malformed {
    fn hint(&self) -> Option<Hint> {
        matches!(self, Malformed::Kind(_))
            .then(|| Hint::sentence("Check that bridge and keeper have the same version"))
    }
}

/// Kind and length.
const HEADER: usize = 5;

/// Cuts a stream of bytes into messages, whatever way the bytes are split.
///
/// It never holds more than one message, and room for it is made as its bytes come, not as its header claims.
#[derive(Debug)]
pub struct Messages<M> {
    header: [u8; HEADER],
    /// How much of the header has come.
    headed: usize,
    payload: Vec<u8>,
    reads: PhantomData<fn() -> M>,
}

impl<M> Default for Messages<M> {
    fn default() -> Self {
        Messages { header: [0; HEADER], headed: 0, payload: Vec::new(), reads: PhantomData }
    }
}

impl<M: ProtocolMessage> Messages<M> {
    /// Takes bytes from the front of `input` up to the end of the next message, and gives that. None when
    /// all of the input has been taken and the message continues.
    pub fn next(&mut self, input: &mut &[u8]) -> Result<Option<M>, Malformed> {
        if self.headed < HEADER {
            let (taken, rest) = input.split_at(input.len().min(HEADER - self.headed));
            self.header[self.headed..self.headed + taken.len()].copy_from_slice(taken);
            self.headed += taken.len();
            *input = rest;
        }
        if self.headed < HEADER {
            return Ok(None);
        }
        let [kind, length @ ..] = self.header;
        let length = u32::from_le_bytes(length) as usize;
        let limit = M::limit(kind).ok_or(Malformed::Kind(kind))?;
        if length > limit {
            return Err(Malformed::TooLong { kind, length, limit });
        }
        let (taken, rest) = input.split_at(input.len().min(length - self.payload.len()));
        self.payload.extend_from_slice(taken);
        *input = rest;
        if self.payload.len() < length {
            return Ok(None);
        }
        self.headed = 0;
        M::decode(kind, std::mem::take(&mut self.payload)).map(Some)
    }
}

/// Appends a header.
pub(super) fn head(out: &mut Vec<u8>, kind: u8, length: usize) {
    out.push(kind);
    out.extend_from_slice(&(length as u32).to_le_bytes());
}
