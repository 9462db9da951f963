//! Text files: whole, or by a range of lines in bounded memory, whatever the size.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;
use std::os::unix::fs::FileExt;

use aqueduct_os::regular_file::next_data;
use aqueduct_wire::block::Content;
use aqueduct_wire::tool::{ReadResult, ReadText, ReadTextFile};

use super::super::file_call::{FileCall, output};
use super::{CallOutput, ToolFailure};
use crate::file::{
    ContentDigest, FileError, FileLocation, FileText, KnownVersion, OpenedFile, has_nul, mostly_text, open,
    read_whole,
};

/// How much text one call gives the model.
const CONTENT_LIMIT: usize = 256 << 10;

/// How much it gives when the model insists.
const LARGE_LIMIT: usize = 1 << 20;

/// Up to this size a file is read at once, beyond it in pieces.
const AT_ONCE: u64 = 8 << 20;

/// The size of those pieces.
const PIECE: usize = 256 << 10;

/// Which lines are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    /// The first line, from 1.
    first: u64,
    /// The first line as reported to hosts: 0 if the call passes 0.
    reported: u64,
    /// How many; `None` for all.
    count: Option<u64>,
    /// Whether the call named a part.
    is_part: bool,
    allow_large: bool,
}

/// The lines that a range took from a file.
struct ReadLines {
    /// The bytes of the lines, without the last line end.
    bytes: Vec<u8>,
    /// How many lines those are.
    count: u64,
    /// How many lines the file has.
    total: u64,
    /// Whether the limit cut them off.
    cut: bool,
}

impl Range {
    /// Offsets below 1 begin at the first line, and limits below 1 are none: models mean that by them.
    pub(super) fn new(offset: Option<i64>, limit: Option<i64>, allow_large: bool) -> Self {
        let positive =
            |value: Option<i64>| value.and_then(|value| u64::try_from(value).ok()).filter(|value| *value > 0);
        let (first, count) = (positive(offset), positive(limit));
        Range {
            first: first.unwrap_or(1),
            reported: if offset == Some(0) { 0 } else { first.unwrap_or(1) },
            count,
            is_part: count.is_some() || first.is_some_and(|first| first > 1),
            allow_large,
        }
    }

    fn limit(&self) -> usize {
        if self.allow_large { LARGE_LIMIT } else { CONTENT_LIMIT }
    }
}

pub(super) fn read(
    call: &FileCall,
    place: &FileLocation,
    given: &str,
    range: &Range,
) -> Result<CallOutput, ToolFailure> {
    let opened = open(&place.real)?;
    let size = opened.metadata.len();
    if !range.is_part && !range.allow_large && size > CONTENT_LIMIT as u64 {
        return Err(ToolFailure::Failed(format!(
            "{given} has {}, more than the {} that are read at once. Read a part of it with offset and limit, \
             or search it with Grep. If all of it is needed, allow_large reads up to {}.",
            kilobytes(size),
            kilobytes(CONTENT_LIMIT as u64),
            kilobytes(LARGE_LIMIT as u64),
        )));
    }
    let (lines, seen) = if size > AT_ONCE {
        let stamp = opened.stamp();
        (in_pieces(call, &opened, range, place)?, KnownVersion::Stamp(stamp))
    } else {
        let (bytes, _) = read_whole(&place.real, AT_ONCE)?;
        let text = match FileText::decode(bytes.as_slice()) {
            Some(text) => Cow::Owned(text.text.into_bytes()),
            None => Cow::Borrowed(bytes.as_slice()),
        };
        (at_once(&text, range), KnownVersion::Bytes(ContentDigest::of(&bytes)))
    };
    if lines.cut && !range.allow_large {
        return Err(ToolFailure::Failed(format!(
            "Lines {} to {} of {given} have more than {}. Ask for fewer lines; if a single line is that long, \
             cut it with a command in Bash.",
            range.first,
            range.first + lines.count.saturating_sub(1),
            kilobytes(CONTENT_LIMIT as u64),
        )));
    }
    let output = answer(given, &lines, range)?;
    call.files.note(&place.real, seen, !range.is_part && !lines.cut);
    Ok(output)
}

/// The lines of a text that is in memory.
fn at_once(text: &[u8], range: &Range) -> ReadLines {
    let mut taker = Taker::new(range);
    taker.take(text);
    taker.done()
}

/// The lines of a file too large for that. Only the wanted ones are kept, the others counted. Holes, which are zeros
/// that were never written, are not read: files of this size often have them.
fn in_pieces(
    call: &FileCall,
    opened: &OpenedFile,
    range: &Range,
    place: &FileLocation,
) -> Result<ReadLines, ToolFailure> {
    let size = opened.metadata.len();
    let mut taker = Taker::new(range);
    let mut piece = vec![0; PIECE];
    let mut at = 0;
    while !taker.cut || range.allow_large {
        call.check_cancelled()?;
        let data = next_data(&opened.file, at).unwrap_or(size);
        taker.take_zeros(data.saturating_sub(at));
        at = at.max(data);
        match opened.file.read_at(&mut piece, at) {
            Ok(0) => break,
            Ok(got) => {
                taker.take(&piece[..got]);
                at += got as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FileError::new("read", &place.real, error).into()),
        }
    }
    Ok(taker.done())
}

