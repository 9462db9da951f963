//! The agent's stderr on disk, for those who look at an agent that runs.
//!
//! A line of the file is a line of stderr behind the time at which it began, in milliseconds since 1970:
//! `1763587425123 warning: …`. The files are in the folder `stderr`, each named by the offset of its first byte. Two are
//! kept at most, so the size is bounded. Losing a line, such as on a full disk, stops nothing.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// How large a file is before the next one is begun. The newest two are kept.
const SEGMENT: u64 = 256 << 10;

/// How long a line is at most. A longer one is continued on the next.
const LINE: usize = 8 << 10;

/// How many bytes one call reads at most.
const PAGE: usize = 256 << 10;

/// The folder in that of the keeper.
const FOLDER: &str = "stderr";

/// Writes the agent's stderr. It makes no file before there is something to write.
#[derive(Debug)]
pub(super) struct StderrWriter {
    folder: PathBuf,
    file: Option<File>,
    /// The offset at which the current file begins.
    start: u64,
    /// The offset at which the file before it begins.
    previous: Option<u64>,
    /// The offset of the next byte.
    next: u64,
    /// The length of the line that is not complete.
    line: usize,
}

impl StderrWriter {
    /// A writer below a keeper's folder.
    pub(super) fn new(keeper: &Path) -> Self {
        StderrWriter { folder: keeper.join(FOLDER), file: None, start: 0, previous: None, next: 0, line: 0 }
    }

    /// Writes what the agent wrote at this time. What can't be written is left out.
    pub(super) fn append(&mut self, bytes: &[u8], milliseconds: u64) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = LINE - self.line;
            let (piece, is_complete) = match memchr::memchr(b'\n', rest) {
                Some(end) if end <= room => (&rest[..end], true),
                _ => (&rest[..rest.len().min(room)], rest.len() >= room),
            };
            let ends_itself = rest.get(piece.len()) == Some(&b'\n');
            rest = &rest[piece.len() + usize::from(is_complete && ends_itself)..];
            // A line that is lost is lost as a whole, or to its end: files have whole lines all the same.
            if self.write(piece, is_complete, milliseconds).is_ok() {
                self.line = if is_complete { 0 } else { self.line + piece.len() };
            }
        }
    }

    fn write(&mut self, piece: &[u8], is_complete: bool, milliseconds: u64) -> io::Result<()> {
        if self.line == 0 && (self.file.is_none() || self.next - self.start >= SEGMENT) {
            self.begin_file()?;
        }
        let mut line = Vec::with_capacity(piece.len() + 16);
        if self.line == 0 {
            line.extend_from_slice(format!("{milliseconds} ").as_bytes());
        }
        line.extend_from_slice(piece);
        if is_complete {
            line.push(b'\n');
        }
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        // A write that failed half-way is written over by the next one.
        file.write_all_at(&line, self.next - self.start)?;
        self.next += line.len() as u64;
        Ok(())
    }

    fn begin_file(&mut self) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        let path = segment(&self.folder, self.next);
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
        let old = self.previous.take();
        if self.file.replace(file).is_some() {
            self.previous = Some(self.start);
        }
        self.start = self.next;
        if let Some(old) = old {
            // One that can't be removed now is removed with the folder.
            let _ = fs::remove_file(segment(&self.folder, old));
        }
        Ok(())
    }
}

/// Lines of an agent's stderr.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StderrPage {
    /// Whole lines, oldest first.
    pub lines: Vec<TimedLine>,
    /// Where the next line begins.
    pub next: u64,
    /// Whether more is there already.
    pub more: bool,
}

/// A line, and when it was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedLine {
    /// In milliseconds since 1970.
    pub time: u64,
    /// The line without its end.
    pub text: String,
}

