//! A page as tags and text.

/// A piece of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HtmlToken<'h> {
    /// Text, with its entities.
    Text(&'h str),
    /// `<name …>`; the attributes as they are written.
    Start { name: &'h str, attributes: &'h str },
    /// `</name>`.
    End { name: &'h str },
}

/// Elements whose text is no markup, and ends with their own end tag only.
const RAW: [&str; 6] = ["script", "style", "textarea", "title", "xmp", "iframe"];

/// Cuts a page into pieces. Every byte is looked at a bounded number of times.
pub(super) struct HtmlTokens<'h> {
    rest: &'h str,
    /// The element whose text comes next as it is.
    raw: Option<&'h str>,
}

impl<'h> HtmlTokens<'h> {
    pub(super) fn new(html: &'h str) -> Self {
        HtmlTokens { rest: html, raw: None }
    }

    fn take(&mut self, bytes: usize) -> &'h str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    /// The text up to an element's own end tag, or to the end of the page.
    fn raw_text(&mut self, name: &str) -> &'h str {
        let bytes = self.rest.as_bytes();
        let is_end = |at: usize| {
            let behind = at + 2 + name.len();
            bytes.get(at..at + 2) == Some(b"</")
                && bytes.get(at + 2..behind).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
                && bytes.get(behind).is_none_or(|next| !next.is_ascii_alphanumeric())
        };
        let end = (0..bytes.len()).find(|&at| bytes[at] == b'<' && is_end(at)).unwrap_or(bytes.len());
        self.take(end)
    }

    /// Passes over what begins here and is no tag: a comment, a doctype, an instruction.
    fn skip_declaration(&mut self) -> bool {
        let (start, end) = match self.rest {
            rest if rest.starts_with("<!--") => (4, "-->"),
            rest if rest.starts_with("<![CDATA[") => (9, "]]>"),
            rest if rest.starts_with("<!") || rest.starts_with("<?") => (2, ">"),
            _ => return false,
        };
        // `<!-->` is a whole comment.
        let from = if end == "-->" { 2 } else { start };
        let length = self.rest[from..].find(end).map_or(self.rest.len(), |at| from + at + end.len());
        self.take(length);
        true
    }

    /// The tag that begins here, if one does.
    fn tag(&mut self) -> Option<HtmlToken<'h>> {
        let bytes = self.rest.as_bytes();
        let is_end = bytes.get(1) == Some(&b'/');
        let start = if is_end { 2 } else { 1 };
        if !bytes.get(start)?.is_ascii_alphabetic() {
            return None;
        }
        let is_in_name = |byte: &u8| !byte.is_ascii_whitespace() && !b"/>".contains(byte);
        let behind = start + bytes[start..].iter().take_while(|byte| is_in_name(byte)).count();
        let end = tag_end(bytes, behind);
        let tag = self.take((end + 1).min(bytes.len()));
        let name = &tag[start..behind];
        if is_end {
            return Some(HtmlToken::End { name });
        }
        self.raw = RAW.iter().any(|raw| raw.eq_ignore_ascii_case(name)).then_some(name);
        Some(HtmlToken::Start { name, attributes: &tag[behind..end.min(tag.len())] })
    }
}

impl<'h> Iterator for HtmlTokens<'h> {
    type Item = HtmlToken<'h>;

    fn next(&mut self) -> Option<HtmlToken<'h>> {
        if let Some(name) = self.raw.take() {
            let text = self.raw_text(name);
            if !text.is_empty() {
                return Some(HtmlToken::Text(text));
            }
        }
        while self.rest.starts_with('<') {
            if self.skip_declaration() {
                continue;
            }
            if let Some(tag) = self.tag() {
                return Some(tag);
            }
            break;
        }
        if self.rest.is_empty() {
            return None;
        }
        // A `<` that begins nothing is text.
        let first = first_length(self.rest);
        let end = self.rest[first..].find('<').map_or(self.rest.len(), |at| first + at);
        Some(HtmlToken::Text(self.take(end)))
    }
}

fn first_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// Where a tag ends: its `>`, or the end of the page. A `>` in quotes is none.
fn tag_end(bytes: &[u8], from: usize) -> usize {
    let mut quote = None;
    let mut before = b' ';
    for (at, &byte) in bytes.iter().enumerate().skip(from) {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => (),
            None if byte == b'>' => return at,
            // A quote is valid only after an equals sign; elsewhere it is an error and opens nothing.
            None if (byte == b'"' || byte == b'\'') && before == b'=' => quote = Some(byte),
            None => (),
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    bytes.len()
}

/// The value of an attribute, with its entities; empty where it has none.
pub(super) fn attribute<'h>(attributes: &'h str, name: &str) -> Option<&'h str> {
    let mut rest = attributes;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            return None;
        }
        let skip = first_length(rest);
        let end = rest[skip..]
            .find(|c: char| c.is_ascii_whitespace() || c == '=' || c == '/')
            .map_or(rest.len(), |at| skip + at);
        let (key, behind) = rest.split_at(end);
        let behind = behind.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let (value, next) = match behind.strip_prefix('=') {
            Some(value) => quoted(value.trim_start_matches(|c: char| c.is_ascii_whitespace())),
            None => ("", behind),
        };
        if key.eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = next;
    }
}

/// A value, and what follows it.
fn quoted(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split_once(quote).unwrap_or((inner, ""));
        }
    }
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    text.split_at(end)
}
