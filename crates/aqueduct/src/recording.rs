//! The format of recordings: one JSON object a line.
//!
//! `{"t":0.25,"dir":"out","msg":{…}}` is a line that went by: `t` is the time in seconds since the start,
//! `dir` is `in` (to the agent), `out` (from it), `err` (its stderr) or `note` (a note of the recorder), and
//! `msg` is the line's JSON as it came. A line that is not a JSON object has `"text":"…"` in place of `msg`,
//! one that is not UTF-8 `"bytes":"…"` in base64, and one that was too long to keep only a `"note":"…"`.
//! `"cut":true` marks a last line that had no line end.

use aqueduct_wire::json::{Json, MAX_DEPTH, Raw, Reader, Str};

use crate::base64;

/// Which way a line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Dir {
    /// From the host to the agent.
    In,
    /// From the agent to the host.
    Out,
    /// The agent's stderr.
    Err,
    /// A remark of the recorder.
    Note,
}

impl Dir {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Dir::In => "in",
            Dir::Out => "out",
            Dir::Err => "err",
            Dir::Note => "note",
        }
    }
}

/// A line of a recording.
#[derive(Debug)]
pub(crate) struct RecordingEntry<'a> {
    /// Seconds since the start.
    pub(crate) t: f64,
    pub(crate) dir: Dir,
    pub(crate) body: RecordingBody<'a>,
    /// Whether the stream ended inside the line.
    pub(crate) cut: bool,
}

/// What a line of a recording holds.
#[derive(Debug)]
pub(crate) enum RecordingBody<'a> {
    /// A JSON object.
    Frame(Raw<'a>),
    /// Any other text.
    Text(Str<'a>),
    /// No text.
    Bytes(Vec<u8>),
    /// Nothing, and why.
    LeftOut(Str<'a>),
}

/// Reads a line of a recording. `None` for a line that is none: a recording's lines have `t` and `dir` and
/// no `type`, and frames have a `type`.
pub(crate) fn read(line: &str) -> Option<RecordingEntry<'_>> {
    let mut reader = Reader::new(line);
    reader.open_object().ok()?;
    let (mut t, mut dir, mut body, mut cut, mut first) = (None, None, None, false, true);
    while let Some(key) = reader.next_key(first).ok()? {
        first = false;
        match key.as_str() {
            "type" => return None,
            "t" => t = Some(reader.number().ok()?.parse().ok()?),
            "dir" => {
                dir = Some(match reader.string().ok()?.as_str() {
                    "in" => Dir::In,
                    "out" => Dir::Out,
                    "err" => Dir::Err,
                    _ => Dir::Note,
                });
            }
            "msg" => body = Some(message(&mut reader)?),
            "text" => body = Some(RecordingBody::Text(reader.string().ok()?)),
            "bytes" => body = Some(RecordingBody::Bytes(base64::decode(&reader.string().ok()?)?)),
            "note" => body = Some(RecordingBody::LeftOut(reader.string().ok()?)),
            "cut" => cut = reader.boolean().ok()?,
            _ => reader.skip().ok()?,
        }
    }
    reader.end().ok()?;
    Some(RecordingEntry { t: t?, dir: dir?, body: body?, cut })
}

fn message<'a>(reader: &mut Reader<'a>) -> Option<RecordingBody<'a>> {
    Some(match reader.peek()? {
        b'{' => RecordingBody::Frame(reader.raw().ok()?),
        b'"' => RecordingBody::Text(reader.string().ok()?),
        _ => RecordingBody::Text(reader.raw().ok()?.as_str().to_owned().into()),
    })
}

/// The exit code in a note: `exit 0`. A program that was killed has none of its own; a shell
/// would return 128 and the signal's number.
pub(crate) fn exit_code(note: &str) -> Option<u8> {
    let code = note.strip_prefix("exit ")?.split_whitespace().next()?;
    if code == "killed" {
        return Some(137);
    }
    let code: i32 = code.parse().ok()?;
    u8::try_from(if code < 0 { 128 - code } else { code & 0xff }).ok()
}

/// Writes the beginning of a recording's line, up to what it holds.
pub(crate) fn open(out: &mut String, seconds: f64, dir: Dir) {
    out.push_str(&format!("{{\"t\":{seconds:.6},\"dir\":\"{}\",", dir.name()));
}

