//! What a server answered, as text for a model.

use std::path::PathBuf;

use reqwest::Url;

use super::charset;
use super::markdown::{Links, to_markdown};

/// The longest Markdown that is made of a page.
pub(super) const MARKDOWN_BYTES: usize = 4 * 1024 * 1024;

/// A page that was fetched.
#[derive(Debug, Clone)]
pub(crate) struct WebPage {
    /// Its content.
    pub body: PageBody,
    /// How many bytes it has.
    pub bytes: usize,
    /// The rest was cut off.
    pub is_cut: bool,
    /// The HTTP status.
    pub code: u16,
    /// Its name.
    pub(crate) code_text: &'static str,
    /// It came from a private network.
    pub(super) is_private: bool,
}

/// The content of a page.
#[derive(Debug, Clone)]
pub(crate) enum PageBody {
    /// Text, or Markdown made of HTML.
    Text(String),
    /// Something else, kept in a file.
    File {
        /// What it is.
        media_type: String,
        /// Where it is.
        path: PathBuf,
    },
}

/// The format of bytes, determined from the server's content type and from the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageFormat {
    Html,
    Text,
    Binary,
}

/// A media type without what follows it, in lower case.
pub(super) fn bare(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The format of bytes.
pub(super) fn form(content_type: &str, bytes: &[u8]) -> PageFormat {
    let kind = bare(content_type);
    let is_text = || {
        const TEXTUAL: [&str; 9] = [
            "application/ecmascript",
            "application/graphql",
            "application/javascript",
            "application/json",
            "application/toml",
            "application/x-javascript",
            "application/x-sh",
            "application/xml",
            "application/yaml",
        ];
        const ENDINGS: [&str; 4] = ["+json", "+xml", "+yaml", "-yaml"];
        let is_textual = kind.starts_with("text/")
            || TEXTUAL.contains(&kind.as_str())
            || kind.ends_with("json")
            || ENDINGS.iter().any(|ending| kind.ends_with(ending));
        is_textual && !kind.starts_with("image/")
    };
    match kind.as_str() {
        "text/html" | "application/xhtml+xml" => PageFormat::Html,
        "" => guess(bytes),
        _ if is_text() || kind == "image/svg+xml" => PageFormat::Text,
        _ => PageFormat::Binary,
    }
}

/// The format of bytes without a content type.
fn guess(bytes: &[u8]) -> PageFormat {
    let Some(head) = charset::beginning(bytes) else { return PageFormat::Binary };
    let head = head.trim_start().to_ascii_lowercase();
    let is_html = ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| head.starts_with(tag));
    if is_html { PageFormat::Html } else { PageFormat::Text }
}

/// The Markdown of a page that came from an address.
pub(super) fn markdown(html: &str, url: &Url) -> String {
    struct PageLinks {
        base: Url,
        is_set: bool,
    }
    impl Links for PageLinks {
        fn set_base(&mut self, href: &str) {
            // The first one counts.
            if !self.is_set
                && let Ok(base) = self.base.join(href)
            {
                self.base = base;
                self.is_set = true;
            }
        }

        fn resolve(&self, href: &str) -> Option<String> {
            self.base.join(href).ok().map(String::from)
        }
    }
    to_markdown(html, &mut PageLinks { base: url.clone(), is_set: false }, MARKDOWN_BYTES)
}
