//! The agent's output on disk, until the bridge has remembered it.
//!
//! The spool is one endless file of lines, of which only a window is kept. An offset counts all bytes from the
//! first line that was ever spooled in a folder, and never starts again, not even under a new keeper. The window
//! is in segments, files named by the offset of their first byte; a segment begins where a line begins. What
//! the bridge has acknowledged is given back segment by segment.
//!
//! - **A line counts when its end is written.** Bytes of an unfinished line go into the file as they come, so no
//!   line is ever held in memory, but readers do not see them.
//! - **Writes can be repeated.** Every write names its place. One that fails half-way, on a full disk, is made
//!   again from its beginning, and what a crash leaves behind are bytes that the agent wrote, in their order.
//! - **Marks.** The spool adds entries of its own in lines that begin with a NUL byte, which no JSON does:
//!   `NUL !N` represents a line of N bytes that was too long to keep. A line of the agent that itself begins
//!   with a NUL gets `NUL =` in place of it. [`SpoolLines`] undoes both.
//!
//! Nothing is synced by itself: what is written survives the death of every process, and [`Spool::sync`] is for
//! those who fear for the machine.

mod lines;
mod open;

pub use lines::{LineContent, SpoolLine, SpoolLines};

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The first byte of what is not simply a line of the agent.
const MARK: u8 = 0;
/// After [`MARK`]: the agent's line began with that byte.
const LITERAL: u8 = b'=';
/// After [`MARK`]: the agent's line was too long.
const TOO_LONG: u8 = b'!';

/// Sizes that a spool keeps to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// How long a line may be.
    pub(super) line: u64,
    /// How long a segment is before the next one is begun.
    pub(super) segment: u64,
}

/// A spool that is written and read.
#[derive(Debug)]
pub(super) struct Spool {
    folder: PathBuf,
    sizes: Sizes,
    /// Where segments begin; the last one is being written.
    starts: VecDeque<u64>,
    /// The last segment.
    file: File,
    /// The end of what has been written.
    written: u64,
    /// The end of the last complete line.
    next: u64,
    /// How many bytes of the unfinished line have come.
    line: u64,
    /// Whether the unfinished line has become too long and is being skipped.
    skipping: bool,
    /// From where on it is not known to be on the disk.
    synced: u64,
}

impl Spool {
    /// The first offset that can be read.
    pub(super) fn oldest(&self) -> u64 {
        self.starts.front().copied().unwrap_or(self.next)
    }

    /// The end of the last complete line, where the next one will begin.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// How many bytes the spool takes.
    pub(super) fn size(&self) -> u64 {
        self.written - self.oldest()
    }

    /// Takes bytes that the agent wrote from the front of `input`, until none are left or they can't be
    /// written. What was not taken must be passed again.
    pub(super) fn append(&mut self, input: &mut &[u8]) -> io::Result<()> {
        while !input.is_empty() {
            let taken = if self.skipping { self.skip(input)? } else { self.take(input)? };
            *input = &input[taken..];
        }
        Ok(())
    }

    /// Passes over a line that is too long, and puts a mark in its place when it ends.
    fn skip(&mut self, input: &[u8]) -> io::Result<usize> {
        let Some(end) = memchr::memchr(b'\n', input) else {
            self.line += input.len() as u64;
            return Ok(input.len());
        };
        self.mark_too_long(self.line + end as u64)?;
        Ok(end + 1)
    }

    fn mark_too_long(&mut self, length: u64) -> io::Result<()> {
        let mut mark = vec![MARK, TOO_LONG];
        writeln!(mark, "{length}")?;
        self.put(&mark)?;
        self.skipping = false;
        self.line_ended();
        Ok(())
    }

