//! Elements, opened and closed, as calls of the writer.

use super::Links;
use super::element::{self, ElementKind, is_void, kind};
use super::entity::decode;
use super::token::{HtmlToken, HtmlTokens, attribute};
use super::writer::{MarkMeaning, MarkdownWriter, PendingBreak};

/// How many elements may be open. Those that are deeper count as not there; their text does.
const OPEN_ELEMENTS: usize = 256;

/// The longest name of a language behind a fence.
const LANGUAGE: usize = 20;

/// The longest address of a link.
const ADDRESS: usize = 2000;

/// An element that is open.
struct OpenElement {
    name: String,
    kind: ElementKind,
    /// It is not visible.
    is_hidden: bool,
    /// The writer has received its start, and must receive its end.
    is_begun: bool,
    /// It has a mark in the writer.
    is_marked: bool,
}

/// A list that is open.
struct List {
    /// The number of the next item, where they have numbers.
    next: Option<u32>,
}

/// Text that stays as it is.
struct Preformatted {
    text: String,
    language: String,
}

/// Turns a page into Markdown.
pub(super) struct Converter<'l> {
    links: &'l mut dyn Links,
    limit: usize,
    writer: MarkdownWriter,
    open: Vec<OpenElement>,
    /// How many elements are open that count as not there.
    deeper: usize,
    /// How many of the open elements are not visible.
    hidden: usize,
    lists: Vec<List>,
    preformatted: Option<Preformatted>,
    /// How many tables are open, and how many rows the outermost has.
    tables: usize,
    rows: usize,
}

impl<'l> Converter<'l> {
    pub(super) fn new(links: &'l mut dyn Links, limit: usize) -> Self {
        Converter {
            links,
            limit,
            writer: MarkdownWriter::default(),
            open: Vec::new(),
            deeper: 0,
            hidden: 0,
            lists: Vec::new(),
            preformatted: None,
            tables: 0,
            rows: 0,
        }
    }

    pub(super) fn convert(mut self, html: &str) -> String {
        for token in HtmlTokens::new(html) {
            match token {
                HtmlToken::Text(text) => self.text(text),
                HtmlToken::Start { name, attributes } => self.start(&name.to_ascii_lowercase(), attributes),
                HtmlToken::End { name } => self.end(&name.to_ascii_lowercase()),
            }
            let waiting = self.preformatted.as_ref().map_or(0, |preformatted| preformatted.text.len());
            if self.writer.len() + waiting > self.limit {
                break;
            }
        }
        self.close_to(0);
        self.writer.finish()
    }

    fn text(&mut self, text: &str) {
        if self.hidden > 0 {
            return;
        }
        let text = decode(text);
        match &mut self.preformatted {
            Some(preformatted) => preformatted.text.push_str(&text),
            None => self.writer.text(&text),
        }
    }

    fn start(&mut self, name: &str, attributes: &str) {
        let kind = kind(name);
        if let Some((names, walls)) = element::ends(name, kind) {
            self.end_open(names, walls);
        }
        if is_void(name) {
            return self.void(name, attributes);
        }
        if self.open.len() >= OPEN_ELEMENTS {
            self.deeper += 1;
            return;
        }
        let is_hidden = kind == ElementKind::Hidden || is_unseen(attributes);
        self.hidden += usize::from(is_hidden);
        let mut open =
            OpenElement { name: name.to_owned(), kind, is_hidden, is_begun: false, is_marked: false };
        if self.hidden == 0 {
            self.begin(&mut open, attributes);
        }
        self.open.push(open);
    }

    /// Handles an element without an end tag.
    fn void(&mut self, name: &str, attributes: &str) {
        if name == "base"
            && let Some(href) = attribute(attributes, "href")
        {
            self.links.set_base(&decode(href));
        }
        if self.hidden > 0 || is_unseen(attributes) {
            return;
        }
        match (name, &mut self.preformatted) {
            ("br", Some(preformatted)) => preformatted.text.push('\n'),
            ("br", None) => self.writer.separate(PendingBreak::Line),
            ("hr", None) => self.writer.rule(),
            ("img", None) => {
                let alt = decode(attribute(attributes, "alt").unwrap_or_default());
                if !alt.trim().is_empty() {
                    self.writer.text(&format!("![{}]", alt.trim()));
                }
            }
            _ => (),
        }
    }

    /// An element that people see begins.
    fn begin(&mut self, open: &mut OpenElement, attributes: &str) {
        if let Some(preformatted) = &mut self.preformatted {
            if preformatted.language.is_empty() {
                preformatted.language = language(attributes);
            }
            return;
        }
        open.is_begun = true;
        let mark = match open.kind {
            ElementKind::Heading(level) => {
                self.writer.separate(PendingBreak::Block);
                Some(MarkMeaning::Heading(level))
            }
            ElementKind::Strong => Some(MarkMeaning::Strong),
            ElementKind::Emphasis => Some(MarkMeaning::Emphasis),
            ElementKind::Code => Some(MarkMeaning::Code),
            ElementKind::Link => self.link(attributes).map(MarkMeaning::Link),
            kind => {
                self.begin_block(kind, attributes);
                None
            }
        };
        if let Some(meaning) = mark {
            self.writer.open_mark(meaning);
            open.is_marked = true;
        }
    }

