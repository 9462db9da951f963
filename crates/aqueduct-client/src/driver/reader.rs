//! Bytes of the agent to frames.

use aqueduct_wire::FromAgent;
use aqueduct_wire::codec::LineDecoder;
use bytes::{Buf, BytesMut};
use tokio::io::AsyncReadExt;

use crate::event::{Frame, Noise};
use crate::transport::AgentReader;

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// The agent's output, frame by frame.
pub(super) struct FrameReader {
    output: AgentReader,
    bytes: BytesMut,
    lines: LineDecoder,
    end: OutputEnd,
}

/// How far the output is from its end.
#[derive(Debug)]
enum OutputEnd {
    /// More may come.
    Open,
    /// Nothing more is read, but not all that was read has been taken.
    Reached,
    /// The same, and this is why.
    Broken(String),
    /// All has been taken.
    Passed,
}

impl FrameReader {
    pub(super) fn new(output: AgentReader, line_limit: usize) -> Self {
        FrameReader {
            output,
            bytes: BytesMut::new(),
            lines: LineDecoder::new(line_limit),
            end: OutputEnd::Open,
        }
    }

    /// The next frame of what was read, if there is a whole one; at the end also what came behind the last
    /// line end.
    pub(super) fn next(&mut self) -> Option<Result<Frame, Noise>> {
        let mut input = &self.bytes[..];
        let item = self.lines.next_line(&mut input).map(|line| match line {
            Ok(line) => frame(line.text, true),
            Err(error) => Err(Noise::Line(error)),
        });
        let taken = self.bytes.len() - input.len();
        self.bytes.advance(taken);
        item.or_else(|| self.last())
    }

    fn last(&mut self) -> Option<Result<Frame, Noise>> {
        if !self.at_end() {
            return None;
        }
        let rest = self.lines.finish().map(|line| match line {
            Ok(line) => frame(line.text, line.terminated),
            Err(error) => Err(Noise::Line(error)),
        });
        rest.or_else(|| match std::mem::replace(&mut self.end, OutputEnd::Passed) {
            OutputEnd::Broken(why) => Some(Err(Noise::Unreadable(why))),
            OutputEnd::Open | OutputEnd::Reached | OutputEnd::Passed => None,
        })
    }

    /// Reads some more. Nothing is lost when it is dropped before it is done. Returns the count of bytes, 0 at the
    /// end.
    pub(super) async fn read(&mut self) -> usize {
        self.bytes.reserve(CHUNK);
        match self.output.read_buf(&mut self.bytes).await {
            Ok(0) => {
                self.give_up();
                0
            }
            Ok(count) => count,
            Err(error) => {
                self.end = OutputEnd::Broken(error.to_string());
                0
            }
        }
    }

    /// Whether nothing more will be read.
    pub(super) fn at_end(&self) -> bool {
        !matches!(self.end, OutputEnd::Open)
    }

    /// Whether nothing more will come of [`next`](FrameReader::next).
    pub(super) fn is_done(&self) -> bool {
        matches!(self.end, OutputEnd::Passed)
    }

    /// Nothing more will be read: it is not worth waiting for.
    pub(super) fn give_up(&mut self) {
        if let OutputEnd::Open = self.end {
            self.end = OutputEnd::Reached;
        }
    }
}

fn frame(line: &str, terminated: bool) -> Result<Frame, Noise> {
    match FromAgent::parse_kept(line) {
        Ok(kept) => Ok(kept.into_owned()),
        Err(_) if !terminated => Err(Noise::CutOff { line: Noise::excerpt(line) }),
        Err(error) => Err(Noise::NotAFrame { error, line: Noise::excerpt(line) }),
    }
}
