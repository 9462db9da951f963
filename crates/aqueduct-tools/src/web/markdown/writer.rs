//! Markdown as it is written: breaks, prefixes and marks come when the text behind them does.

/// The maximum depth of lists and quotes. Deeper content is written at that depth.
const DEPTH: usize = 12;

/// The most digits of an item's number.
const LARGEST_NUMBER: u32 = 99_999;

/// The separator between the text that is written and the text that follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PendingBreak {
    #[default]
    None,
    Space,
    Line,
    Block,
}

/// What every line begins with.
#[derive(Debug)]
enum Prefix {
    Quote,
    /// An item of a list. The marker is written once; then lines are as far in as it is wide.
    Item {
        marker: String,
        is_written: bool,
    },
    /// Deeper than `DEPTH`, or in a table cell: it adds no prefix.
    None,
}

/// A mark around text.
#[derive(Debug)]
enum MarkState {
    /// Nothing of the text has come.
    Awaited,
    /// The text began there.
    Open(usize),
    /// A block that ended has ended it.
    Closed,
}

/// What a mark means.
#[derive(Debug)]
pub(super) enum MarkMeaning {
    Heading(u8),
    Strong,
    Emphasis,
    Code,
    Link(String),
}

#[derive(Debug)]
struct TableRow {
    cells: usize,
    is_first: bool,
}

/// Writes Markdown.
#[derive(Debug, Default)]
pub(super) struct MarkdownWriter {
    out: String,
    pending: PendingBreak,
    /// Nothing is on the line but its prefix.
    is_line_empty: bool,
    prefixes: Vec<Prefix>,
    /// How many of the prefixes apply to the newest text and to the text that follows.
    shared: usize,
    marks: Vec<(MarkMeaning, MarkState)>,
    /// How many of them wait for their text.
    awaited: usize,
    row: Option<TableRow>,
    is_in_cell: bool,
}

impl MarkdownWriter {
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    pub(super) fn finish(mut self) -> String {
        self.close_marks();
        let end = self.out.trim_end().len();
        self.out.truncate(end);
        self.out
    }

    /// Asks for a break before what comes next. Within a cell everything is one line.
    pub(super) fn separate(&mut self, wanted: PendingBreak) {
        let wanted = match wanted {
            PendingBreak::Line | PendingBreak::Block if self.is_in_cell => PendingBreak::Space,
            PendingBreak::Line if self.is_in_heading() => PendingBreak::Space,
            PendingBreak::Block => {
                self.close_marks();
                let begins_item =
                    matches!(self.prefixes.last(), Some(Prefix::Item { is_written: false, .. }));
                if begins_item { PendingBreak::Line } else { PendingBreak::Block }
            }
            wanted => wanted,
        };
        self.pending = self.pending.max(wanted);
    }

    fn is_in_heading(&self) -> bool {
        let is_heading = |(meaning, mark): &(MarkMeaning, MarkState)| {
            matches!((meaning, mark), (MarkMeaning::Heading(_), MarkState::Open(_)))
        };
        self.marks.iter().any(is_heading)
    }

    /// Writes the break that was asked for, prefixes and marks: text follows.
    fn begin_text(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if self.out.is_empty() {
            self.write_prefix();
        } else {
            match pending {
                PendingBreak::None => (),
                PendingBreak::Space if self.is_line_empty => (),
                PendingBreak::Space => self.out.push(' '),
                PendingBreak::Line => self.new_line(),
                PendingBreak::Block => {
                    self.new_line_without_text();
                    self.new_line();
                }
            }
        }
        if self.awaited > 0 {
            self.write_marks();
        }
        self.is_line_empty = false;
        self.shared = self.prefixes.len();
    }

