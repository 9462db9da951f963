//! The licences of the libraries in the programs, with their texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::components::Component;

/// How the names of files with licences begin, in small letters.
const NAMES: &[&str] = &["licen", "copying", "notice", "unlicense", "copyright"];

/// One document: each text once, below the libraries that it belongs to.
pub(super) fn document(components: &[Component]) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for component in components {
        let title = format!("{} {} ({})", component.name, component.version, component.licence);
        let mut found = texts_in(&component.folder)?;
        if found.is_empty() {
            found.push("The package has no text of its licence.".to_owned());
        }
        for text in found {
            texts.entry(text).or_default().push(title.clone());
        }
    }
    let mut sections: Vec<(Vec<String>, String)> = texts.into_iter().map(|(text, of)| (of, text)).collect();
    sections.sort();
    let mut document = String::from("Libraries in the programs of Aqueduct, and their licences.\n");
    for (of, text) in sections {
        let _ = write!(document, "\n{}\n{}\n\n{}\n", "=".repeat(78), of.join("\n"), text.trim_end());
    }
    Ok(document)
}

fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if NAMES.iter().any(|start| name.starts_with(start)) && entry.path().is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    // Source files have such names too.
    paths.retain(|path| path.extension().is_none_or(|extension| extension != "rs"));
    paths
        .iter()
        .map(|path| {
            let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_printed_once() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("LICENSE-MIT"), "Permission is granted\n").expect("a file");
        fs::write(folder.path().join("license.rs"), "fn main() {}").expect("a file");
        let component = |name: &str| Component {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: "MIT".to_owned(),
            repository: None,
            folder: folder.path().to_owned(),
            checksum: None,
        };
        let text = document(&[component("a"), component("b")]).expect("a document");
        assert_eq!(text.matches("Permission is granted").count(), 1);
        assert!(text.contains("a 1.0.0 (MIT)\nb 1.0.0 (MIT)\n") && !text.contains("fn main"), "{text}");
    }
}
