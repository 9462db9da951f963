/// What an image of a message is served as: types that browsers show as images and as nothing else. A drawing that can run
/// scripts is none of them, and is served as the last one, which browsers save.
pub const IMAGE_TYPES: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
    "image/bmp",
    "application/octet-stream",
];

/// What an exported session is served as: Markdown, a page, or messages.
pub const DOCUMENT_TYPES: &[&str] = &["text/markdown", "text/html", "application/x-ndjson"];
