//! Markdown that comes in pieces, written block by block.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::super::push_text;
use super::MarkdownLayout;
use super::block::{BlockLines, RenderedBlock};
use super::inline::TextStyle;

/// How much text an open block may have. A longer one is written as far as it is, and continued as a block of its own.
const OPEN_LIMIT: usize = 64 << 10;

/// The extensions that models use.
const EXTENSIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Text of a model on its way to the terminal.
///
/// A block is written when it can't change any more: when the next one begins, after its empty line, or at the end. The
/// lines of code blocks and the items of lists are written as they come.
#[derive(Debug)]
pub(crate) struct MarkdownStream {
    layout: MarkdownLayout,
    /// What has not been written, from the beginning of a block. In a code block: its fence, and then what has not been
    /// written.
    pending: String,
    /// How many lines of the open block have been written.
    written: usize,
    /// Whether an empty line precedes the open block.
    has_gap: bool,
    /// Whether lines of the open code block have been written.
    is_code_open: bool,
    has_lines: bool,
}

/// A block at the top level: where it is in the text, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TopBlock {
    range: Range<usize>,
    form: BlockForm,
}

/// How a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockForm {
    /// With its line: a heading, a rule.
    Line,
    /// At an empty line.
    Paragraph,
    /// A code block with a fence, which ends it.
    Fenced,
    /// When another block begins.
    Other,
}

impl MarkdownStream {
    pub(crate) fn new(layout: MarkdownLayout) -> Self {
        MarkdownStream {
            layout,
            pending: String::new(),
            written: 0,
            has_gap: false,
            is_code_open: false,
            has_lines: false,
        }
    }

    /// Takes a piece of the text. Returns the lines that are complete.
    pub(crate) fn push(&mut self, text: &str) -> Vec<String> {
        self.pending.push_str(text);
        // Only a complete line can end a block or begin one.
        if text.contains('\n') { self.take(false) } else { Vec::new() }
    }

    /// Ends the text. Returns the lines that are left.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        self.take(true)
    }

    /// The last line of what has not been written, for a preview.
    pub(crate) fn open_line(&self) -> &str {
        let start = if self.is_code_open { self.pending.find('\n').map_or(0, |end| end + 1) } else { 0 };
        self.pending[start..].lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default()
    }

    fn take(&mut self, is_end: bool) -> Vec<String> {
        let complete = match self.pending.rfind('\n') {
            _ if is_end => self.pending.len(),
            Some(end) => end + 1,
            None => return Vec::new(),
        };
        let text = self.pending[..complete].to_owned();
        let mut lines = Vec::new();
        let blocks = top_blocks(&text);
        let mut rest = 0;
        for (index, block) in blocks.iter().enumerate() {
            self.definitions(&text[rest..block.range.start], &mut lines);
            if block.range.start > 0 {
                self.has_gap = has_empty_line_before(&text, block.range.start);
            }
            let is_last = index + 1 == blocks.len();
            if !is_last || is_end || is_closed(&text, block) {
                self.write_closed(&text, block, &mut lines);
                // What ends its last line stays: with it the next block knows whether an empty line precedes it.
                rest = block.range.start + trimmed(&text[block.range.clone()]).len();
            } else {
                rest = self.write_open(&text, block, &mut lines);
            }
        }
        if is_end {
            self.definitions(&text[rest..], &mut lines);
            rest = text.len();
        }
        if !self.is_code_open {
            self.pending.drain(..rest);
        }
        lines
    }

    /// Writes definitions of links as they are: the text that they are for may have been written without them.
    fn definitions(&mut self, text: &str, lines: &mut Vec<String>) {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let mut shown = String::with_capacity(line.len());
            line.chars().for_each(|char| push_text(&mut shown, char));
            lines.push(TextStyle::DIM.paint(&shown));
            self.has_lines = true;
        }
    }

    /// Writes what is left of a block that is complete.
    fn write_closed(&mut self, text: &str, block: &TopBlock, lines: &mut Vec<String>) {
        let source = &text[block.range.clone()];
        if std::mem::take(&mut self.is_code_open) {
            if has_code(source) {
                lines.extend(self.render(source).lines);
            }
            return;
        }
        let rendered = self.render(source);
        let written = std::mem::take(&mut self.written);
        self.gap(written, lines);
        lines.extend(rendered.lines.into_iter().skip(written));
    }

    /// Writes what does not change any more of a block that is open. Returns where the unwritten text begins.
    fn write_open(&mut self, text: &str, block: &TopBlock, lines: &mut Vec<String>) -> usize {
        let source = &text[block.range.start..];
        if block.form == BlockForm::Fenced {
            let Some(opening) = source.find('\n').map(|end| end + 1) else { return block.range.start };
            if source.len() > opening {
                if !self.is_code_open {
                    self.gap(0, lines);
                }
                self.is_code_open = true;
                lines.extend(self.render(source).lines);
                self.pending = format!("{}{}", &source[..opening], &self.pending[text.len()..]);
            }
            return block.range.start;
        }
        if block.form != BlockForm::Other && source.len() <= OPEN_LIMIT {
            return block.range.start;
        }
        let rendered = self.render(source);
        if source.len() > OPEN_LIMIT {
            let written = std::mem::take(&mut self.written);
            self.gap(written, lines);
            lines.extend(rendered.lines.into_iter().skip(written));
            return text.len();
        }
        if rendered.stable > self.written {
            self.gap(self.written, lines);
            lines.extend(rendered.lines[self.written..rendered.stable].iter().cloned());
            self.written = rendered.stable;
        }
        block.range.start
    }

    /// Writes the empty line before a block.
    fn gap(&mut self, written: usize, lines: &mut Vec<String>) {
        if written == 0 && std::mem::take(&mut self.has_gap) && self.has_lines {
            lines.push(String::new());
        }
        self.has_lines = true;
    }

    fn render(&self, block: &str) -> RenderedBlock {
        BlockLines::new(self.layout).render(Parser::new_ext(block, EXTENSIONS))
    }
}

