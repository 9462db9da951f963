//! What files are, by their names and their first bytes.

use std::path::Path;

/// Media types of texts that are shown in a way of their own, by the ends of their names.
const TEXTS: &[(&str, &str)] = &[
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("markdown", "text/markdown"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("svg", "image/svg+xml"),
    ("toml", "application/toml"),
    ("tsv", "text/tab-separated-values"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
];

/// How files begin that browsers show as images.
const IMAGES: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\0\0\x01\0", "image/x-icon"),
];

/// How some others begin.
const OTHERS: &[(&[u8], &str)] = &[
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\0asm", "application/wasm"),
];

/// The media type of a text.
pub(super) fn text(path: &Path) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let known = TEXTS.iter().find(|(name, _)| ending.eq_ignore_ascii_case(name));
    known.map_or("text/plain", |(_, media_type)| media_type)
}

/// The media type of an image, by how it begins.
pub(super) fn image(beginning: &[u8]) -> Option<&'static str> {
    match beginning {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => Some("image/avif"),
        _ => begins(IMAGES, beginning),
    }
}

/// The media type of what is neither text nor image.
pub(super) fn other(beginning: &[u8]) -> &'static str {
    begins(OTHERS, beginning).unwrap_or("application/octet-stream")
}

fn begins(table: &[(&[u8], &'static str)], beginning: &[u8]) -> Option<&'static str> {
    table.iter().find(|(magic, _)| beginning.starts_with(magic)).map(|(_, media_type)| *media_type)
}

/// Whether bytes are those of a text: as git sees it, without a NUL near the beginning.
pub(super) fn is_text(beginning: &[u8]) -> bool {
    memchr::memchr(0, &beginning[..beginning.len().min(BEGINNING)]).is_none()
}

/// How many bytes at the beginning identify a file's type.
pub(super) const BEGINNING: usize = 8000;
