//! Blocks of Markdown as lines.

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::super::{push_text, width};
use super::MarkdownLayout;
use super::inline::{InlineText, TextStyle};
use super::table::Table;

/// How code is moved to the right.
const CODE_INDENT: &str = "  ";

/// The mark of a list's item, by the depth of the list.
const BULLETS: [&str; 3] = ["• ", "◦ ", "▪ "];

/// Nesting stops to move lines to the right where so few columns are left.
const LEAST_ROOM: usize = 20;

/// Schemes of addresses that a terminal gets as links.
const LINKED_SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// What lines begin with inside a list or a quote.
#[derive(Debug)]
struct LinePrefix {
    /// The beginning of the first line, until it is written.
    first: Option<String>,
    rest: String,
    columns: usize,
    /// Whether the container has lines already.
    has_lines: bool,
    is_quote: bool,
}

/// Makes lines of the events of one block.
pub(super) struct BlockLines {
    layout: MarkdownLayout,
    lines: Vec<String>,
    /// Where the items of the outermost list begin in the lines.
    items: Vec<usize>,
    prefixes: Vec<LinePrefix>,
    inline: InlineText,
    styles: Vec<TextStyle>,
    /// The next number of each list that is open; `None` for bullets.
    lists: Vec<Option<u64>>,
    table: Option<Table>,
    code: Option<String>,
    /// The addresses of links that are open, and their text so far.
    links: Vec<(String, String)>,
}

/// A block as lines.
pub(super) struct RenderedBlock {
    pub(super) lines: Vec<String>,
    /// How many lines no longer change when the block gets further items.
    pub(super) stable: usize,
}

impl BlockLines {
    pub(super) fn new(layout: MarkdownLayout) -> Self {
        BlockLines {
            layout,
            lines: Vec::new(),
            items: Vec::new(),
            prefixes: Vec::new(),
            inline: InlineText::default(),
            styles: vec![TextStyle::default()],
            lists: Vec::new(),
            table: None,
            code: None,
            links: Vec::new(),
        }
    }