    /// Writes as many bytes as can be written at once.
    fn take(&mut self, input: &[u8]) -> io::Result<usize> {
        if self.line == 0 {
            self.roll()?;
            if input.first() == Some(&MARK) {
                self.put(&[MARK, LITERAL])?;
                self.line = 1;
                return Ok(1);
            }
        }
        let room = self.sizes.segment.saturating_sub(self.written - self.start());
        // The end of the last line that is complete, and the length of the one after it.
        let (mut end, mut line) = (0, self.line);
        let mut run = input.len();
        loop {
            let length = memchr::memchr(b'\n', &input[end..]);
            let rest = length.unwrap_or(input.len() - end) as u64;
            if line + rest > self.sizes.line {
                if end == 0 {
                    return self.give_up_line().map(|()| 0);
                }
                run = end;
                line = 0;
                break;
            }
            let Some(length) = length else {
                line += rest;
                break;
            };
            end += length + 1;
            line = 0;
            // The next line belongs into another segment, or begins with a byte that has to be written
            // differently.
            if end as u64 >= room || input.get(end) == Some(&MARK) {
                run = end;
                break;
            }
        }
        self.put(&input[..run])?;
        if end > 0 {
            self.next = self.written - (run - end) as u64;
        }
        self.line = line;
        Ok(run)
    }

    /// Takes back what has been written of a line that is too long.
    fn give_up_line(&mut self) -> io::Result<()> {
        self.file.set_len(self.next - self.start())?;
        self.written = self.next;
        self.skipping = true;
        Ok(())
    }

    /// Ends the unfinished line, if there is one; returns whether there was one.
    pub(super) fn finish(&mut self) -> io::Result<bool> {
        if self.skipping {
            self.mark_too_long(self.line)?;
            return Ok(true);
        }
        let unfinished = self.written > self.next;
        if unfinished {
            self.put(b"\n")?;
            self.line_ended();
        }
        Ok(unfinished)
    }

    fn line_ended(&mut self) {
        self.next = self.written;
        self.line = 0;
    }

    /// Writes at the end.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, self.written - self.start())?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Begins a new segment if the last one is long enough.
    fn roll(&mut self) -> io::Result<()> {
        if self.written - self.start() >= self.sizes.segment {
            self.file = open::create(&self.path(self.next))?;
            self.starts.push_back(self.next);
        }
        Ok(())
    }

    /// Where the last segment begins.
    fn start(&self) -> u64 {
        self.starts.back().copied().unwrap_or(self.next)
    }

    fn path(&self, start: u64) -> PathBuf {
        path(&self.folder, start)
    }

    /// Reads complete lines from this offset on, or pieces of them, and gives their number of bytes. None
    /// means that nothing follows; so does an offset outside of the window.
    pub(super) fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<usize> {
        let after = self.starts.partition_point(|start| *start <= offset);
        let Some(start) = after.checked_sub(1).and_then(|index| self.starts.get(index)) else {
            return Ok(0);
        };
        let end = self.starts.get(after).copied().unwrap_or(self.next);
        let length =
            usize::try_from(end.saturating_sub(offset)).map_or(bytes.len(), |rest| rest.min(bytes.len()));
        let bytes = &mut bytes[..length];
        if after == self.starts.len() {
            self.file.read_exact_at(bytes, offset - start)?;
        } else {
            File::open(self.path(*start))?.read_exact_at(bytes, offset - start)?;
        }
        Ok(length)
    }

    /// Whether a line begins at this offset, which is in the window.
    pub(super) fn is_line_start(&self, offset: u64) -> io::Result<bool> {
        if offset == self.next || self.starts.binary_search(&offset).is_ok() {
            return Ok(true);
        }
        let mut before = [0];
        self.read(offset - 1, &mut before)?;
        Ok(before == *b"\n")
    }

    /// Deletes segments that are entirely below this offset; returns whether there were any.
    pub(super) fn release(&mut self, offset: u64) -> io::Result<bool> {
        let mut released = false;
        while let (Some(&first), Some(&second)) = (self.starts.front(), self.starts.get(1))
            && second <= offset
        {
            match fs::remove_file(self.path(first)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => self.starts.pop_front(),
            };
            released = true;
        }
        Ok(released)
    }

    /// Waits until everything that has been written is on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        for (index, start) in self.starts.iter().enumerate() {
            let end = self.starts.get(index + 1).copied();
            match end {
                None => self.file.sync_data()?,
                Some(end) if end > self.synced => File::open(self.path(*start))?.sync_data()?,
                Some(_) => {}
            }
        }
        // The names of new segments are in the folder.
        File::open(&self.folder)?.sync_all()?;
        self.synced = self.start();
        Ok(())
    }
}

/// Where the segment is that begins at this offset. Names sort as their numbers do.
fn path(folder: &Path, start: u64) -> PathBuf {
    folder.join(format!("{start:020}"))
}

#[cfg(test)]
mod tests;
