//! Any bytes as a backup are refused, or have files that are written as a backup with the same files.
//!
//! Checksums would keep a fuzzer out, so the bytes are also taken as entries of an archive whose headers have right
//! checksums: then nothing but known names of regular files gets through.

#![no_main]
#![allow(dead_code, unreachable_pub, unused_imports)]

use std::collections::BTreeMap;
use std::io::Read;

use archive::{ArchiveError, ArchiveWriter, BackupContents, EntryName, read};
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/aqueduct-bridge/src/backup/archive/mod.rs"]
mod archive;

const BLOCK: usize = 512;

fuzz_target!(|data: &[u8]| {
    check(data);
    let mut fixed = data.to_vec();
    fix_checksums(&mut fixed);
    check(&fixed);
});

fn check(data: &[u8]) {
    let (seen, outcome) = files(data);
    for name in seen.keys() {
        assert_eq!(EntryName::parse(name.to_string().as_bytes()).as_ref(), Some(name));
        let path = name.path();
        assert!(path.is_relative() && path.components().all(|part| part.as_os_str() != ".."));
    }
    let Ok(contents) = outcome else { return };
    assert_eq!(contents.manifest.files.len(), seen.len() + 1);
    let mut writer = ArchiveWriter::new(Vec::new(), &contents.header).unwrap();
    for (name, content) in &seen {
        writer.add(name, content.len() as u64, &content[..]).unwrap();
    }
    let (written, _) = writer.finish().unwrap();
    let (again, outcome) = files(&written);
    assert_eq!((again, outcome.unwrap().header), (seen, contents.header));
}

/// The files that were seen, and how the reading ended.
fn files(data: &[u8]) -> (BTreeMap<EntryName, Vec<u8>>, Result<BackupContents, ArchiveError>) {
    let mut files = BTreeMap::new();
    let outcome = read(data, |name, size, content| {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).map_err(ArchiveError::Read)?;
        assert!(bytes.len() as u64 <= size && bytes.len() <= data.len());
        assert!(files.insert(name.clone(), bytes).is_none());
        Ok(())
    });
    (files, outcome)
}

/// Gives every block that looks like a header of tar the right checksum.
fn fix_checksums(data: &mut [u8]) {
    for block in data.chunks_exact_mut(BLOCK) {
        if &block[257..262] == b"ustar" {
            block[148..156].fill(b' ');
            let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
            block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
}
