//! What tools got and the model can't read, in files.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::make_private_among_others;

/// Keeps what is not for the model's eyes, or too long for them, in a file that only the user can read. Its name
/// begins with where it comes from.
pub(crate) fn keep(spool: &Path, from: &str, ending: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    make_private_among_others(spool)?;
    let name = format!("{from}-{:016x}.{ending}", fastrand::u64(..));
    let path = spool.join(name);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(bytes)?;
    Ok(path)
}

/// The usual ending of files of a type.
pub(crate) fn ending(media_type: &str) -> &'static str {
    const ENDINGS: &[(&str, &str)] = &[
        ("application/json", "json"),
        ("application/pdf", "pdf"),
        ("application/zip", "zip"),
        ("audio/mpeg", "mp3"),
        ("audio/ogg", "ogg"),
        ("audio/wav", "wav"),
        ("image/gif", "gif"),
        ("image/jpeg", "jpg"),
        ("image/png", "png"),
        ("image/svg+xml", "svg"),
        ("image/webp", "webp"),
        ("text/csv", "csv"),
        ("text/html", "html"),
        ("text/markdown", "md"),
        ("text/plain", "txt"),
        ("video/mp4", "mp4"),
    ];
    let bare = media_type.split(';').next().unwrap_or_default().trim();
    ENDINGS.iter().find(|(known, _)| *known == bare).map_or("bin", |(_, ending)| ending)
}