    /// The lines of the events.
    pub(super) fn render<'e>(mut self, events: impl Iterator<Item = Event<'e>>) -> RenderedBlock {
        events.for_each(|event| self.event(event));
        self.flush();
        let stable = self.items.last().copied().unwrap_or(0);
        RenderedBlock { lines: self.lines, stable }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => {
                let style = TextStyle { code: true, ..self.style() };
                self.push(&code, style);
            }
            Event::Html(text) | Event::InlineHtml(text) => self.text(text.trim_end_matches('\n')),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text);
            }
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.inline.end_line(),
            Event::Rule => {
                let rule = TextStyle::DIM.paint(&"─".repeat(self.room().min(40)));
                self.line(&rule);
            }
            Event::TaskListMarker(is_done) => self.text(if is_done { "☑ " } else { "☐ " }),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                let is_title = level == HeadingLevel::H1;
                self.styles.push(TextStyle { bold: true, underline: is_title, ..TextStyle::default() });
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.separate();
                let bar = TextStyle::DIM.paint("│ ");
                self.prefixes.push(LinePrefix {
                    first: None,
                    rest: bar,
                    columns: 2,
                    has_lines: false,
                    is_quote: true,
                });
            }
            Tag::CodeBlock(_) => {
                self.flush();
                if self.prefixes.last().is_some_and(|prefix| prefix.is_quote) {
                    self.separate();
                }
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::Table(alignments) => {
                self.separate();
                self.table = Some(Table { alignments, rows: Vec::new() });
            }
            Tag::TableHead => {
                self.styles.push(TextStyle { bold: true, ..self.style() });
                self.row();
            }
            Tag::TableRow => self.row(),
            Tag::Emphasis => self.styles.push(TextStyle { italic: true, ..self.style() }),
            Tag::Strong => self.styles.push(TextStyle { bold: true, ..self.style() }),
            Tag::Strikethrough => self.styles.push(TextStyle { strike: true, ..self.style() }),
            Tag::Link { dest_url, .. } => {
                self.links.push((dest_url.into_string(), String::new()));
                self.styles.push(TextStyle { underline: true, ..self.style() });
            }
            Tag::Image { dest_url, .. } => {
                self.text("image: ");
                self.links.push((dest_url.into_string(), String::new()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
            }
            TagEnd::BlockQuote(_) | TagEnd::Item => {
                self.flush();
                if let Some(LinePrefix { first: Some(first), .. }) = self.prefixes.pop() {
                    // An item without contents.
                    self.line(first.trim_end());
                }
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                for line in code.strip_suffix('\n').unwrap_or(&code).split('\n') {
                    let shown = code_line(line);
                    self.line(&shown);
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::TableHead => {
                self.styles.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.inline);
                if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                let table = self.table.take().unwrap_or_default();
                for line in table.lines(self.room()) {
                    self.line(&line);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link => {
                self.styles.pop();
                self.address();
            }
            TagEnd::Image => self.address(),
            _ => {}
        }
    }

    /// Begins an item of the innermost list.
    fn item(&mut self) {
        self.flush();
        if self.lists.len() == 1 && self.prefixes.is_empty() {
            self.items.push(self.lines.len());
        }
        let depth = self.lists.len().saturating_sub(1);
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            _ => BULLETS[depth % BULLETS.len()].to_owned(),
        };
        let columns = if self.room() > LEAST_ROOM { width(&mark) } else { 0 };
        let rest = " ".repeat(columns);
        self.prefixes.push(LinePrefix {
            first: Some(mark),
            rest,
            columns,
            has_lines: false,
            is_quote: false,
        });
    }

    fn row(&mut self) {
        if let Some(table) = &mut self.table {
            table.rows.push(Vec::new());
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some(code) => code.push_str(text),
            None => self.push(text, self.style()),
        }
    }

    fn push(&mut self, text: &str, style: TextStyle) {
        if let Some((_, shown)) = self.links.last_mut() {
            shown.push_str(text);
        }
        let address = self.links.last().map(|(address, _)| address.as_str());
        let link = address.filter(|address| self.layout.links && is_linked(address)).map(str::to_owned);
        self.inline.push(text, style, link.as_deref());
    }

    /// Ends a link. Its address follows where the terminal does not get it, and where the text is another address.
    fn address(&mut self) {
        let Some((address, shown)) = self.links.pop() else { return };
        let is_sent = self.layout.links && is_linked(&address);
        let is_same = shown.trim() == address || format!("mailto:{}", shown.trim()) == address;
        let seems_address = shown.contains("://") || shown.trim_start().starts_with("www.");
        if !address.is_empty() && !is_same && (!is_sent || seems_address) {
            self.inline.push(&format!(" ({address})"), TextStyle::DIM, None);
        }
    }

    /// Writes an empty line between the blocks of an item or a quote.
    fn separate(&mut self) {
        let Some(inner) = self.prefixes.last() else { return };
        if inner.has_lines && inner.first.is_none() {
            self.line("");
        }
    }

    /// Writes the running text.
    fn flush(&mut self) {
        if self.inline.is_empty() || self.table.is_some() {
            return;
        }
        // Also in a list without empty lines, which a later item may turn into one with them.
        self.separate();
        let text = std::mem::take(&mut self.inline);
        for line in text.wrap(self.room()) {
            self.line(&line.painted());
        }
    }

    /// Writes a line inside the open lists and quotes.
    fn line(&mut self, text: &str) {
        let mut line = String::new();
        for prefix in &mut self.prefixes {
            line.push_str(prefix.first.take().as_deref().unwrap_or(&prefix.rest));
            prefix.has_lines = true;
        }
        line.push_str(text);
        self.lines.push(line.trim_end_matches(' ').to_owned());
    }

    fn room(&self) -> usize {
        let taken: usize = self.prefixes.iter().map(|prefix| prefix.columns).sum();
        self.layout.width.saturating_sub(taken).max(LEAST_ROOM)
    }

    fn style(&self) -> TextStyle {
        self.styles.last().copied().unwrap_or_default()
    }
}

/// A line of code. It is not wrapped, so that it can be copied.
fn code_line(line: &str) -> String {
    let mut shown = String::from(CODE_INDENT);
    line.trim_end_matches('\r').chars().for_each(|char| push_text(&mut shown, char));
    TextStyle { code: true, ..TextStyle::default() }.paint(shown.trim_end())
}

/// Whether an address can be sent to a terminal: of a scheme that is meant for people, in visible ASCII.
fn is_linked(address: &str) -> bool {
    LINKED_SCHEMES.iter().any(|scheme| address.starts_with(scheme))
        && address.len() <= 2000
        && address.bytes().all(|byte| byte.is_ascii_graphic())
}
