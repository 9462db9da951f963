//! Cuts what goes by into lines, as bytes.

/// Splits input that arrives in pieces into lines. Unlike the wire's decoder it also returns lines that are
/// not text.
#[derive(Debug)]
pub(super) struct Cutter {
    limit: usize,
    /// The beginning of a line whose end has not come yet.
    buffer: Vec<u8>,
    /// How long a line is that has become too long to keep.
    skipped: u64,
}

/// A line, without its line end.
#[derive(Debug, PartialEq)]
pub(super) enum CutLine<'a> {
    Line(&'a [u8]),
    TooLong(u64),
}

impl Cutter {
    pub(super) fn new(limit: usize) -> Self {
        Cutter { limit, buffer: Vec::new(), skipped: 0 }
    }

    /// Takes a piece and returns the lines that end in it.
    pub(super) fn take(&mut self, mut piece: &[u8], mut give: impl FnMut(CutLine<'_>)) {
        while let Some(at) = memchr::memchr(b'\n', piece) {
            let end = &piece[..at];
            piece = &piece[at + 1..];
            if self.buffer.is_empty() && self.skipped == 0 && end.len() <= self.limit {
                give(CutLine::Line(end));
            } else {
                self.keep(end);
                self.finish(&mut give);
            }
        }
        self.keep(piece);
    }

    /// Gives out what came after the last line end; whether there was anything.
    pub(super) fn finish(&mut self, mut give: impl FnMut(CutLine<'_>)) -> bool {
        let skipped = std::mem::take(&mut self.skipped);
        let is_there = skipped > 0 || !self.buffer.is_empty();
        if skipped > 0 {
            give(CutLine::TooLong(skipped));
        } else if is_there {
            give(CutLine::Line(&self.buffer));
        }
        self.buffer.clear();
        self.buffer.shrink_to(256 << 10);
        is_there
    }

    fn keep(&mut self, piece: &[u8]) {
        if self.skipped > 0 {
            self.skipped += piece.len() as u64;
        } else if self.buffer.len() + piece.len() > self.limit {
            self.skipped = (self.buffer.len() + piece.len()) as u64;
            self.buffer = Vec::new();
        } else {
            self.buffer.extend_from_slice(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&str]) -> Vec<String> {
        let mut cutter = Cutter::new(8);
        let mut lines = Vec::new();
        let mut give = |cut: CutLine<'_>| match cut {
            CutLine::Line(line) => lines.push(String::from_utf8_lossy(line).into_owned()),
            CutLine::TooLong(bytes) => lines.push(format!("<{bytes}>")),
        };
        for piece in pieces {
            cutter.take(piece.as_bytes(), &mut give);
        }
        cutter.finish(&mut give);
        lines
    }

    #[test]
    fn any_pieces_give_the_same_lines() {
        let text = "one\ntwo\n\nfar too long\nlast";
        let whole = lines(&[text]);
        assert_eq!(whole, ["one", "two", "", "<12>", "last"]);
        for at in 0..=text.len() {
            assert_eq!(lines(&[&text[..at], &text[at..]]).join("|"), whole.join("|"));
        }
    }
}
