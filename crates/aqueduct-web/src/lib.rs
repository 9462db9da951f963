//! The web UI as files that are part of the program.
//!
//! Owns: the files, and what HTTP needs to say about them. Does not own: HTTP, and the UI's sources, which are
//! in `ui/`; `cargo xtask web` builds them into `dist/`. Building this crate needs no Node.

mod asset;
mod table;

pub use asset::{Asset, asset, assets};

/// What the page may do: run its own scripts and styles, talk to where it came from, and nothing else. Whoever
/// serves the files sends it as `Content-Security-Policy`.
///
/// `data:` and `blob:` are images alone. No markup or text can become a script: the only way from text to
/// elements is a sanitizer of its own name.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
     trusted-types dompurify aqueduct";