    fn begin_block(&mut self, kind: ElementKind, attributes: &str) {
        match kind {
            ElementKind::List | ElementKind::OrderedList => {
                let within = self.writer.is_in_item();
                self.writer.separate(if within { PendingBreak::Line } else { PendingBreak::Block });
                let first = attribute(attributes, "start").and_then(|start| start.trim().parse().ok());
                let next = (kind == ElementKind::OrderedList).then(|| first.unwrap_or(1));
                self.lists.push(List { next });
            }
            ElementKind::Item => {
                let number = self.lists.last_mut().and_then(|list| {
                    let number = list.next?;
                    list.next = Some(number.saturating_add(1));
                    Some(number)
                });
                self.writer.begin_item(number);
            }
            ElementKind::Quote => self.writer.begin_quote(),
            ElementKind::Preformatted => {
                self.preformatted =
                    Some(Preformatted { text: String::new(), language: language(attributes) });
            }
            ElementKind::Table => {
                self.tables += 1;
                self.writer.separate(PendingBreak::Block);
                if self.tables == 1 {
                    self.rows = 0;
                }
            }
            ElementKind::Row if self.tables == 1 => self.writer.begin_row(self.rows == 0),
            ElementKind::Cell if self.tables == 1 => self.writer.begin_cell(),
            ElementKind::Row | ElementKind::Cell => self.writer.separate(PendingBreak::Space),
            ElementKind::Block | ElementKind::Term => self.writer.separate(PendingBreak::Block),
            ElementKind::Definition => self.writer.separate(PendingBreak::Line),
            _ => (),
        }
    }

    /// Where a link leads. Places on the page itself and scripts are nowhere.
    fn link(&self, attributes: &str) -> Option<String> {
        let href = decode(attribute(attributes, "href")?);
        let href = href.trim();
        let scheme = href.split(':').next().unwrap_or_default();
        let is_nowhere =
            ["javascript", "data", "vbscript", "blob"].iter().any(|bad| scheme.eq_ignore_ascii_case(bad));
        if href.is_empty() || href.starts_with('#') || is_nowhere {
            return None;
        }
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"()<>".contains(c);
        self.links.resolve(href).filter(|address| address.len() <= ADDRESS && address.chars().all(plain))
    }

    fn end(&mut self, name: &str) {
        if name == "br" {
            return self.start(name, "");
        }
        if matches!(name, "body" | "html") || is_void(name) {
            return;
        }
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let is_of_table = kind(name).is_of_table(name);
        let mut found = None;
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.name == name {
                found = Some(index);
                break;
            }
            // What a cell leaves open stays in it, and it ends with its own table only.
            if (open.kind == ElementKind::Cell && !is_of_table)
                || (open.kind == ElementKind::Table && name != "table")
            {
                break;
            }
        }
        if let Some(index) = found {
            self.close_to(index);
        }
    }

    /// Closes the innermost element of these names, unless another one of `walls` is further in.
    fn end_open(&mut self, names: &[&str], walls: &[&str]) {
        for (index, open) in self.open.iter().enumerate().rev() {
            if names.contains(&open.name.as_str()) {
                return self.close_to(index);
            }
            if walls.contains(&open.name.as_str()) {
                return;
            }
        }
    }

    /// Closes elements until only so many are open.
    fn close_to(&mut self, count: usize) {
        while self.open.len() > count {
            if let Some(open) = self.open.pop() {
                self.close(&open);
            }
        }
    }

    fn close(&mut self, open: &OpenElement) {
        self.hidden -= usize::from(open.is_hidden);
        if !open.is_begun {
            return;
        }
        if open.is_marked {
            self.writer.close_mark();
        }
        match open.kind {
            ElementKind::Heading(_) | ElementKind::Block => self.writer.separate(PendingBreak::Block),
            ElementKind::List | ElementKind::OrderedList => {
                self.lists.pop();
                let within = self.writer.is_in_item();
                self.writer.separate(if within { PendingBreak::Line } else { PendingBreak::Block });
            }
            ElementKind::Term | ElementKind::Definition => self.writer.separate(PendingBreak::Line),
            ElementKind::Item => self.writer.end_prefix(PendingBreak::Line),
            ElementKind::Quote => self.writer.end_prefix(PendingBreak::Block),
            ElementKind::Preformatted => {
                if let Some(Preformatted { text, language }) = self.preformatted.take() {
                    self.writer.preformatted(&text, &language);
                }
            }
            ElementKind::Table => {
                self.tables = self.tables.saturating_sub(1);
                self.writer.separate(PendingBreak::Block);
            }
            ElementKind::Row if self.tables == 1 => self.rows += usize::from(self.writer.end_row()),
            ElementKind::Cell if self.tables == 1 => self.writer.end_cell(),
            _ => (),
        }
    }
}

/// Whether an element is not visible.
fn is_unseen(attributes: &str) -> bool {
    if attributes.trim().is_empty() {
        return false;
    }
    let is_styled_away = || {
        let style = attribute(attributes, "style")?;
        let style: String =
            style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
        Some(style.contains("display:none") || style.contains("visibility:hidden"))
    };
    attribute(attributes, "hidden").is_some_and(|how| !how.eq_ignore_ascii_case("until-found"))
        || attribute(attributes, "aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
        || is_styled_away().unwrap_or(false)
}

/// The language of code, as classes name it.
fn language(attributes: &str) -> String {
    let classes = attribute(attributes, "class").unwrap_or_default();
    let named = classes.split_ascii_whitespace().find_map(|class| {
        ["language-", "lang-", "highlight-source-"].iter().find_map(|before| class.strip_prefix(before))
    });
    let is_name = |c: char| c.is_ascii_alphanumeric() || "+-#_.".contains(c);
    named.filter(|name| name.len() <= LANGUAGE && name.chars().all(is_name)).unwrap_or_default().to_owned()
}
