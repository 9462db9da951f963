//! One file, and how to find it.

use crate::table::ASSETS;

/// A file of the UI.
#[derive(Debug)]
#[non_exhaustive]
pub struct Asset {
    /// Where it is served, such as `/` or `/icon.svg`.
    pub path: &'static str,
    /// For the header of that name.
    pub content_type: &'static str,
    /// For the header of that name, with its quotes. It is made from the content.
    pub etag: &'static str,
    /// Whether the name changes with the content, so that it can be kept for ever.
    pub immutable: bool,
    /// The content.
    pub bytes: &'static [u8],
    /// The content compressed with gzip, where that is smaller.
    pub gzip: Option<&'static [u8]>,
}

/// The file at a path. `/`, or `/index.html`, is the page; places in the UI are behind the `#`.
pub fn asset(path: &str) -> Option<&'static Asset> {
    let path = if path == "/index.html" { "/" } else { path };
    let at = ASSETS.binary_search_by(|asset| asset.path.cmp(path)).ok()?;
    ASSETS.get(at)
}

/// All files, by path.
pub fn assets() -> &'static [Asset] {
    ASSETS
}
