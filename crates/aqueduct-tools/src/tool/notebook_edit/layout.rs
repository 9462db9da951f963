//! How a notebook's text is laid out, so that a new piece looks like the rest and the rest stays as it is.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::span::{elements, members, space_end};

/// A notebook's text and its style.
pub(super) struct NotebookLayout<'a> {
    text: &'a str,
    /// What a level is indented with; `None` if all is in one line.
    indent: Option<&'a str>,
    line_end: &'static str,
}

/// Cells are two levels in: in the notebook's object, in its list of cells.
const CELL_DEPTH: usize = 2;

impl<'a> NotebookLayout<'a> {
    /// Looks at how the text is laid out. It must be valid JSON.
    pub(super) fn of(text: &'a str, crlf: bool) -> Self {
        let start = space_end(text, 0) + 1;
        let space = text.get(start..space_end(text, start)).unwrap_or_default();
        let indent = space.rfind('\n').map(|line_end| &space[line_end + 1..]);
        NotebookLayout { text, indent, line_end: if crlf { "\r\n" } else { "\n" } }
    }

    /// The text with another source, say, in a cell. Members that the cell doesn't have are left out, but for
    /// the first.
    pub(super) fn with_members(&self, index: usize, new: &[(&str, Value)]) -> Option<String> {
        let cell = self.cells()?.1.get(index)?.clone();
        let old = members(self.text, cell.start)?;
        let mut edits = Vec::new();
        for (position, (name, value)) in new.iter().enumerate() {
            match old.iter().rfind(|(key, _)| key == name) {
                Some((_, span)) => edits.push((span.clone(), self.written(value, CELL_DEPTH + 1))),
                None if position == 0 => {
                    let comma = if old.is_empty() { "" } else { "," };
                    let member = format!("\"{name}\": {}{comma}", self.written(value, CELL_DEPTH + 1));
                    edits.push((cell.start + 1..cell.start + 1, self.line(CELL_DEPTH + 1) + &member));
                }
                None => {}
            }
        }
        edits.sort_by_key(|(span, _)| span.start);
        Some(edits.into_iter().rev().fold(self.text.to_owned(), |mut text, (span, new)| {
            text.replace_range(span, &new);
            text
        }))
    }

    /// The text with another cell in the place of one.
    pub(super) fn with_other_cell(&self, index: usize, cell: &Value) -> Option<String> {
        let span = self.cells()?.1.get(index)?.clone();
        Some(self.with(span, &self.written(cell, CELL_DEPTH)))
    }

    /// The text with one more cell, which gets that index.
    pub(super) fn with_cell(&self, index: usize, cell: &Value) -> Option<String> {
        let (list, cells) = self.cells()?;
        let cell = self.written(cell, CELL_DEPTH);
        let line = self.line(CELL_DEPTH);
        if cells.is_empty() {
            return Some(self.with(list, &format!("[{line}{cell}{}]", self.line(CELL_DEPTH - 1))));
        }
        match index.checked_sub(1) {
            None => {
                let first = cells.first()?.start;
                Some(
                    self.with(first..first, &format!("{cell},{}", if line.is_empty() { " " } else { &line })),
                )
            }
            Some(before) => {
                let end = cells.get(before)?.end;
                let line = if line.is_empty() { " " } else { &line };
                Some(self.with(end..end, &format!(",{line}{cell}")))
            }
        }
    }

    /// The text without a cell.
    pub(super) fn without_cell(&self, index: usize) -> Option<String> {
        let (list, cells) = self.cells()?;
        let cell = cells.get(index)?.clone();
        let span = match (index.checked_sub(1), cells.get(index + 1)) {
            (Some(before), _) => cells.get(before)?.end..cell.end,
            (None, Some(after)) => cell.start..after.start,
            (None, None) => return Some(self.with(list, "[]")),
        };
        Some(self.with(span, ""))
    }

    /// Where the list of cells and each of them are.
    fn cells(&self) -> Option<(Range<usize>, Vec<Range<usize>>)> {
        let all = members(self.text, space_end(self.text, 0))?;
        let (_, list) = all.into_iter().rfind(|(key, _)| *key == "cells")?;
        let cells = elements(self.text, list.start)?;
        Some((list, cells))
    }

    fn with(&self, span: Range<usize>, new: &str) -> String {
        [&self.text[..span.start], new, &self.text[span.end..]].concat()
    }

    /// A new line of that depth; nothing if all is in one line.
    fn line(&self, depth: usize) -> String {
        self.indent.map(|indent| format!("{}{}", self.line_end, indent.repeat(depth))).unwrap_or_default()
    }

    /// A value as it is written at that depth.
    fn written(&self, value: &Value, depth: usize) -> String {
        let Some(indent) = self.indent else { return value.to_string() };
        let mut out = Vec::new();
        let mut serializer =
            Serializer::with_formatter(&mut out, PrettyFormatter::with_indent(indent.as_bytes()));
        match value.serialize(&mut serializer) {
            // Line ends in the output are the formatter's: those of strings are escaped.
            Ok(()) => String::from_utf8_lossy(&out).replace('\n', &self.line(depth)),
            Err(_) => value.to_string(),
        }
    }
}