/// Writes a member whose value is a string.
pub(crate) fn string_member(out: &mut String, name: &str, value: &str) {
    out.push('"');
    out.push_str(name);
    out.push_str("\":");
    Str::from(value).write(out);
}

/// Whether a line can appear in a recording as JSON: an object, and not so deep that it would be too deep
/// there.
pub(crate) fn is_frame(line: &str) -> bool {
    aqueduct_wire::peek(line).is_ok() && depth(line) < MAX_DEPTH
}

/// How deep the brackets of a valid JSON text are nested.
fn depth(json: &str) -> usize {
    let bytes = json.as_bytes();
    let (mut depth, mut deepest, mut at) = (0_usize, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at + 1),
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    deepest
}

/// The place of the quote that closes a string of valid JSON. `at` is behind the opening one.
#[inline]
pub(crate) fn string_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = quote_or_backslash(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return at,
            Some(_) => at += 2,
            None => return bytes.len(),
        }
    }
}

/// The next quote or backslash. Most strings are short, and for those a search by whole vectors costs more
/// than it saves; so the first bytes are looked at by the word.
#[inline]
fn quote_or_backslash(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 0xff;
    for _ in 0..6 {
        let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) else { break };
        let word = u64::from_le_bytes(*chunk);
        // A byte that is wanted becomes 0, and taking 1 from it sets its high bit. The lowest mark is exact.
        let zero = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
        let marks = zero(word ^ (ONES * b'"' as u64)) | zero(word ^ (ONES * b'\\' as u64));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    memchr::memchr2(b'"', b'\\', rest).map_or(bytes.len(), |found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_recordings_are_distinguished_from_frames() {
        assert!(read(r#"{"type":"user","t":1,"dir":"in","msg":{}}"#).is_none());
        assert!(read(r#"{"dir":"in","msg":{}}"#).is_none());
        assert!(read("not JSON").is_none());
        let entry = read(r#"{"dir":"out", "msg": {"type":"keep_alive"}, "t": 1.5}"#).unwrap();
        assert_eq!((entry.t, entry.dir, entry.cut), (1.5, Dir::Out, false));
        assert!(
            matches!(entry.body, RecordingBody::Frame(raw) if raw.as_str() == r#"{"type":"keep_alive"}"#)
        );
    }

    #[test]
    fn other_lines_are_text_or_bytes() {
        let body = |line| read(line).unwrap().body;
        assert!(
            matches!(body(r#"{"t":0,"dir":"err","msg":"oh"}"#), RecordingBody::Text(text) if text == "oh")
        );
        assert!(
            matches!(body(r#"{"t":0,"dir":"in","msg":[1]}"#), RecordingBody::Text(text) if text == "[1]")
        );
        assert!(
            matches!(body(r#"{"t":0,"dir":"out","bytes":"/w=="}"#), RecordingBody::Bytes(bytes) if bytes == [0xff])
        );
        assert!(matches!(body(r#"{"t":0,"dir":"out","note":"long"}"#), RecordingBody::LeftOut(_)));
    }

    #[test]
    fn exit_codes_are_read_from_notes() {
        let notes =
            ["exit 0", "exit 143 (signal 15)", "exit -9", "exit killed", "exit stage left", "TIMEOUT"];
        assert_eq!(notes.map(exit_code), [Some(0), Some(143), Some(137), Some(137), None, None]);
    }

    #[test]
    fn strings_end_at_their_quote() {
        for length in 0..80 {
            let text = format!("{}\\\"{}\" \"\\", "x".repeat(length), "é".repeat(length));
            assert_eq!(string_end(text.as_bytes(), 0), length + 2 + 2 * length);
            assert_eq!(string_end(&text.as_bytes()[..length + 2], 0), length + 2);
        }
    }

    #[test]
    fn a_frame_that_would_be_too_deep_is_text() {
        let nested = |levels: usize| format!("{}{}", "{\"a\":".repeat(levels - 1) + "{", "}".repeat(levels));
        assert!(is_frame(&nested(MAX_DEPTH - 1)));
        assert!(!is_frame(&nested(MAX_DEPTH)));
        assert!(!is_frame("[1]"));
    }
}