/// The blocks of a text that are in no other block.
fn top_blocks(text: &str) -> Vec<TopBlock> {
    let mut blocks = Vec::new();
    let mut depth = 0;
    for (event, range) in Parser::new_ext(text, EXTENSIONS).into_offset_iter() {
        let form = match &event {
            Event::Start(Tag::Heading { .. }) | Event::Rule => BlockForm::Line,
            Event::Start(Tag::Paragraph | Tag::Table(_) | Tag::BlockQuote(_)) => BlockForm::Paragraph,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => BlockForm::Fenced,
            _ => BlockForm::Other,
        };
        if depth == 0 && !matches!(event, Event::End(_)) {
            // The range of a block begins behind its indentation.
            let start = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
            let is_indented = text[start..range.start].bytes().all(|byte| byte == b' ' || byte == b'\t');
            let start = if is_indented { start } else { range.start };
            blocks.push(TopBlock { range: start..range.end, form });
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    blocks
}

/// Whether nothing that follows can change the last block of a text of complete lines.
fn is_closed(text: &str, block: &TopBlock) -> bool {
    let source = &text[block.range.clone()];
    match block.form {
        BlockForm::Line => true,
        BlockForm::Paragraph => {
            let behind = &text[block.range.start + trimmed(source).len()..];
            behind.matches('\n').count() > 1
        }
        BlockForm::Fenced => is_fence_closed(source),
        BlockForm::Other => false,
    }
}

/// Whether a code block has its closing fence.
fn is_fence_closed(source: &str) -> bool {
    let mut lines = trimmed(source).lines();
    let Some(opening) = lines.next().map(str::trim_start) else { return false };
    let Some(mark) = opening.chars().next() else { return false };
    let length = opening.chars().take_while(|char| *char == mark).count();
    lines.last().is_some_and(|last| {
        let fence = last.trim_start_matches(' ');
        // Further to the right it is code.
        let is_fence = last.len() - fence.len() < 4 && fence.chars().all(|char| char == mark);
        is_fence && fence.chars().count() >= length
    })
}

/// Whether a code block has a line beside its fences.
fn has_code(source: &str) -> bool {
    let fences = 1 + usize::from(is_fence_closed(source));
    source.lines().count() > fences
}

/// A text without the blanks at its end, as Markdown knows them.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches([' ', '\t', '\n', '\r'])
}

fn has_empty_line_before(text: &str, at: usize) -> bool {
    let before = &text[..at];
    before[trimmed(before).len()..].matches('\n').count() > 1
}
