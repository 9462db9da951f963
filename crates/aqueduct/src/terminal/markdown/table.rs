//! A table as lines: columns as wide as their contents, or narrower where the terminal is.

use pulldown_cmark::Alignment;

use super::inline::{InlineText, TextStyle, WrappedLine};

/// What is between two columns.
const BETWEEN: &str = " │ ";

/// The columns that [`BETWEEN`] takes.
const BETWEEN_COLUMNS: usize = 3;

/// The narrowest that a column becomes. If the columns do not fit then, each row is a list of its cells.
const NARROWEST: usize = 8;

/// A table while it is read.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    /// The first row is the head.
    pub(super) rows: Vec<Vec<InlineText>>,
}

impl Table {
    /// The lines of the table in so many columns.
    pub(super) fn lines(&self, room: usize) -> Vec<String> {
        match self.widths(room) {
            Some(widths) => self.grid(&widths),
            None => self.list(room),
        }
    }

    /// The widths of the columns. `None` if they do not fit.
    fn widths(&self, room: usize) -> Option<Vec<usize>> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let room = room.checked_sub(count.saturating_sub(1) * BETWEEN_COLUMNS)?;
        let most = |column: usize, of: fn(&InlineText) -> usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(of).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..count).map(|column| most(column, InlineText::columns)).collect();
        let words: Vec<usize> = (0..count).map(|column| most(column, InlineText::longest_word)).collect();
        // The widest column gives way first, at first only as far as its words are not split.
        for least in [words, vec![NARROWEST; count]] {
            while widths.iter().sum::<usize>() > room {
                let can_shrink = |index: &usize| widths[*index] > least[*index].max(NARROWEST);
                let Some(widest) = (0..count).filter(can_shrink).max_by_key(|index| widths[*index]) else {
                    break;
                };
                widths[widest] -= 1;
            }
        }
        (widths.iter().sum::<usize>() <= room).then_some(widths)
    }

    fn grid(&self, widths: &[usize]) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<WrappedLine>> = widths
                .iter()
                .enumerate()
                .map(|(column, width)| row.get(column).map(|cell| cell.wrap(*width)).unwrap_or_default())
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let shown: Vec<String> = cells
                    .iter()
                    .enumerate()
                    .map(|(column, cell)| self.padded(cell.get(line), column, widths[column]))
                    .collect();
                lines.push(shown.join(&TextStyle::DIM.paint(BETWEEN)).trim_end().to_owned());
            }
            if index == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                lines.push(TextStyle::DIM.paint(&rule.join("─┼─")));
            }
        }
        lines
    }

    fn padded(&self, line: Option<&WrappedLine>, column: usize, width: usize) -> String {
        let (text, columns) = line.map(|line| (line.painted(), line.columns)).unwrap_or_default();
        let free = width.saturating_sub(columns);
        let before = match self.alignments.get(column) {
            Some(Alignment::Right) => free,
            Some(Alignment::Center) => free / 2,
            _ => 0,
        };
        format!("{}{text}{}", " ".repeat(before), " ".repeat(free - before))
    }

    /// Each row as its cells behind the names of their columns.
    fn list(&self, room: usize) -> Vec<String> {
        let Some((head, rows)) = self.rows.split_first() else { return Vec::new() };
        let mut lines = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                lines.push(String::new());
            }
            for (column, cell) in row.iter().enumerate() {
                let mut text = head.get(column).cloned().unwrap_or_default();
                text.push(": ", TextStyle { bold: true, ..TextStyle::default() }, None);
                text.append(cell);
                lines.extend(text.wrap(room).iter().map(WrappedLine::painted));
            }
        }
        lines
    }
}