/// Takes the lines of a range out of bytes that come in pieces.
struct Taker {
    /// The number of the line that the next byte belongs to.
    line: u64,
    first: u64,
    /// The line after the last wanted one.
    end: u64,
    limit: usize,
    taken: Vec<u8>,
    cut: bool,
}

impl Taker {
    fn new(range: &Range) -> Self {
        let end = range.count.map_or(u64::MAX, |count| range.first.saturating_add(count));
        Taker { line: 1, first: range.first, end, limit: range.limit(), taken: Vec::new(), cut: false }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.line >= self.end || self.cut {
                self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
                return;
            }
            let line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
            let (now, rest) = bytes.split_at(line);
            if self.line >= self.first {
                // One more than the limit is enough to know that it is too much.
                let room = self.limit.saturating_sub(self.taken.len());
                self.cut = now.len() > room;
                self.taken.extend_from_slice(&now[..now.len().min(room)]);
            }
            self.line += u64::from(now.ends_with(b"\n"));
            bytes = rest;
        }
    }

    /// Takes a hole: it has no line ends, and zeros beyond the limit of the wanted text add nothing.
    fn take_zeros(&mut self, count: u64) {
        let room = (self.limit.saturating_sub(self.taken.len()) + 1) as u64;
        self.take(&vec![0; usize::try_from(count.min(room)).unwrap_or_default()]);
    }

    fn done(mut self) -> ReadLines {
        let total = self.line;
        if self.cut {
            // Whole lines only, unless there is not one.
            if let Some(end) = memchr::memrchr(b'\n', &self.taken) {
                self.taken.truncate(end);
            }
            let count = 1 + memchr::memchr_iter(b'\n', &self.taken).count() as u64;
            return ReadLines { bytes: self.taken, count, total, cut: true };
        }
        let count = self.end.min(total + 1).saturating_sub(self.first);
        if total >= self.end && self.taken.pop_if(|last| *last == b'\n').is_some() {
            self.taken.pop_if(|last| *last == b'\r');
        }
        ReadLines { bytes: self.taken, count, total, cut: false }
    }
}

fn answer(given: &str, lines: &ReadLines, range: &Range) -> Result<CallOutput, ToolFailure> {
    if has_nul(&lines.bytes) {
        return Err(ToolFailure::Rejected(format!(
            "{given} is not a text file: it has NUL bytes. Inspect it with a command for its format, such as \
             `file` or `xxd`."
        )));
    }
    let text = String::from_utf8_lossy(&lines.bytes);
    let is_lossy = matches!(text, Cow::Owned(_));
    if is_lossy && !mostly_text(&lines.bytes) {
        return Err(ToolFailure::Rejected(format!(
            "{given} is not a text file. Inspect it with a command for its format, such as `file` or `xxd`."
        )));
    }
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let mut shown = String::with_capacity(text.len() + text.len() / 8);
    if lines.count == 0 {
        let _ = write!(
            shown,
            "<system-reminder>Line {} does not exist: the file has {}.</system-reminder>",
            range.first, lines.total
        );
    } else if text.is_empty() && lines.total == 1 {
        shown.push_str("<system-reminder>The file exists but is empty.</system-reminder>");
    } else {
        number(&mut shown, &text, range.first);
    }
    if is_lossy {
        shown.push_str(
            "\n\n[Not UTF-8: bytes that could not be decoded are shown as U+FFFD. Edit and Write do not \
             change such a file; use a command that preserves its encoding, or ask the user whether to \
             convert it.]",
        );
    }
    if lines.cut {
        let _ = write!(shown, "\n\n[Truncated: the file has {} lines. Continue with offset.]", lines.total);
    }
    let mut file = ReadTextFile::new(given.to_owned());
    file.content = Some(text.into());
    file.num_lines = Some(lines.count.into());
    file.start_line = Some(range.reported.into());
    file.total_lines = Some(lines.total.into());
    file.truncated_by_token_cap = lines.cut.then_some(true);
    output(Content::Text(shown.into()), &ReadResult::Text(ReadText::new(file)))
}

/// Writes the lines with their numbers.
fn number(out: &mut String, text: &str, first: u64) {
    for (number, line) in (first..).zip(text.split('\n')) {
        if number > first {
            out.push('\n');
        }
        let _ = write!(out, "{number}\t{line}");
    }
}

fn kilobytes(bytes: u64) -> String {
    format!("{} KB", bytes.div_ceil(1024))
}
