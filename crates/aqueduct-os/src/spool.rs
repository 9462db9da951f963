//! Files for output that is not shown to the model: binary data, and text that is too long.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::private_dir::make_private_among_others;

/// Writes bytes to a new file of this folder that only the user can read. Its name begins with where they come from.
pub fn save(spool: &Path, from: &str, extension: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    make_private_among_others(spool)?;
    let name = format!("{from}-{:016x}.{extension}", fastrand::u64(..));
    let path = spool.join(name);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(bytes)?;
    Ok(path)
}

/// The usual extension of files of a media type.
pub fn extension(media_type: &str) -> &'static str {
    const EXTENSIONS: &[(&str, &str)] = &[
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
    EXTENSIONS.iter().find(|(known, _)| *known == bare).map_or("bin", |(_, extension)| extension)
}
