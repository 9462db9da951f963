//! SHA-256 of files, as `sha256sum` writes it: so that it can check them.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

/// A line for each file of a folder, by name.
pub(super) fn of_files(folder: &Path) -> Result<String> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut lines = String::new();
    for path in paths {
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        lines.push_str(&format!("{digest}  {name}\n"));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_form_of_sha256sum() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("b"), "abc").expect("a file");
        fs::write(folder.path().join("a"), "").expect("a file");
        assert_eq!(
            of_files(folder.path()).expect("checksums"),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
             ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n"
        );
    }
}
