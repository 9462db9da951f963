//! Styled text, wrapped into lines.

use unicode_segmentation::UnicodeSegmentation;

use super::super::{push_text, width};

/// How a piece of text looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TextStyle {
    pub(super) bold: bool,
    pub(super) dim: bool,
    pub(super) italic: bool,
    pub(super) underline: bool,
    pub(super) strike: bool,
    pub(super) code: bool,
}

impl TextStyle {
    pub(super) const DIM: TextStyle =
        TextStyle { bold: false, dim: true, italic: false, underline: false, strike: false, code: false };

    /// The parameters of "select graphic rendition"; empty for plain text.
    fn parameters(self) -> String {
        let table = [
            (self.bold, "1"),
            (self.dim, "2"),
            (self.italic, "3"),
            (self.underline, "4"),
            (self.strike, "9"),
            (self.code, "36"),
        ];
        let set: Vec<&str> = table.iter().filter(|(is_set, _)| *is_set).map(|(_, code)| *code).collect();
        set.join(";")
    }

    /// A text in this style. The text must be harmless already.
    pub(super) fn paint(self, text: &str) -> String {
        match self.parameters() {
            parameters if parameters.is_empty() || text.is_empty() => text.to_owned(),
            parameters => format!("\x1b[{parameters}m{text}\x1b[0m"),
        }
    }
}

/// A piece of running text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    text: String,
    style: TextStyle,
    /// The address that the terminal gets with it.
    link: Option<String>,
}

/// Running text: pieces in one style each, and breaks.
#[derive(Debug, Clone, Default)]
pub(super) struct InlineText {
    pieces: Vec<Piece>,
    /// The pieces before which a line ends.
    breaks: Vec<usize>,
}

/// What is not separated: a word, or a wide character of a script without blanks.
#[derive(Debug, Default)]
struct Word {
    parts: Vec<Piece>,
    columns: usize,
    /// How many blanks precede it.
    blanks: usize,
}

/// Characters that do not begin a line: they belong to what precedes them.
const CLOSING: &str = "、。，．！？：；）」』】〉》…";

impl InlineText {
    /// Appends text. What a terminal would obey is made visible.
    pub(super) fn push(&mut self, text: &str, style: TextStyle, link: Option<&str>) {
        let mut shown = String::with_capacity(text.len());
        text.chars().for_each(|char| match char {
            '\n' => shown.push(' '),
            char => push_text(&mut shown, char),
        });
        self.pieces.push(Piece { text: shown, style, link: link.map(str::to_owned) });
    }

    /// Ends the line.
    pub(super) fn end_line(&mut self) {
        self.breaks.push(self.pieces.len());
    }

    /// Appends another text.
    pub(super) fn append(&mut self, other: &InlineText) {
        let before = self.pieces.len();
        self.pieces.extend(other.pieces.iter().cloned());
        self.breaks.extend(other.breaks.iter().map(|at| before + at));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The columns of the text in one line.
    pub(super) fn columns(&self) -> usize {
        self.pieces.iter().map(|piece| width(&piece.text)).sum()
    }

    /// The columns of the longest word.
    pub(super) fn longest_word(&self) -> usize {
        self.words(0..self.pieces.len()).iter().map(|word| word.columns).max().unwrap_or(0)
    }

    /// The lines of the text. A word that is longer than a line is split.
    pub(super) fn wrap(&self, room: usize) -> Vec<WrappedLine> {
        let room = room.max(1);
        let mut lines = Vec::new();
        let ends = self.breaks.iter().copied().chain([self.pieces.len()]);
        let mut start = 0;
        for end in ends {
            let mut line = WrappedLine::default();
            for word in self.words(start..end) {
                let blanks = if line.columns == 0 { 0 } else { word.blanks };
                if line.columns > 0 && line.columns + blanks + word.columns > room {
                    lines.push(std::mem::take(&mut line));
                } else {
                    line.blank(blanks);
                }
                for part in word.parts {
                    for cluster in part.text.graphemes(true) {
                        let columns = width(cluster);
                        if line.columns > 0 && line.columns + columns > room {
                            lines.push(std::mem::take(&mut line));
                        }
                        line.push(cluster, columns, &part);
                    }
                }
            }
            lines.push(line);
            start = end;
        }
        lines
    }

    fn words(&self, range: std::ops::Range<usize>) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut blanks = 0;
        let mut is_open = false;
        for piece in self.pieces.get(range).unwrap_or_default() {
            for cluster in piece.text.graphemes(true) {
                if cluster == " " {
                    blanks += 1;
                    is_open = false;
                    continue;
                }
                let columns = width(cluster);
                let is_wide = columns > 1 && !CLOSING.contains(cluster);
                if !is_open || is_wide {
                    words.push(Word { blanks, ..Word::default() });
                    blanks = 0;
                }
                if let Some(word) = words.last_mut() {
                    word.push(cluster, columns, piece);
                }
                // What follows a wide character may be on the next line.
                is_open = !is_wide;
            }
        }
        attach_closing(words)
    }
}

/// Joins closing punctuation with the word before it.
fn attach_closing(words: Vec<Word>) -> Vec<Word> {
    let mut joined: Vec<Word> = Vec::with_capacity(words.len());
    for word in words {
        let is_closing =
            word.blanks == 0 && word.parts.first().is_some_and(|part| CLOSING.contains(part.text.as_str()));
        match joined.last_mut().filter(|_| is_closing) {
            Some(last) => {
                last.columns += word.columns;
                last.parts.extend(word.parts);
            }
            None => joined.push(word),
        }
    }
    joined
}

impl Word {
    fn push(&mut self, cluster: &str, columns: usize, piece: &Piece) {
        self.columns += columns;
        match self.parts.last_mut() {
            Some(last) if last.style == piece.style && last.link == piece.link => last.text.push_str(cluster),
            _ => self.parts.push(Piece { text: cluster.to_owned(), ..piece.clone() }),
        }
    }
}

/// A line of text that fits.
#[derive(Debug, Default)]
pub(super) struct WrappedLine {
    parts: Vec<Piece>,
    pub(super) columns: usize,
    /// The blanks at its end.
    blanks: usize,
}

impl WrappedLine {
    fn push(&mut self, cluster: &str, columns: usize, piece: &Piece) {
        self.columns += columns;
        let blanks = " ".repeat(std::mem::take(&mut self.blanks));
        match self.parts.last_mut() {
            Some(last) if last.style == piece.style && last.link == piece.link => {
                last.text.push_str(&blanks);
                last.text.push_str(cluster);
            }
            _ => {
                if !blanks.is_empty() {
                    self.parts.push(Piece { text: blanks, style: TextStyle::default(), link: None });
                }
                self.parts.push(Piece { text: cluster.to_owned(), ..piece.clone() });
            }
        }
    }

    fn blank(&mut self, count: usize) {
        self.columns += count;
        self.blanks += count;
    }

    /// The line as the terminal gets it.
    pub(super) fn painted(&self) -> String {
        let mut line = String::new();
        for part in &self.parts {
            let text = part.style.paint(&part.text);
            match &part.link {
                Some(address) => line.push_str(&format!("\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\")),
                None => line.push_str(&text),
            }
        }
        line
    }
}
