/// How much text an answer holds, whatever its limit of lines.
pub(super) const TEXT_LIMIT: usize = 100_000;

/// The part of an answer that is asked for: so many lines after so many others.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineWindow {
    pub(super) offset: usize,
    pub(super) limit: usize,
}

/// The lines in a window. Lines before it are counted, and of those behind it only whether there are any matters.
#[derive(Debug)]
pub(super) struct GrepPage {
    window: LineWindow,
    lines: Vec<String>,
    total: usize,
    size: usize,
}

impl GrepPage {
    pub(super) fn new(window: LineWindow) -> Self {
        GrepPage { window, lines: Vec::new(), total: 0, size: 0 }
    }

    /// Adds a line, which is made only if it is kept.
    pub(super) fn push(&mut self, line: impl FnOnce() -> String) {
        self.total += 1;
        if self.total > self.window.offset && self.lines.len() < self.window.limit && self.size < TEXT_LIMIT {
            let line = line();
            self.size += line.len() + 1;
            self.lines.push(line);
        }
    }

    /// Counts lines that are before the window or behind it.
    pub(super) fn pass(&mut self, count: usize) {
        self.total += count;
    }

    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    pub(super) fn into_lines(self) -> Vec<String> {
        self.lines
    }

    /// How many lines were added. If there are lines behind the page, there may be more of them than these.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// How many bytes the lines of the page have.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// How many lines are still before the window.
    pub(super) fn before(&self) -> usize {
        self.window.offset.saturating_sub(self.total)
    }

    /// Whether there are lines behind the page. No line that is added from then on changes the page.
    pub(super) fn has_more(&self) -> bool {
        self.total > self.window.offset.saturating_add(self.lines.len())
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
        (self.window.offset > 0).then_some(self.window.offset)
    }

    /// Which part of the whole this is, and how to see the next.
    pub(super) fn describe(&self) -> String {
        let (first, last) = (self.window.offset + 1, self.window.offset + self.lines.len());
        match self.has_more() {
            true => format!("({first} to {last}; there are more: continue with offset {last})"),
            false if self.lines.is_empty() => {
                format!("(the offset is past the end: there are {})", self.total)
            }
            false => format!("({first} to {last} of {})", self.total),
        }
    }
}
