use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Read};

use sha2::{Digest, Sha256};
use tar::{Archive, Entry, EntryType};

use super::document::{HEADER, MANIFEST};
use super::{ArchiveError, BackupHeader, EntryName, Manifest, ManifestFile};

/// How many bytes the header may have.
const HEADER_LIMIT: u64 = 64 << 10;
/// How many bytes the manifest may have: some hundred thousand files.
const MANIFEST_LIMIT: u64 = 64 << 20;

/// What a whole backup has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupContents {
    /// Its header.
    pub header: BackupHeader,
    /// Its files.
    pub manifest: Manifest,
}

/// Reads a backup. `keep` gets each file as a stream, in the order of the archive, and may leave some of it unread. What it
/// gets counts only once this returns: the checksums come last.
pub fn read<E: From<ArchiveError>>(
    source: impl Read,
    mut keep: impl FnMut(&EntryName, u64, &mut dyn Read) -> Result<(), E>,
) -> Result<BackupContents, E> {
    let mut archive = Archive::new(source);
    // Raw: the library interprets no extensions, and so holds nothing of the archive in memory.
    let mut entries = archive.entries().map_err(ArchiveError::Read)?.raw(true);
    let mut next = move || match entries.next() {
        None => Ok(None),
        Some(entry) => entry.map(Some).map_err(ArchiveError::Read),
    };
    // Any file is an archive to begin with.
    let mut first = next().ok().flatten().ok_or(ArchiveError::Foreign)?;
    if name_of(&first) != HEADER.as_bytes() || first.header().entry_type() != EntryType::Regular {
        return Err(ArchiveError::Foreign.into());
    }
    let (header, listed) = document(HEADER, &mut first, HEADER_LIMIT)?;
    let header = BackupHeader::parse(&header)?;
    drop(first);
    let mut files = vec![listed];
    let mut seen = HashSet::new();
    loop {
        let mut entry = next()?.ok_or(ArchiveError::NoManifest)?;
        check_kind(&entry)?;
        if name_of(&entry) == MANIFEST.as_bytes() {
            let (manifest, _) = document(MANIFEST, &mut entry, MANIFEST_LIMIT)?;
            let manifest = Manifest::parse(&manifest)?;
            manifest.check(&files)?;
            return match next()? {
                None => Ok(BackupContents { header, manifest }),
                Some(_) => Err(ArchiveError::Trailing.into()),
            };
        }
        let name = EntryName::parse(&name_of(&entry))
            .ok_or_else(|| ArchiveError::Name { name: shown(&name_of(&entry)) })?;
        if !seen.insert(name.clone()) {
            return Err(ArchiveError::Twice { name: name.to_string() }.into());
        }
        let size = entry.size();
        let mut content = Hashed::new(&mut entry);
        keep(&name, size, &mut content)?;
        files.push(content.finish(name.to_string(), size)?);
    }
}

/// The name as the archive has it.
fn name_of(entry: &Entry<'_, impl Read>) -> Vec<u8> {
    entry.path_bytes().into_owned()
}

/// A name for people.
fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

fn check_kind(entry: &Entry<'_, impl Read>) -> Result<(), ArchiveError> {
    let kind = match entry.header().entry_type() {
        EntryType::Regular => return Ok(()),
        EntryType::Symlink => "a symbolic link",
        EntryType::Link => "a hard link",
        EntryType::Directory => "a folder",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a named pipe",
        EntryType::GNUSparse => "a sparse file",
        _ => "an extension of tar",
    };
    Err(ArchiveError::Kind { name: shown(&name_of(entry)), kind })
}

/// A small entry that is held in memory.
fn document(
    name: &'static str,
    entry: &mut Entry<'_, impl Read>,
    limit: u64,
) -> Result<(Vec<u8>, ManifestFile), ArchiveError> {
    let size = entry.size();
    if size > limit {
        return Err(ArchiveError::TooLarge { name, size, limit });
    }
    let mut bytes = Vec::new();
    let mut content = Hashed::new(entry);
    content.read_to_end(&mut bytes).map_err(ArchiveError::Read)?;
    let listed = content.finish(name.to_owned(), size)?;
    Ok((bytes, listed))
}

/// Content whose checksum is computed while it is read.
pub(super) struct Hashed<R> {
    content: R,
    hash: Sha256,
    count: u64,
}

impl<R: Read> Hashed<R> {
    pub(super) fn new(content: R) -> Self {
        Hashed { content, hash: Sha256::new(), count: 0 }
    }

    /// Reads what is left, and gives the entry for the manifest.
    fn finish(mut self, path: String, size: u64) -> Result<ManifestFile, ArchiveError> {
        io::copy(&mut self, &mut io::sink()).map_err(ArchiveError::Read)?;
        match self.count == size {
            true => Ok(self.listed(path)),
            false => Err(ArchiveError::Truncated { name: path }),
        }
    }

    /// The entry for the manifest, of what was read.
    pub(super) fn listed(self, path: String) -> ManifestFile {
        let mut sha256 = String::new();
        for byte in self.hash.finalize() {
            // Writing to a string does not fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        ManifestFile { path, size: self.count, sha256 }
    }

    /// How many bytes were read.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(bytes)?;
        self.hash.update(&bytes[..count]);
        self.count += count as u64;
        Ok(count)
    }
}
