//! Kinds of files that are known to be binary by their names.

use std::path::Path;

/// Extensions of files that hold no text.
const EXTENSIONS: &[&str] = &[
    // Programs and libraries.
    "bin", "exe", "dll", "so", "dylib", "o", "a", "obj", "lib", "app", "class", "jar", "war", "pyc", "pyo",
    "node", "rlib", "wasm", // Archives and packages.
    "zip", "tar", "gz", "tgz", "bz2", "xz", "7z", "rar", "zst", "z", "iso", "dmg", "deb", "rpm", "apk",
    "msi", // Sound and video.
    "mp3", "mp4", "wav", "flac", "ogg", "opus", "aac", "m4a", "aiff", "wma", "avi", "mkv", "mov", "wmv",
    "flv", "swf", "fla", "webm", "m4v", "mpg", "mpeg", // Pictures and fonts that are not shown.
    "bmp", "ico", "tiff", "tif", "psd", "ai", "eps", "heic", "heif", "avif", "ttf", "otf", "woff", "woff2",
    "eot", // Models of things.
    "3ds", "blend", "max", // Documents.
    "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "numbers", "epub", // Data.
    "db", "sqlite", "sqlite3", "mdb", "dat", "data", "idx", "lockb", "parquet", "feather", "pickle", "npy",
    "npz",
];

/// The extension of a file that is known to be binary by it, in lower case.
pub(super) fn extension(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    EXTENSIONS.iter().find(|known| known.eq_ignore_ascii_case(extension)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_identify_binary_files() {
        for (name, expected) in [
            ("a.zip", Some("zip")),
            ("b/A.EXE", Some("exe")),
            ("zip", None),
            ("a.txt", None),
            ("a.svg", None),
            ("a.png", None),
            (".so", None),
        ] {
            assert_eq!(extension(Path::new(name)), expected, "{name}");
        }
    }
}
