//! Numbers at the front of payloads.

use super::Malformed;

/// The rest of a payload, read from its front.
pub(super) struct PayloadReader<'p> {
    kind: u8,
    rest: &'p [u8],
}

impl<'p> PayloadReader<'p> {
    pub(super) fn new(kind: u8, bytes: &'p [u8]) -> PayloadReader<'p> {
        PayloadReader { kind, rest: bytes }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Malformed::Payload(self.kind))?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Malformed> {
        self.take().map(u8::from_le_bytes)
    }

    pub(super) fn bool(&mut self) -> Result<bool, Malformed> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.malformed()),
        }
    }

    pub(super) fn u32(&mut self) -> Result<u32, Malformed> {
        self.take().map(u32::from_le_bytes)
    }

    pub(super) fn i32(&mut self) -> Result<i32, Malformed> {
        self.take().map(i32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Malformed> {
        self.take().map(u64::from_le_bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// All that has not been read.
    pub(super) fn rest(self) -> &'p [u8] {
        self.rest
    }

    /// All that has not been read, as text.
    pub(super) fn text(self) -> Result<&'p str, Malformed> {
        std::str::from_utf8(self.rest).map_err(|_| Malformed::Payload(self.kind))
    }

    /// Nothing may follow.
    pub(super) fn end(self) -> Result<(), Malformed> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.malformed()) }
    }

    pub(super) fn malformed(&self) -> Malformed {
        Malformed::Payload(self.kind)
    }
}
