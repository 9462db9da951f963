//! Streams to measure with: made here, from a seed, the same on every run.
//!
//! The content is invented. The shape is the one that agents write: the members, their order, how long
//! things are and how often each kind of frame comes.

mod frames;
mod partial;
mod plain;
mod prose;
mod random;

use std::ops::Range;

use anyhow::{Context, Result};

use frames::Session;
use random::Random;

/// The streams.
const KINDS: &[Kind] = &[
    Kind {
        name: "partial",
        what: "mostly stream events: text, thinking and tool input as they come",
        turn: partial::turn,
    },
    Kind {
        name: "plain",
        what: "finished messages, tool results of 200 B to 20 KB, results",
        turn: plain::turn,
    },
];

struct Kind {
    name: &'static str,
    what: &'static str,
    /// Adds a turn.
    turn: fn(&mut Session, &mut Lines),
}

/// How much of a stream to make.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    /// At least so many bytes, in whole turns.
    Bytes(usize),
    /// Exactly so many lines.
    Lines(usize),
}

/// A stream of lines.
pub(crate) struct Stream {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    lines: Lines,
}

/// Lines in the making.
#[derive(Default)]
pub(crate) struct Lines {
    text: String,
    ranges: Vec<Range<usize>>,
}

impl Lines {
    fn push(&mut self, line: &str) {
        let start = self.text.len();
        self.text.push_str(line);
        self.ranges.push(start..self.text.len());
        self.text.push('\n');
    }
}

impl Stream {
    /// The names of all streams.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        KINDS.iter().map(|kind| kind.name)
    }

    /// Makes a stream.
    pub(crate) fn make(name: &str, size: Size) -> Result<Stream> {
        let kind =
            KINDS.iter().find(|kind| kind.name == name).with_context(|| format!("no stream `{name}`"))?;
        let mut lines = Lines::default();
        let mut session = Session::new(Random::new(0x0a9e_d0c7));
        loop {
            (kind.turn)(&mut session, &mut lines);
            match size {
                Size::Bytes(wanted) if lines.text.len() < wanted => {}
                Size::Lines(wanted) if lines.ranges.len() < wanted => {}
                Size::Lines(wanted) => {
                    lines.ranges.truncate(wanted);
                    lines.text.truncate(lines.ranges.last().map_or(0, |last| last.end + 1));
                    break;
                }
                Size::Bytes(_) => break,
            }
        }
        Ok(Stream { name: kind.name, what: kind.what, lines })
    }

    /// The lines without their ends.
    #[inline]
    pub(crate) fn lines(&self) -> impl ExactSizeIterator<Item = &str> {
        self.lines.ranges.iter().map(|range| &self.lines.text[range.clone()])
    }

    /// The stream as it would come through a pipe.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.lines.text.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_object_and_every_run_makes_the_same() -> Result<()> {
        for name in Stream::names() {
            let stream = Stream::make(name, Size::Bytes(1 << 20))?;
            for line in stream.lines() {
                let value: serde_json::Value = serde_json::from_str(line)?;
                assert!(value["type"].is_string(), "{line}");
                assert!(value["session_id"].is_string(), "{line}");
            }
            assert_eq!(stream.bytes(), Stream::make(name, Size::Bytes(1 << 20))?.bytes());
        }
        Ok(())
    }

    #[test]
    fn most_lines_of_the_partial_stream_are_short_stream_events() -> Result<()> {
        let stream = Stream::make("partial", Size::Lines(20_000))?;
        assert_eq!(stream.lines().len(), 20_000);
        let short = stream.lines().filter(|line| (250..=500).contains(&line.len())).count();
        let events = stream.lines().filter(|line| line.starts_with(r#"{"type":"stream_event""#)).count();
        assert!(short > 15_000, "{short}");
        assert!(events > 15_000, "{events}");
        Ok(())
    }
}
