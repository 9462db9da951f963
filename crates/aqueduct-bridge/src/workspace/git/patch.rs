//! The output of `git diff-index --raw --numstat -z -p`: first which files changed, then by how many lines,
//! then how.

use std::borrow::Cow;
use std::collections::HashMap;

use super::status::kind;
use crate::message::bridge::{DiffFile, DiffHunk, FileChangeKind};

/// How much is shown of one file's changes.
const FILE_BYTES: usize = 512 << 10;

/// How much is shown of one line.
const LINE_BYTES: usize = 16 << 10;

/// How much can still be shown.
#[derive(Debug)]
pub(super) struct DiffBudget {
    pub(super) files: usize,
    pub(super) bytes: usize,
}

impl DiffBudget {
    /// Lines that fit: those of a file as far as there is room, each up to a length. Whether something was left out
    /// is reported too.
    pub(super) fn fit<'l>(&mut self, used: &mut usize, line: Cow<'l, str>) -> (Option<Cow<'l, str>>, bool) {
        let length = line.len().min(LINE_BYTES);
        if *used + length > FILE_BYTES || length > self.bytes {
            return (None, true);
        }
        *used += length;
        self.bytes -= length;
        if line.len() <= LINE_BYTES {
            return (Some(line), false);
        }
        let cut = line.floor_char_boundary(LINE_BYTES);
        (Some(Cow::Owned(line[..cut].to_owned())), true)
    }
}

/// The files that git names, with their hunks; and whether there was too much. `is_cut` is set if the output
/// ends too early.
pub(super) fn read(output: &[u8], is_cut: bool, room: &mut DiffBudget) -> (Vec<DiffFile<'static>>, bool) {
    let mut records = NulRecords { rest: output };
    let mut changes = Vec::new();
    while records.rest.first() == Some(&b':') {
        match raw(&mut records) {
            Some(change) => changes.push(change),
            None => break,
        }
    }
    let mut files: Vec<ChangedFile> = Vec::new();
    let mut counted = counts(&mut records);
    let mut has_more = is_cut;
    for change in changes {
        // Git names files too whose time alone changed, and counts nothing for them.
        let count = counted.numbers.remove(&change.path);
        if count.is_none() && counted.is_whole {
            continue;
        }
        if room.files == 0 {
            has_more = true;
            break;
        }
        room.files -= 1;
        files.push(ChangedFile { count, ..change });
    }
    let shown = Sections { lines: PatchLines { rest: records.rest }, files: &files, is_cut }.read(room);
    let mut reported = Vec::with_capacity(files.len());
    for (change, shown) in files.into_iter().zip(shown) {
        has_more |= shown.is_cut;
        reported.push(change.into_message(shown));
    }
    (reported, has_more)
}

/// A file that changed.
#[derive(Debug)]
struct ChangedFile {
    path: Vec<u8>,
    old_path: Option<Vec<u8>>,
    kind: FileChangeKind<'static>,
    count: Option<LineCount>,
}

/// How many lines were added and removed; none are counted if it is not text.
type LineCount = Option<(u64, u64)>;

impl ChangedFile {
    fn into_message(self, shown: ShownChanges) -> DiffFile<'static> {
        let mut file = DiffFile::new(text(&self.path), self.kind, shown.hunks);
        file.old_path = self.old_path.map(|path| text(&path).into());
        let is_binary = self.count == Some(None);
        let (added, removed) = self.count.flatten().unwrap_or_default();
        file.added = Some(added);
        file.removed = Some(removed);
        file.binary = is_binary.then_some(true);
        file.cut = (shown.is_cut && !is_binary).then_some(true);
        file
    }

    /// The line with which git begins to show its changes.
    fn header(&self) -> Vec<u8> {
        let old = self.old_path.as_deref().unwrap_or(&self.path);
        [b"diff --git ", quoted("a/", old).as_slice(), b" ", &quoted("b/", &self.path)].concat()
    }
}

/// Parts that end with a NUL.
struct NulRecords<'o> {
    rest: &'o [u8],
}

impl<'o> NulRecords<'o> {
    fn next(&mut self) -> Option<&'o [u8]> {
        let end = memchr::memchr(0, self.rest)?;
        let (record, rest) = (&self.rest[..end], &self.rest[end + 1..]);
        self.rest = rest;
        Some(record)
    }
}

