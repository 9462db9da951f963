/// The lines of a Markdown text that are not code: fenced blocks are left out, code spans cut out.
pub(super) struct Prose<'a> {
    lines: std::str::Lines<'a>,
    fence: Option<&'a str>,
}

impl<'a> Prose<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Prose { lines: text.lines(), fence: None }
    }
}

impl Iterator for Prose<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let line = self.lines.next()?;
            match (self.fence, fence_of(line)) {
                (None, Some(fence)) => self.fence = Some(fence),
                (None, None) => return Some(without_spans(line)),
                // A block ends with at least as many marks of the kind it began with, and nothing else.
                (Some(open), Some(fence)) if fence.starts_with(open) && line.trim() == fence => {
                    self.fence = None;
                }
                (Some(_), _) => {}
            }
        }
    }
}

/// The marks with which a line begins or ends a code block.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3).then(|| &line[..length])
}

/// A line with its code spans cut out.
fn without_spans(line: &str) -> String {
    let mut parts = line.split('`');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let (Some(_code), Some(prose)) = (parts.next(), parts.next()) {
        text.push('`');
        text.push_str(prose);
    }
    text
}

/// A text without the HTML comments that are in lines of their own, outside code: they are for people.
pub(super) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    let mut in_comment = false;
    for line in text.split_inclusive('\n') {
        match (fence, fence_of(line)) {
            (None, Some(open)) if !in_comment => fence = Some(open),
            (Some(open), Some(close)) if close.starts_with(open) && line.trim() == close => fence = None,
            _ => {}
        }
        if fence.is_none() && !in_comment && line.trim_start().starts_with("<!--") {
            in_comment = true;
        }
        if !in_comment {
            out.push_str(line);
        } else if let Some((_, rest)) = line.split_once("-->") {
            in_comment = false;
            if !rest.trim().is_empty() {
                out.push_str(rest);
            }
        }
    }
    out
}
