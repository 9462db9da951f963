//! What elements mean.

/// What an element is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementKind {
    /// A paragraph of its own, and nothing else.
    Block,
    /// `dt`: a paragraph, which continues with its definition.
    Term,
    /// `dd`: a line of its own.
    Definition,
    /// `h1` to `h6`.
    Heading(u8),
    /// `ul`.
    List,
    /// `ol`.
    OrderedList,
    /// `li`.
    Item,
    /// `blockquote`.
    Quote,
    /// `pre`.
    Preformatted,
    /// `table`.
    Table,
    /// Its rows.
    Row,
    /// Their cells.
    Cell,
    /// `a`.
    Link,
    /// Text of weight.
    Strong,
    /// Text with a stress.
    Emphasis,
    /// Code within a line.
    Code,
    /// Nothing that a reader sees.
    Hidden,
    /// Part of a line, with no meaning here.
    Inline,
}

/// The kind of an element.
pub(super) fn kind(name: &str) -> ElementKind {
    match name {
        "address" | "article" | "aside" | "body" | "caption" | "center" | "details" | "dialog" | "dir"
        | "div" | "dl" | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "head" | "header"
        | "hgroup" | "html" | "legend" | "main" | "menu" | "nav" | "optgroup" | "p" | "search"
        | "section" | "summary" | "title" => ElementKind::Block,
        "dt" => ElementKind::Term,
        "dd" => ElementKind::Definition,
        "h1" => ElementKind::Heading(1),
        "h2" => ElementKind::Heading(2),
        "h3" => ElementKind::Heading(3),
        "h4" => ElementKind::Heading(4),
        "h5" => ElementKind::Heading(5),
        "h6" => ElementKind::Heading(6),
        "ul" => ElementKind::List,
        "ol" => ElementKind::OrderedList,
        "li" => ElementKind::Item,
        "blockquote" => ElementKind::Quote,
        "pre" | "listing" | "xmp" => ElementKind::Preformatted,
        "table" => ElementKind::Table,
        "tr" => ElementKind::Row,
        "td" | "th" => ElementKind::Cell,
        "a" => ElementKind::Link,
        "b" | "strong" => ElementKind::Strong,
        "em" | "i" => ElementKind::Emphasis,
        "code" | "kbd" | "samp" | "tt" => ElementKind::Code,
        "audio" | "canvas" | "datalist" | "iframe" | "map" | "math" | "noembed" | "noframes" | "noscript"
        | "object" | "script" | "select" | "style" | "svg" | "template" | "video" => ElementKind::Hidden,
        _ => ElementKind::Inline,
    }
}

/// Whether an element has no end.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

impl ElementKind {
    /// Whether it is part of a line.
    pub(super) fn is_inline(self) -> bool {
        matches!(
            self,
            ElementKind::Link
                | ElementKind::Strong
                | ElementKind::Emphasis
                | ElementKind::Code
                | ElementKind::Inline
                | ElementKind::Hidden
        )
    }

    /// Whether it is a part of a table.
    pub(super) fn is_of_table(self, name: &str) -> bool {
        matches!(self, ElementKind::Table | ElementKind::Row | ElementKind::Cell)
            || matches!(name, "tbody" | "thead" | "tfoot")
    }
}

/// What an element ends that was left open: the names it ends, and those behind which it does not look.
pub(super) fn ends(
    name: &str,
    kind: ElementKind,
) -> Option<(&'static [&'static str], &'static [&'static str])> {
    match name {
        "li" => Some((&["li"], &["ul", "ol", "menu", "table", "td", "th", "blockquote"])),
        "dt" | "dd" => Some((&["dt", "dd"], &["dl", "table", "td", "th"])),
        "td" | "th" => Some((&["td", "th"], &["tr", "table"])),
        "tr" => Some((&["tr"], &["table"])),
        "tbody" | "thead" | "tfoot" => Some((&["tbody", "thead", "tfoot", "tr"], &["table"])),
        "a" => Some((&["a"], &["td", "th", "table"])),
        "body" => Some((&["head"], &[])),
        _ if !kind.is_inline() => Some((&["p"], &["td", "th", "li", "dd", "div", "blockquote", "table"])),
        _ => None,
    }
}
