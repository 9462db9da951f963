use std::io::{self, Write};

use super::part::ExportPart;
use super::{ExportWriter, pretty, time_of};

/// The beginning of the page. The policy lets the page show pictures that are in it, use the style
/// that is in it, and do nothing else.
const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">
<meta name=\"referrer\" content=\"no-referrer\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
";

const STYLE: &str = include_str!("page.css");

/// Kinds of pictures that a page may show. Others can hold more than a picture.
const PICTURES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Writes a conversation as a page that needs nothing else.
pub(super) struct Html<'w> {
    out: &'w mut dyn Write,
}

impl<'w> Html<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Html { out }
    }

    /// A piece with its author, and its body, which is HTML.
    fn piece(&mut self, class: &str, who: &str, time: Option<&str>, body: &str) -> io::Result<()> {
        let time = time_of(time).map(|time| format!("<time>{}</time>", escaped(&time))).unwrap_or_default();
        writeln!(self.out, "<section class=\"{class}\"><h2>{who}{time}</h2>{body}</section>")
    }

    /// A piece that is folded.
    fn folded(&mut self, class: &str, title: &str, body: &str) -> io::Result<()> {
        let title = escaped(title);
        writeln!(self.out, "<details class=\"{class}\"><summary>{title}</summary>{body}</details>")
    }
}

impl ExportWriter for Html<'_> {
    fn begin(&mut self, title: &str, about: &[(&str, String)]) -> io::Result<()> {
        let title = escaped(title);
        write!(
            self.out,
            "{HEAD}<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
        )?;
        writeln!(self.out, "<header><h1>{title}</h1><dl>")?;
        for (what, value) in about {
            writeln!(self.out, "<dt>{}</dt><dd>{}</dd>", escaped(what), escaped(value))?;
        }
        writeln!(self.out, "</dl></header>")
    }

    fn part(&mut self, part: &ExportPart<'_>, time: Option<&str>) -> io::Result<()> {
        match part {
            ExportPart::Prompt(text) => self.piece("user", "User", time, &words(text)),
            ExportPart::Answer(text) => self.piece("assistant", "Assistant", time, &words(text)),
            ExportPart::Error(text) => self.piece("assistant error", "Error", time, &words(text)),
            ExportPart::Thinking(text) => self.folded("thinking", "Thinking", &words(text)),
            ExportPart::Note(text) => self.folded("note", "Note to the model", &words(text)),
            ExportPart::Call { name, input } => {
                self.folded("call", name, &format!("<pre>{}</pre>", escaped(&pretty(input))))
            }
            ExportPart::Result { text, is_error } => {
                let class = if *is_error { "result error" } else { "result" };
                let first = text.trim().lines().next().unwrap_or("(nothing)");
                let title: String = first.chars().take(100).collect();
                self.folded(class, &title, &format!("<pre>{}</pre>", escaped(text)))
            }
            ExportPart::Picture { kind, base64 } if PICTURES.contains(kind) && is_base64(base64) => {
                writeln!(self.out, "<img alt=\"picture\" src=\"data:{kind};base64,{base64}\">")
            }
            ExportPart::Picture { kind, .. } => {
                writeln!(self.out, "<p class=\"other\">[{}]</p>", escaped(kind))
            }
            ExportPart::Other(kind) => writeln!(self.out, "<p class=\"other\">[{}]</p>", escaped(kind)),
            ExportPart::Compacted(tokens) => {
                let size = tokens.map(|tokens| format!(" at {tokens} tokens")).unwrap_or_default();
                writeln!(self.out, "<p class=\"compacted\">The conversation was compacted here{size}.</p>")
            }
        }
    }

    fn subagent_begins(&mut self, title: &str) -> io::Result<()> {
        writeln!(self.out, "<details class=\"subagent\"><summary>Subagent: {}</summary>", escaped(title))
    }

    fn subagent_ends(&mut self) -> io::Result<()> {
        writeln!(self.out, "</details>")
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(self.out, "</main>\n</body>\n</html>")
    }
}

/// A text as it was written; text between fences is code.
fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut fence: Option<&str> = None;
    let mut paragraph = String::new();
    for line in text.trim().lines() {
        let mark = line.trim_start();
        let ticks = &mark[..mark.len() - mark.trim_start_matches('`').len()];
        match fence {
            None if ticks.len() >= 3 => {
                close(&mut paragraph, &mut out, "p");
                fence = Some(ticks);
            }
            Some(open) if ticks.len() >= open.len() && mark.trim_end().len() == ticks.len() => {
                close(&mut paragraph, &mut out, "pre");
                fence = None;
            }
            _ => {
                paragraph.push_str(line);
                paragraph.push('\n');
            }
        }
    }
    close(&mut paragraph, &mut out, if fence.is_some() { "pre" } else { "p" });
    out
}

/// Appends an element with what was gathered.
fn close(gathered: &mut String, out: &mut String, element: &str) {
    if !gathered.trim().is_empty() {
        out.push_str(&format!("<{element}>{}</{element}>", escaped(gathered.trim_end())));
    }
    gathered.clear();
}

/// A text in which nothing is a tag. Characters that a page may not hold are made visible.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

fn is_base64(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
}