/// `:MODE MODE ID ID STATUS`, then the path; two of them for some statuses.
fn raw(records: &mut NulRecords<'_>) -> Option<ChangedFile> {
    let status = records.next()?.rsplit(|&byte| byte == b' ').next()?;
    let letter = char::from(*status.first()?);
    let first = records.next()?.to_owned();
    let (old_path, path) = match letter {
        'R' | 'C' => (Some(first), records.next()?.to_owned()),
        _ => (None, first),
    };
    Some(ChangedFile { path, old_path, kind: kind(letter).unwrap_or(FileChangeKind::Modified), count: None })
}

/// How many lines changed in which file.
struct LineCounts {
    numbers: HashMap<Vec<u8>, LineCount>,
    /// Whether that is all of them.
    is_whole: bool,
}

/// `ADDED<TAB>REMOVED<TAB>PATH`, or without a path and then two; an empty one is the end.
fn counts(records: &mut NulRecords<'_>) -> LineCounts {
    let mut counts = LineCounts { numbers: HashMap::new(), is_whole: false };
    while let Some(record) = records.next() {
        if record.is_empty() {
            counts.is_whole = true;
            break;
        }
        let mut fields = record.splitn(3, |&byte| byte == b'\t');
        let (Some(added), Some(removed), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
            break;
        };
        let path = match path {
            [] => match (records.next(), records.next()) {
                (Some(_), Some(path)) => path,
                _ => break,
            },
            path => path,
        };
        counts.numbers.insert(path.to_owned(), number(added).zip(number(removed)));
    }
    // Without any change git prints nothing.
    counts.is_whole |= records.rest.is_empty() && counts.numbers.is_empty();
    counts
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// A name as git writes it in a patch: in quotation marks if something in it needs that.
fn quoted(prefix: &str, path: &[u8]) -> Vec<u8> {
    let needs = |byte: &u8| matches!(byte, 0..0x20 | 0x7f | b'"' | b'\\');
    if !path.iter().any(needs) {
        return [prefix.as_bytes(), path].concat();
    }
    let mut out = [b"\"", prefix.as_bytes()].concat();
    for &byte in path {
        let short = match byte {
            0x07 => b'a',
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0b => b'v',
            0x0c => b'f',
            b'\r' => b'r',
            b'"' | b'\\' => byte,
            0..0x20 | 0x7f => {
                out.extend(format!("\\{byte:03o}").into_bytes());
                continue;
            }
            _ => {
                out.push(byte);
                continue;
            }
        };
        out.extend([b'\\', short]);
    }
    out.push(b'"');
    out
}

/// What is shown of a file's changes.
#[derive(Debug, Default)]
struct ShownChanges {
    hunks: Vec<DiffHunk<'static>>,
    is_cut: bool,
    /// How many bytes it takes.
    used: usize,
}

/// The patch: a section a file, in the order of the files; two for a file that became a link.
struct Sections<'p> {
    lines: PatchLines<'p>,
    files: &'p [ChangedFile],
    is_cut: bool,
}

impl Sections<'_> {
    fn read(mut self, room: &mut DiffBudget) -> Vec<ShownChanges> {
        let mut shown: Vec<ShownChanges> = self.files.iter().map(|_| ShownChanges::default()).collect();
        let headers: Vec<Vec<u8>> = self.files.iter().map(ChangedFile::header).collect();
        let mut at = 0;
        while let Some(line) = self.lines.next() {
            if line.starts_with(b"diff --git ") {
                at += headers[at..].iter().position(|header| header == line).unwrap_or(headers.len() - at);
            } else if let Some(ranges) = Ranges::read(line)
                && let Some(shown) = shown.get_mut(at)
            {
                self.hunk(ranges, shown, room);
            }
        }
        if self.is_cut {
            // The rest is unknown.
            shown.iter_mut().skip(at).for_each(|shown| shown.is_cut = true);
        }
        shown
    }

    /// Takes as many lines as the hunk's header states.
    fn hunk(&mut self, ranges: Ranges, shown: &mut ShownChanges, room: &mut DiffBudget) {
        let (mut old, mut new) = (ranges.old.1, ranges.new.1);
        let mut lines = Vec::new();
        while old > 0 || new > 0 || self.lines.rest.first() == Some(&b'\\') {
            let Some(line) = self.lines.next() else { break };
            match line.first() {
                Some(b'-') => old = old.saturating_sub(1),
                Some(b'+') => new = new.saturating_sub(1),
                Some(b'\\') => {}
                _ => (old, new) = (old.saturating_sub(1), new.saturating_sub(1)),
            }
            if shown.is_cut && lines.is_empty() {
                continue;
            }
            let (line, is_cut) = room.fit(&mut shown.used, String::from_utf8_lossy(line));
            shown.is_cut |= is_cut;
            lines.extend(line.map(|line| line.into_owned().into()));
        }
        if !lines.is_empty() {
            let mut hunk = DiffHunk::new(ranges.old.0, ranges.old.1, ranges.new.0, ranges.new.1, lines);
            hunk.heading = ranges.heading.map(Into::into);
            shown.hunks.push(hunk);
        }
    }
}

