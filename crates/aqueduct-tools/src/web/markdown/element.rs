//! What elements mean.

/// What an element is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A paragraph of its own, and nothing else.
    Block,
    /// `dt`: a paragraph, which goes on with what it means.
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
pub(super) fn kind(name: &str) -> Kind {
    match name {
        "address" | "article" | "aside" | "body" | "caption" | "center" | "details" | "dialog" | "dir"
        | "div" | "dl" | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "head" | "header"
        | "hgroup" | "html" | "legend" | "main" | "menu" | "nav" | "optgroup" | "p" | "search"
        | "section" | "summary" | "title" => Kind::Block,
        "dt" => Kind::Term,
        "dd" => Kind::Definition,
        "h1" => Kind::Heading(1),
        "h2" => Kind::Heading(2),
        "h3" => Kind::Heading(3),
        "h4" => Kind::Heading(4),
        "h5" => Kind::Heading(5),
        "h6" => Kind::Heading(6),
        "ul" => Kind::List,
        "ol" => Kind::OrderedList,
        "li" => Kind::Item,
        "blockquote" => Kind::Quote,
        "pre" | "listing" | "xmp" => Kind::Preformatted,
        "table" => Kind::Table,
        "tr" => Kind::Row,
        "td" | "th" => Kind::Cell,
        "a" => Kind::Link,
        "b" | "strong" => Kind::Strong,
        "em" | "i" => Kind::Emphasis,
        "code" | "kbd" | "samp" | "tt" => Kind::Code,
        "audio" | "canvas" | "datalist" | "iframe" | "map" | "math" | "noembed" | "noframes" | "noscript"
        | "object" | "script" | "select" | "style" | "svg" | "template" | "video" => Kind::Hidden,
        _ => Kind::Inline,
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

impl Kind {
    /// Whether it is part of a line.
    pub(super) fn is_inline(self) -> bool {
        matches!(self, Kind::Link | Kind::Strong | Kind::Emphasis | Kind::Code | Kind::Inline | Kind::Hidden)
    }

    /// Whether it is a part of a table.
    pub(super) fn is_of_table(self, name: &str) -> bool {
        matches!(self, Kind::Table | Kind::Row | Kind::Cell) || matches!(name, "tbody" | "thead" | "tfoot")
    }
}

/// What an element ends that was left open: the names it ends, and those behind which it does not look.
pub(super) fn ends(name: &str, kind: Kind) -> Option<(&'static [&'static str], &'static [&'static str])> {
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
