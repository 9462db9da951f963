use std::io::{self, BufRead};

use thiserror::Error;

use super::RecordingLine;
use crate::codec::{DEFAULT_LINE_LIMIT, LineError, LineReader};

/// What a recording adds to the length of a line.
const ENVELOPE: usize = 1 << 10;

/// Why a line of a recording could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordingLineError {
    /// The file can't be read on. No line follows.
    #[error("the recording can't be read on")]
    Io(#[from] io::Error),
    /// The line is too long or not text. The lines after it can be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The line is not one of a recording. The lines after it can be read.
    #[error(
        "line {number} is not a line of a recording: it needs `t`, `dir` and one of `msg`, `text`, `bytes`, `note`"
    )]
    NotRecorded {
        /// The line's number, from 1.
        number: u64,
    },
}

/// The lines of a recording, from [`read`].
#[derive(Debug)]
pub struct RecordingLines<R> {
    lines: LineReader<R>,
    is_broken: bool,
}

/// Reads a recording line by line: a file in a `BufReader`, or bytes.
pub fn read<R: BufRead>(from: R) -> RecordingLines<R> {
    RecordingLines { lines: LineReader::with_limit(from, DEFAULT_LINE_LIMIT + ENVELOPE), is_broken: false }
}

impl<R: BufRead> Iterator for RecordingLines<R> {
    type Item = Result<RecordingLine<'static>, RecordingLineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_broken {
            return None;
        }
        match self.lines.next_line() {
            Ok(line) => line.map(|line| {
                let line = line?;
                match RecordingLine::recognize(line.text) {
                    Some(recorded) => Ok(recorded.into_owned()),
                    None => Err(RecordingLineError::NotRecorded { number: line.number }),
                }
            }),
            Err(error) => {
                self.is_broken = true;
                Some(Err(error.into()))
            }
        }
    }
}