/// Parts that end with a line end.
struct PatchLines<'p> {
    rest: &'p [u8],
}

impl<'p> PatchLines<'p> {
    fn next(&mut self) -> Option<&'p [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = match memchr::memchr(b'\n', self.rest) {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(line)
    }
}

/// What a hunk is about: first line and number of lines, before and after.
struct Ranges {
    old: (u64, u64),
    new: (u64, u64),
    heading: Option<String>,
}

impl Ranges {
    /// `@@ -1,2 +3,4 @@ heading`
    fn read(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line.strip_prefix(b"@@ -")?);
        let (ranges, heading) = line.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let range = |text: &str| match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        };
        let heading = Some(heading.trim()).filter(|heading| !heading.is_empty()).map(str::to_owned);
        Some(Ranges { old: range(old)?, new: range(new)?, heading })
    }
}

fn text(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn room() -> DiffBudget {
        DiffBudget { files: 100, bytes: 1 << 20 }
    }

    #[test]
    fn a_file_that_was_only_touched_is_not_a_change() {
        let output = b":100644 100644 aa 00 M\0same\0:100644 100644 bb 00 M\0other\x001\t0\tother\0\0\
            diff --git a/other b/other\n--- a/other\n+++ b/other\n@@ -1 +1,2 @@ fn main\n a\n+b\n";
        let (files, is_cut) = read(output, false, &mut room());
        assert!(!is_cut);
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].path, "other");
        assert_eq!(files[0].hunks[0].lines, [" a", "+b"]);
        assert_eq!(files[0].hunks[0].heading.as_deref(), Some("fn main"));
    }

    #[test]
    fn lines_that_look_like_headers_are_lines() {
        let output = b":100644 100644 aa 00 M\0f\x002\t2\tf\0\0diff --git a/f b/f\n--- a/f\n+++ b/f\n\
            @@ -1,2 +1,2 @@\n--- a/x\n-@@ -1 +1 @@\n+++ b/x\n+diff --git a/y b/y\n\\ No newline at end of file\n";
        let (files, _) = read(output, false, &mut room());
        let lines = &files[0].hunks[0].lines;
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[3], "+diff --git a/y b/y");
    }

    #[test]
    fn too_much_is_cut_and_marked() {
        let long = "x".repeat(LINE_BYTES * 2);
        let output = format!(
            ":1 1 a 0 M\0f\0:1 1 a 0 M\0g\x001\t0\tf\x002\t0\tg\0\0diff --git a/f b/f\n@@ -0,0 +1 @@\n+{long}\n\
             diff --git a/g b/g\n@@ -0,0 +1,2 @@\n+a\n+b\n"
        );
        let (files, is_cut) = read(output.as_bytes(), false, &mut room());
        assert!(is_cut);
        assert_eq!(files[0].cut, Some(true));
        assert_eq!(files[0].hunks[0].lines[0].len(), LINE_BYTES);
        assert_eq!((files[1].cut, files[1].hunks[0].lines.len()), (None, 2));

        let (files, is_cut) = read(output.as_bytes(), false, &mut DiffBudget { files: 1, bytes: 10 });
        assert!(is_cut && files.len() == 1 && files[0].hunks.is_empty());
        assert_eq!(files[0].added, Some(1), "counts are reported all the same");
    }

    proptest! {
        /// Whatever is cut off, nothing is read wrongly or fails.
        #[test]
        fn an_output_that_ends_anywhere_is_read(end in 0usize..200) {
            let whole = b":100644 100644 aa 00 M\0a\0:100644 100644 aa bb R087\0b\0c\x001\t1\ta\x001\t0\t\0b\0c\0\0\
                diff --git a/a b/a\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/b b/c\n@@ -1 +1,2 @@\n x\n+y\n";
            let end = end.min(whole.len());
            let (files, is_cut) = read(&whole[..end], end < whole.len(), &mut room());
            prop_assert!(files.len() <= 2);
            prop_assert_eq!(is_cut, end < whole.len());
        }
    }
}