    /// Writes the marks that waited for text.
    fn write_marks(&mut self) {
        self.awaited = 0;
        // A heading's mark begins the line, also where a link is around it.
        for (meaning, mark) in &mut self.marks {
            if let (MarkMeaning::Heading(level), MarkState::Awaited) = (meaning, &mark) {
                self.out.extend(std::iter::repeat_n('#', usize::from(*level)));
                self.out.push(' ');
                *mark = MarkState::Open(self.out.len());
            }
        }
        for (meaning, mark) in &mut self.marks {
            if !matches!(mark, MarkState::Awaited) {
                continue;
            }
            match meaning {
                MarkMeaning::Heading(_) => (),
                MarkMeaning::Strong => self.out.push_str("**"),
                MarkMeaning::Emphasis => self.out.push('*'),
                MarkMeaning::Code => self.out.push('`'),
                MarkMeaning::Link(_) => self.out.push('['),
            }
            *mark = MarkState::Open(self.out.len());
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.write_prefix();
    }

    /// An empty line: with the marks of quotes that continue, without items' markers.
    fn new_line_without_text(&mut self) {
        self.out.push('\n');
        let start = self.out.len();
        for prefix in self.prefixes.iter().take(self.shared) {
            match prefix {
                Prefix::Quote => self.out.push_str("> "),
                Prefix::Item { is_written: true, marker } => {
                    self.out.extend(std::iter::repeat_n(' ', marker.len()));
                }
                Prefix::Item { .. } | Prefix::None => (),
            }
        }
        let end = start + self.out[start..].trim_end().len();
        self.out.truncate(end);
    }

    fn write_prefix(&mut self) {
        for prefix in &mut self.prefixes {
            match prefix {
                Prefix::Quote => self.out.push_str("> "),
                Prefix::Item { marker, is_written: true } => {
                    self.out.extend(std::iter::repeat_n(' ', marker.len()));
                }
                Prefix::Item { marker, is_written } => {
                    self.out.push_str(marker);
                    *is_written = true;
                }
                Prefix::None => (),
            }
        }
        self.is_line_empty = true;
    }

    /// Writes text; its white space counts as one space.
    pub(super) fn text(&mut self, text: &str) {
        let is_blank = |c: char| c.is_ascii_whitespace() || c == '\u{a0}';
        if text.starts_with(is_blank) {
            self.separate(PendingBreak::Space);
        }
        for (index, word) in text.split(is_blank).filter(|word| !word.is_empty()).enumerate() {
            if index > 0 {
                self.separate(PendingBreak::Space);
            }
            let mut letters = word.chars().filter(|letter| !letter.is_control()).peekable();
            if letters.peek().is_none() {
                continue;
            }
            self.begin_text();
            for letter in letters {
                if letter == '|' && self.is_in_cell {
                    self.out.push('\\');
                }
                self.out.push(letter);
            }
        }
        if text.ends_with(is_blank) {
            self.separate(PendingBreak::Space);
        }
    }

    /// A line across the page.
    pub(super) fn rule(&mut self) {
        if self.is_in_cell {
            return self.separate(PendingBreak::Space);
        }
        self.separate(PendingBreak::Block);
        self.begin_text();
        self.out.push_str("---");
        self.separate(PendingBreak::Block);
    }

    /// Text that stays as it is, between fences.
    pub(super) fn preformatted(&mut self, text: &str, language: &str) {
        if self.is_in_cell {
            return self.text(text);
        }
        let text = text.trim_end();
        let text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
        if text.is_empty() {
            return;
        }
        self.separate(PendingBreak::Block);
        self.drop_awaited();
        self.begin_text();
        let fence = "`".repeat(longest_run(text).max(2) + 1);
        self.out.push_str(&fence);
        self.out.push_str(language);
        for line in text.lines() {
            self.new_line();
            self.out.extend(line.chars().filter(|letter| *letter == '\t' || !letter.is_control()));
        }
        self.new_line();
        self.out.push_str(&fence);
        self.separate(PendingBreak::Block);
    }

    /// Begins a mark around the text that comes.
    pub(super) fn open_mark(&mut self, meaning: MarkMeaning) {
        self.marks.push((meaning, MarkState::Awaited));
        self.awaited += 1;
    }

    /// Drops the marks that wait for text: what comes can't be between them.
    fn drop_awaited(&mut self) {
        let awaited = self.marks.iter_mut().filter(|(_, mark)| matches!(mark, MarkState::Awaited));
        awaited.for_each(|(_, mark)| *mark = MarkState::Closed);
        self.awaited = 0;
    }

    /// Ends the newest mark.
    pub(super) fn close_mark(&mut self) {
        match self.marks.pop() {
            Some((meaning, MarkState::Open(start))) => self.end_mark(&meaning, start),
            Some((_, MarkState::Awaited)) => self.awaited -= 1,
            Some((_, MarkState::Closed)) | None => (),
        }
    }

    /// Ends all marks that have begun: a block ends.
    fn close_marks(&mut self) {
        for index in (0..self.marks.len()).rev() {
            let (meaning, mark) = &mut self.marks[index];
            if let MarkState::Open(start) = *mark {
                *mark = MarkState::Closed;
                let meaning = std::mem::replace(meaning, MarkMeaning::Strong);
                self.end_mark(&meaning, start);
            }
        }
    }

    fn end_mark(&mut self, meaning: &MarkMeaning, start: usize) {
        match meaning {
            MarkMeaning::Heading(_) => (),
            MarkMeaning::Strong => self.out.push_str("**"),
            MarkMeaning::Emphasis => self.out.push('*'),
            MarkMeaning::Code => {
                let run = longest_run(&self.out[start..]);
                if run > 0 {
                    // Text with backticks is enclosed in a longer run of them.
                    self.out.insert_str(start, &format!("{} ", "`".repeat(run)));
                    self.out.push_str(&format!(" {}", "`".repeat(run)));
                }
                self.out.push('`');
            }
            MarkMeaning::Link(address) => {
                self.out.push_str("](");
                self.out.push_str(address);
                self.out.push(')');
            }
        }
    }

    pub(super) fn begin_quote(&mut self) {
        self.separate(PendingBreak::Block);
        self.push_prefix(Prefix::Quote);
    }

    /// Begins an item with its number, or without one.
    pub(super) fn begin_item(&mut self, number: Option<u32>) {
        self.close_marks();
        self.separate(PendingBreak::Line);
        let marker = match number {
            Some(number) => format!("{}. ", number.min(LARGEST_NUMBER)),
            None => "- ".to_owned(),
        };
        self.push_prefix(Prefix::Item { marker, is_written: false });
    }

    fn push_prefix(&mut self, prefix: Prefix) {
        // Within a cell there are no lines that could begin with it.
        let is_deep = self.prefixes.len() >= DEPTH || self.is_in_cell;
        self.prefixes.push(if is_deep { Prefix::None } else { prefix });
    }

    /// Ends the newest quote or item.
    pub(super) fn end_prefix(&mut self, and_then: PendingBreak) {
        self.separate(and_then);
        self.prefixes.pop();
        self.shared = self.shared.min(self.prefixes.len());
    }

    /// Whether the text is in a list item.
    pub(super) fn is_in_item(&self) -> bool {
        self.prefixes.iter().any(|prefix| matches!(prefix, Prefix::Item { .. }))
    }

    /// Begins a row of a table.
    pub(super) fn begin_row(&mut self, is_first: bool) {
        self.separate(if is_first { PendingBreak::Block } else { PendingBreak::Line });
        self.row = Some(TableRow { cells: 0, is_first });
    }

    pub(super) fn begin_cell(&mut self) {
        let Some(row) = &mut self.row else { return };
        row.cells += 1;
        if row.cells == 1 {
            self.drop_awaited();
            self.begin_text();
            self.out.push('|');
        }
        self.out.push(' ');
        self.pending = PendingBreak::None;
        self.is_line_empty = true;
        self.is_in_cell = true;
    }

    pub(super) fn end_cell(&mut self) {
        if self.is_in_cell {
            self.is_in_cell = false;
            self.pending = PendingBreak::None;
            self.out.push_str(" |");
            self.is_line_empty = false;
        }
    }

    /// Ends a row. Gives whether it had cells.
    pub(super) fn end_row(&mut self) -> bool {
        let Some(row) = self.row.take().filter(|row| row.cells > 0) else { return false };
        if row.is_first {
            self.new_line();
            self.out.push('|');
            self.out.extend(std::iter::repeat_n(" --- |", row.cells));
            self.is_line_empty = false;
        }
        self.separate(PendingBreak::Line);
        true
    }
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
