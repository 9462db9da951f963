//! The web UI, as the server wants it.

use aqueduct_bridge::server::{Asset, Assets};

/// The files that are part of this program.
pub(super) struct Ui;

impl Assets for Ui {
    fn find(&self, path: &str) -> Option<Asset> {
        // The server asks for the page by its file's name where a path leads to no file.
        let asset = aqueduct_web::asset(if path == "/index.html" { "/" } else { path })?;
        Some(Asset {
            content_type: asset.content_type,
            etag: asset.etag,
            immutable: asset.immutable,
            plain: asset.bytes,
            gzip: asset.gzip,
            brotli: None,
        })
    }
}
