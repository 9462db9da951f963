//! Lines from a file or from standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use aqueduct_wire::codec::{Line, LineDecoder, LineError};

use crate::explained::advice;

/// How much is read at once: lines that are contiguous in it are borrowed.
const PIECE: usize = 128 << 10;

/// A stream to read.
pub(crate) struct InputStream {
    from: Box<dyn Read>,
    /// How many bytes there are, where that is known.
    pub(crate) size: Option<u64>,
}

/// Takes the lines of an input.
pub(crate) trait LineSink {
    /// A line, or why there is none. Returning `false` ends the reading.
    fn line(&mut self, line: Result<Line<'_>, LineError>) -> anyhow::Result<bool>;

    /// Everything that was there has been read; the next line may take its time.
    fn pause(&mut self, _bytes_read: u64) -> anyhow::Result<()> {
        Ok(())
    }
}

impl InputStream {
    /// Standard input.
    pub(crate) fn stdin() -> Self {
        InputStream { from: Box::new(io::stdin()), size: None }
    }

    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(InputStream::stdin());
        }
        let open = || -> io::Result<InputStream> {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(InputStream { size: metadata.is_file().then_some(metadata.len()), from: Box::new(file) })
        };
        open().with_context(|| {
            advice(
                format!("can't read {}", path.display()),
                "give the path of a stream or recording, or - for stdin",
            )
        })
    }

    /// Reads all lines. No more than one is held in memory, and none longer than `limit`.
    pub(crate) fn read(mut self, limit: usize, to: &mut impl LineSink) -> anyhow::Result<()> {
        let mut decoder = LineDecoder::new(limit);
        let mut piece = vec![0; PIECE];
        let mut bytes_read = 0;
        loop {
            let count = match self.from.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(error).context(advice("can't read on", "see whether the input still exists"));
                }
            };
            let mut rest = &piece[..count];
            while let Some(line) = decoder.next_line(&mut rest) {
                if !to.line(line)? {
                    return Ok(());
                }
            }
            bytes_read += count as u64;
            to.pause(bytes_read)?;
        }
        if let Some(line) = decoder.finish() {
            to.line(line)?;
        }
        to.pause(bytes_read)
    }
}
