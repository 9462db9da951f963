use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// How much of a file's beginning and of its end is read; the SDKs read the same.
pub(super) const WINDOW: u64 = 64 << 10;

/// How far a window is opened where it shows no whole line.
const WIDEST: u64 = 1 << 20;

/// The beginning and the end of a file, in whole lines.
#[derive(Debug, Default)]
pub(super) struct Glimpse {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// Whether nothing is between.
    pub(super) is_whole: bool,
    pub(super) bytes_read: u64,
}

impl Glimpse {
    /// Reads the beginning and the end, and no byte twice.
    pub(super) fn of(file: &File, size: u64) -> io::Result<Self> {
        let mut glimpse = Glimpse::default();
        glimpse.head = glimpse.part(file, 0, size.min(WINDOW))?;
        let mut start = size;
        let mut length = WINDOW;
        loop {
            let further = size.saturating_sub(length).max(WINDOW.min(size));
            let mut tail = glimpse.part(file, further, start - further)?;
            tail.append(&mut glimpse.tail);
            (glimpse.tail, start) = (tail, further);
            if start <= WINDOW {
                // The ends meet.
                glimpse.head.append(&mut glimpse.tail);
                glimpse.is_whole = true;
                return Ok(glimpse);
            }
            // The first line is there in part only.
            let whole = memchr::memchr(b'\n', &glimpse.tail).map_or(glimpse.tail.len(), |end| end + 1);
            if whole < glimpse.tail.len() || length >= WIDEST {
                glimpse.tail.drain(..whole);
                break;
            }
            length *= 4;
        }
        glimpse.cut_head();
        Ok(glimpse)
    }

    /// Opens the head's window wide, for what must be near the beginning. Whether there was more to see.
    pub(super) fn widen(&mut self, file: &File, size: u64) -> io::Result<bool> {
        if self.is_whole {
            return Ok(false);
        }
        self.head = self.part(file, 0, size.min(WIDEST))?;
        self.is_whole = size <= WIDEST;
        if !self.is_whole {
            self.cut_head();
        }
        Ok(true)
    }

    /// The lines of the beginning.
    pub(super) fn head(&self) -> impl Iterator<Item = &[u8]> {
        lines(&self.head)
    }

    /// The lines of the end; those of the beginning where that is all.
    pub(super) fn tail(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        lines(if self.is_whole { &self.head } else { &self.tail })
    }

    /// The last line is there in part only.
    fn cut_head(&mut self) {
        let whole = memchr::memrchr(b'\n', &self.head).map_or(0, |end| end + 1);
        self.head.truncate(whole);
    }

    fn part(&mut self, file: &File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        let mut filled = 0;
        while filled < bytes.len() {
            match file.read_at(&mut bytes[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(filled);
        self.bytes_read += filled as u64;
        Ok(bytes)
    }
}

fn lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty())
}