/// Reads the stderr of the agent of a keeper, from an offset on. Lines before the oldest that is kept are passed over.
pub fn read_stderr(keeper: &Path, from: u64) -> io::Result<StderrPage> {
    let folder = keeper.join(FOLDER);
    let mut starts = Vec::new();
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(StderrPage { next: from, ..StderrPage::default() });
        }
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name();
        starts
            .extend(name.to_str().filter(|name| name.len() == 20).and_then(|name| name.parse::<u64>().ok()));
    }
    starts.sort_unstable();
    let (mut bytes, mut begin) = (Vec::new(), None);
    for start in starts {
        let content = match fs::read(segment(&folder, start)) {
            // The keeper has deleted it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            content => content?,
        };
        let skipped = usize::try_from(from.saturating_sub(start)).unwrap_or(usize::MAX).min(content.len());
        if skipped < content.len() {
            begin.get_or_insert(start + skipped as u64);
            bytes.extend_from_slice(&content[skipped..]);
        }
    }
    let begin = begin.unwrap_or(from);
    let more = bytes.len() > PAGE;
    bytes.truncate(PAGE);
    let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1);
    Ok(StderrPage { lines: stderr_lines(&bytes[..whole]), next: begin + whole as u64, more })
}

/// The lines of a file of stderr. What is not a line of one is left out.
pub fn stderr_lines(bytes: &[u8]) -> Vec<TimedLine> {
    let lines = bytes.split(|byte| *byte == b'\n').filter_map(|line| {
        let end = memchr::memchr(b' ', line)?;
        let time = std::str::from_utf8(&line[..end]).ok()?.parse().ok()?;
        let text = String::from_utf8_lossy(&line[end + 1..]);
        Some(TimedLine { time, text: text.trim_end_matches('\r').to_owned() })
    });
    lines.collect()
}

fn segment(folder: &Path, start: u64) -> PathBuf {
    folder.join(format!("{start:020}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(page: &StderrPage) -> Vec<&str> {
        page.lines.iter().map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn lines_are_read_while_more_are_written() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_stderr(folder.path(), 0).unwrap(), StderrPage::default());
        let mut writer = StderrWriter::new(folder.path());
        writer.append(b"one\ntw", 1000);
        let page = read_stderr(folder.path(), 0).unwrap();
        assert_eq!(page.lines, [TimedLine { time: 1000, text: "one".to_owned() }]);
        writer.append(b"o\r\n\nfour", 2000);
        let page = read_stderr(folder.path(), page.next).unwrap();
        assert_eq!(texts(&page), ["two", ""]);
        // A line has the time of its beginning.
        assert_eq!(page.lines[0].time, 1000);
        assert_eq!(texts(&read_stderr(folder.path(), page.next).unwrap()), [""; 0]);
    }

    #[test]
    fn the_newest_lines_are_kept_in_bounded_space() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = StderrWriter::new(folder.path());
        for number in 0..200_000 {
            writer.append(format!("line {number}\n").as_bytes(), 1_763_587_425_123);
        }
        let files: Vec<_> = fs::read_dir(folder.path().join(FOLDER)).unwrap().collect();
        assert_eq!(files.len(), 2);
        let (mut next, mut last, mut bytes) = (0, String::new(), 0);
        loop {
            let page = read_stderr(folder.path(), next).unwrap();
            let Some(line) = page.lines.last() else { break };
            last.clone_from(&line.text);
            bytes += page.lines.iter().map(|line| line.text.len() + "1763587425123 \n".len()).sum::<usize>();
            next = page.next;
        }
        assert_eq!(last, "line 199999");
        let segment = SEGMENT as usize;
        assert!((segment..=2 * (segment + LINE)).contains(&bytes), "{bytes}");
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = StderrWriter::new(folder.path());
        let long = vec![b'x'; 2 * LINE];
        writer.append(&long, 1);
        writer.append(b"y\n", 2);
        let page = read_stderr(folder.path(), 0).unwrap();
        assert_eq!(page.lines.iter().map(|line| line.text.len()).collect::<Vec<_>>(), [LINE, LINE, 1]);
    }

    proptest! {
        /// However stderr is cut into pieces, its lines are the same.
        #[test]
        fn pieces_make_no_difference(
            lines in proptest::collection::vec("[a-z é\t]{0,40}", 0..20),
            size in 1..64usize,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = StderrWriter::new(folder.path());
            let all: String = lines.iter().map(|line| format!("{line}\n")).collect();
            for piece in all.as_bytes().chunks(size) {
                writer.append(piece, 7);
            }
            let page = read_stderr(folder.path(), 0).unwrap();
            prop_assert_eq!(texts(&page), lines);
        }
    }
}
