//! Bytes of the agent to frames.

use std::io;

use aqueduct_wire::FromAgent;
use aqueduct_wire::codec::LineDecoder;
use aqueduct_wire::json::IntoOwned;
use bytes::{Buf, BytesMut};
use tokio::io::AsyncReadExt;

use crate::event::{Frame, Noise};
use crate::transport::Output;

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// What an agent says, frame by frame.
pub(super) struct Reader {
    output: Output,
    bytes: BytesMut,
    lines: LineDecoder,
    at_end: bool,
}

impl Reader {
    pub(super) fn new(output: Output, line_limit: usize) -> Self {
        Reader { output, bytes: BytesMut::new(), lines: LineDecoder::new(line_limit), at_end: false }
    }

    /// The next frame of what was read, if there is a whole one.
    pub(super) fn next(&mut self) -> Option<Result<Frame, Noise>> {
        let mut input = &self.bytes[..];
        let item = self.lines.next_line(&mut input).map(|line| match line {
            Ok(line) => frame(line.text, true),
            Err(error) => Err(Noise::Line(error)),
        });
        let taken = self.bytes.len() - input.len();
        self.bytes.advance(taken);
        item
    }

    /// What came behind the last line end, once the output has ended.
    pub(super) fn rest(&mut self) -> Option<Result<Frame, Noise>> {
        if !self.at_end {
            return None;
        }
        self.lines.finish().map(|line| match line {
            Ok(line) => frame(line.text, line.terminated),
            Err(error) => Err(Noise::Line(error)),
        })
    }

    /// Reads some more. Nothing is lost when it is dropped before it is done.
    pub(super) async fn read(&mut self) -> io::Result<()> {
        self.bytes.reserve(CHUNK);
        let count = self.output.read_buf(&mut self.bytes).await?;
        self.at_end = count == 0;
        Ok(())
    }

    pub(super) fn at_end(&self) -> bool {
        self.at_end
    }

    /// Nothing more will be read: the output is broken, or not worth waiting for.
    pub(super) fn give_up(&mut self) {
        self.at_end = true;
    }
}

fn frame(line: &str, terminated: bool) -> Result<Frame, Noise> {
    match FromAgent::parse_kept(line) {
        Ok(kept) => Ok(kept.into_owned()),
        Err(_) if !terminated => Err(Noise::CutOff { line: Noise::excerpt(line) }),
        Err(error) => Err(Noise::NotAFrame { error, line: Noise::excerpt(line) }),
    }
}
