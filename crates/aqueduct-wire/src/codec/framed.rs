use std::io;
use std::marker::PhantomData;

use bytes::{Buf, BytesMut};
use thiserror::Error;
use tokio_util::codec::{Decoder, Encoder};

use super::frame::append_line;
use super::{AnyFrame, Line, LineDecoder, LineError};
use crate::hint::{Hint, HintedError};
use crate::json::ParseError;
use crate::{FromAgent, ToAgent};

/// The codec of a host: it reads an agent's output and writes its input.
pub type HostCodec = FrameCodec<FromAgent<'static>>;

/// The codec of an agent: it reads a host's output and writes its input.
pub type AgentCodec = FrameCodec<ToAgent<'static>>;

/// Frames of the kind `In` out of a stream of bytes, and frames of the other direction into one, for
/// `tokio_util`'s `Framed`, `FramedRead` and `FramedWrite`.
///
/// An item is a `Result` of its own: a bad line is an error *value*, and the stream continues. Only I/O ends
/// the stream with an error.
#[derive(Debug)]
pub struct FrameCodec<In> {
    lines: LineDecoder,
    reads: PhantomData<fn() -> In>,
}

/// Why a line gave no frame.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The line itself could not be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The line is not a frame.
    #[error("line {number} is not a frame: {error}")]
    Parse {
        /// The line's number, from 1.
        number: u64,
        /// What is wrong with it.
        error: ParseError,
        /// The line as it came.
        line: Box<str>,
    },
    /// The input ended inside the line.
    #[error("the input ended inside line {number}, so its frame is lost")]
    Cut {
        /// The line's number, from 1.
        number: u64,
        /// The line as far as it came.
        line: Box<str>,
    },
}

impl HintedError for FrameError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            FrameError::Line(error) => return error.hint(),
            FrameError::Parse { .. } => "Only frames may be written to this stream",
            FrameError::Cut { .. } => "See why the other side stopped",
        }))
    }
}

impl<In> FrameCodec<In> {
    /// A codec with a line limit of its own.
    pub fn with_limit(limit: usize) -> Self {
        FrameCodec { lines: LineDecoder::new(limit), reads: PhantomData }
    }
}

impl<In> Default for FrameCodec<In> {
    fn default() -> Self {
        FrameCodec::with_limit(super::DEFAULT_LINE_LIMIT)
    }
}

fn read<In: AnyFrame>(line: Result<Line<'_>, LineError>) -> Result<In::Owned, FrameError> {
    let Line { text, number, terminated } = line?;
    In::parse_owned(text).map_err(|error| match terminated {
        true => FrameError::Parse { number, error, line: text.into() },
        false => FrameError::Cut { number, line: text.into() },
    })
}

impl<In: AnyFrame> Decoder for FrameCodec<In> {
    type Item = Result<In::Owned, FrameError>;
    type Error = io::Error;

    fn decode(&mut self, source: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        let mut input = &source[..];
        let item = self.lines.next_line(&mut input).map(read::<In>);
        let taken = source.len() - input.len();
        source.advance(taken);
        Ok(item)
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(match self.decode(source)? {
            Some(item) => Some(item),
            None => self.lines.finish().map(read::<In>),
        })
    }
}

fn write(frame: &impl AnyFrame, out: &mut BytesMut) {
    let mut json = String::new();
    frame.write_json(&mut json);
    append_line(json, |bytes| out.extend_from_slice(bytes));
}

impl Encoder<ToAgent<'_>> for HostCodec {
    type Error = io::Error;

    fn encode(&mut self, frame: ToAgent<'_>, out: &mut BytesMut) -> io::Result<()> {
        write(&frame, out);
        Ok(())
    }
}

impl Encoder<FromAgent<'_>> for AgentCodec {
    type Error = io::Error;

    fn encode(&mut self, frame: FromAgent<'_>, out: &mut BytesMut) -> io::Result<()> {
        write(&frame, out);
        Ok(())
    }
}
