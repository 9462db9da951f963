/// How much text an answer holds, whatever its limit of lines.
const TEXT_LIMIT: usize = 100_000;

/// A page of an answer: so many lines after so many others. The rest is counted, not kept.
#[derive(Debug)]
pub(super) struct Page {
    offset: usize,
    limit: usize,
    lines: Vec<String>,
    total: usize,
    size: usize,
}

/// How a page was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    lines: usize,
    total: usize,
    size: usize,
}

impl Page {
    /// A page of `limit` lines after `offset` others.
    pub(super) fn new(offset: usize, limit: usize) -> Self {
        Page { offset, limit, lines: Vec::new(), total: 0, size: 0 }
    }

    /// Adds a line, which is made only if it is kept.
    pub(super) fn push(&mut self, line: impl FnOnce() -> String) {
        self.total += 1;
        if self.total > self.offset && self.lines.len() < self.limit && self.size < TEXT_LIMIT {
            let line = line();
            self.size += line.len() + 1;
            self.lines.push(line);
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { lines: self.lines.len(), total: self.total, size: self.size }
    }

    /// Takes back what was added since.
    pub(super) fn reset(&mut self, mark: Mark) {
        self.lines.truncate(mark.lines);
        self.total = mark.total;
        self.size = mark.size;
    }

    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// How many lines there are in all.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Whether there are lines behind the page.
    fn has_more(&self) -> bool {
        self.total > self.offset.saturating_add(self.lines.len())
    }

    /// Whether the page is not all there is.
    pub(super) fn is_cut(&self) -> bool {
        self.total > self.lines.len()
    }

    /// The limit that cut the answer off.
    pub(super) fn applied_limit(&self) -> Option<usize> {
        self.has_more().then_some(self.lines.len())
    }

    /// The offset, if there is one.
    pub(super) fn applied_offset(&self) -> Option<usize> {
        (self.offset > 0).then_some(self.offset)
    }

    /// Which part of the whole this is, and how to see the next.
    pub(super) fn describe(&self) -> String {
        let (first, last) = (self.offset + 1, self.offset + self.lines.len());
        match self.has_more() {
            true => format!("({first} to {last} of {}; go on with offset {last})", self.total),
            false if self.lines.is_empty() => format!("(there are {}; the offset is past them)", self.total),
            false => format!("({first} to {last} of {})", self.total),
        }
    }
}
