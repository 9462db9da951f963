//! The embedded files are complete, and their metadata is correct.

use std::collections::HashSet;

use aqueduct_web::{CONTENT_SECURITY_POLICY, asset, assets};

#[test]
fn every_file_is_found_by_its_path() {
    for one in assets() {
        assert_eq!(asset(one.path).map(|found| found.path), Some(one.path));
    }
    assert!(asset("").is_none());
    assert!(asset("/../Cargo.toml").is_none());
    assert_eq!(asset("/index.html").map(|found| found.path), Some("/"), "the page has two names");
}

#[test]
fn the_page_names_only_files_that_are_there() {
    let page = asset("/").expect("the page");
    assert_eq!(page.content_type, "text/html; charset=utf-8");
    let text = std::str::from_utf8(page.bytes).expect("UTF-8");
    let named: Vec<&str> =
        text.split(['"', '\'']).filter(|part| part.starts_with('/') && part.contains('.')).collect();
    assert!(named.len() >= 4, "script, style, icon and manifest: {named:?}");
    for path in named {
        assert!(asset(path).is_some(), "{path} is missing");
    }
}

#[test]
fn the_page_keeps_to_its_own_policy() {
    let page = asset("/").expect("the page");
    let text = std::str::from_utf8(page.bytes).expect("UTF-8");
    assert!(!text.contains("<style") && !text.contains(" style="), "styles of the page would be refused");
    for script in text.split("<script").skip(1) {
        let tag = script.split('>').next().unwrap_or_default();
        assert!(tag.contains("src="), "a script inside the page would be refused: {tag}");
    }
    assert!(!text.contains("http://") && !text.contains("https://"), "nothing comes from elsewhere");
    assert!(!CONTENT_SECURITY_POLICY.contains("unsafe"));
}

#[test]
fn compressed_files_are_gzip_and_smaller() {
    let mut some = false;
    for one in assets() {
        if let Some(gzip) = one.gzip {
            some = true;
            assert_eq!(gzip.get(..3), Some([0x1f, 0x8b, 8].as_slice()), "{}", one.path);
            assert!(gzip.len() < one.bytes.len(), "{}", one.path);
            // The last four bytes are the length of what was compressed.
            let size = gzip.last_chunk::<4>().map(|tail| u32::from_le_bytes(*tail) as usize);
            assert_eq!(size, Some(one.bytes.len()), "{}", one.path);
        }
    }
    assert!(some);
}

#[test]
fn tags_distinguish_contents() {
    let mut seen = HashSet::new();
    for one in assets() {
        assert!(one.etag.starts_with('"') && one.etag.ends_with('"'), "{}", one.path);
        assert!(seen.insert((one.path, one.etag)));
    }
    let page = asset("/").expect("the page");
    assert!(!page.immutable, "the page changes under its name");
    let scripts: Vec<_> = assets().iter().filter(|one| one.path.starts_with("/app-")).collect();
    assert_eq!(scripts.len(), 1);
    assert!(scripts.iter().all(|one| one.immutable));
}
