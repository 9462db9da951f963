//! Files, as far as they can be shown.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;
use std::time::UNIX_EPOCH;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::media;
use super::roots::{Roots, unreadable};
use crate::Failure;
use crate::message::bridge::{FileContent, FileEncodingName};
use crate::work::Deadline;

/// How much text is given at once.
const TEXT_BYTES: usize = 1 << 20;

/// The largest image that is given.
const IMAGE_BYTES: u64 = 10 << 20;

/// How much is read at once while looking for a line.
const BLOCK: usize = 256 << 10;

/// Reads a file: some lines of a text, or a whole image.
pub(super) fn read(
    roots: &Roots,
    path: &Path,
    line: u64,
    limit: u64,
    deadline: Deadline,
) -> Result<FileContent<'static>, Failure> {
    let (mut file, real) = roots.file(path)?;
    let failed = |error| unreadable(path, &error);
    let metadata = file.metadata().map_err(failed)?;
    let mut beginning = Vec::with_capacity(media::BEGINNING);
    (&mut file).take(media::BEGINNING as u64).read_to_end(&mut beginning).map_err(failed)?;
    file.rewind().map_err(failed)?;

    let path = real.to_string_lossy().into_owned();
    let content = |encoding, content: String, media_type: &'static str, more| {
        let mut reply = FileContent::new(path, metadata.len(), encoding, content);
        reply.media_type = Some(media_type.into());
        reply.more = Some(more);
        reply.modified = modified(&metadata);
        reply
    };
    if let Some(media_type) = media::image(&beginning).filter(|_| !is_readable(&beginning)) {
        if metadata.len() > IMAGE_BYTES {
            return Ok(content(FileEncodingName::None, String::new(), media_type, true));
        }
        let mut bytes = Vec::new();
        // It may have grown since.
        file.take(IMAGE_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        return Ok(content(FileEncodingName::Base64, STANDARD.encode(bytes), media_type, false));
    }
    if !media::is_text(&beginning) {
        let more = metadata.len() > 0;
        return Ok(content(FileEncodingName::None, String::new(), media::other(&beginning), more));
    }
    let first = line.max(1);
    let lines = FileLines::read(&mut file, first, limit, deadline).map_err(|stop| match stop {
        ReadStop::Failed(error) => failed(error),
        ReadStop::Late(failure) => failure,
    })?;
    let text = String::from_utf8_lossy(&lines.bytes).into_owned();
    let mut reply = content(FileEncodingName::Text, text, media::text(&real), lines.has_more);
    reply.line = Some(first);
    reply.lines = Some(lines.count);
    Ok(reply)
}

/// A text can begin as an image does, such as with the letters BM.
fn is_readable(beginning: &[u8]) -> bool {
    media::is_text(beginning) && std::str::from_utf8(beginning).is_ok_and(|text| text.len() > 2)
}

fn modified(metadata: &Metadata) -> Option<u64> {
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

/// Some lines of a file.
struct FileLines {
    bytes: Vec<u8>,
    /// How many lines there are, one that was begun included.
    count: u64,
    /// Whether something is left out behind them.
    has_more: bool,
}

/// Why reading ended early.
enum ReadStop {
    Failed(io::Error),
    Late(Failure),
}

impl FileLines {
    /// Reads up to so many lines, beginning with one. Before that, only line ends are read.
    fn read(file: &mut File, first: u64, limit: u64, deadline: Deadline) -> Result<Self, ReadStop> {
        let mut block = vec![0; BLOCK];
        let mut lines = FileLines { bytes: Vec::new(), count: 0, has_more: false };
        let mut to_pass = first - 1;
        let mut ends = 0;
        loop {
            deadline.check().map_err(ReadStop::Late)?;
            let count = file.read(&mut block).map_err(ReadStop::Failed)?;
            let mut rest = &block[..count];
            if rest.is_empty() {
                break;
            }
            while to_pass > 0 {
                match memchr::memchr(b'\n', rest) {
                    Some(end) => (rest, to_pass) = (&rest[end + 1..], to_pass - 1),
                    None => break,
                }
            }
            if to_pass > 0 {
                continue;
            }
            while !rest.is_empty() {
                if ends == limit || lines.bytes.len() >= TEXT_BYTES {
                    lines.has_more = true;
                    return Ok(lines.finish(ends));
                }
                let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
                let taken = end.min(TEXT_BYTES - lines.bytes.len());
                lines.bytes.extend_from_slice(&rest[..taken]);
                ends += u64::from(rest[taken - 1] == b'\n');
                rest = &rest[taken..];
            }
        }
        Ok(lines.finish(ends))
    }

    /// Counts, and leaves out a character that was cut through.
    fn finish(mut self, ends: u64) -> Self {
        if self.has_more
            && let Err(error) = std::str::from_utf8(&self.bytes)
            && error.error_len().is_none()
        {
            self.bytes.truncate(error.valid_up_to());
        }
        let is_begun = self.bytes.last().is_some_and(|&last| last != b'\n');
        self.count = ends + u64::from(is_begun);
        self
    }
}
