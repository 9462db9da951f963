use std::io::{self, Read, Write};

use tar::{Builder, EntryType, Header};

use super::document::{HEADER, MANIFEST};
use super::reader::Hashed;
use super::{ArchiveError, BackupHeader, EntryName, Manifest, ManifestFile};

/// The rights of extracted files: their owner's alone.
const MODE: u32 = 0o600;

/// Writes a backup.
pub struct ArchiveWriter<W: Write> {
    tar: Builder<W>,
    manifest: Manifest,
    /// When it is made, in seconds since 1970.
    created: u64,
}

impl<W: Write> ArchiveWriter<W> {
    /// Begins a backup.
    pub fn new(target: W, header: &BackupHeader) -> Result<Self, ArchiveError> {
        let created = u64::try_from(header.created / 1000).unwrap_or_default();
        let mut writer = ArchiveWriter { tar: Builder::new(target), manifest: Manifest::default(), created };
        let header = to_json(HEADER, header)?;
        let listed = writer.put(HEADER, header.len() as u64, &header[..])?;
        writer.manifest.files.push(listed);
        Ok(writer)
    }

    /// Adds a file of exactly `size` bytes.
    pub fn add(&mut self, name: &EntryName, size: u64, content: impl Read) -> Result<(), ArchiveError> {
        let listed = self.put(&name.to_string(), size, content)?;
        self.manifest.files.push(listed);
        Ok(())
    }

    /// Ends the backup; returns what it was written to, and what it has.
    pub fn finish(mut self) -> Result<(W, Manifest), ArchiveError> {
        let manifest = to_json(MANIFEST, &self.manifest)?;
        self.put(MANIFEST, manifest.len() as u64, &manifest[..])?;
        let target = self.tar.into_inner().map_err(ArchiveError::Write)?;
        Ok((target, self.manifest))
    }

    fn put(&mut self, name: &str, size: u64, content: impl Read) -> Result<ManifestFile, ArchiveError> {
        let mut header = Header::new_ustar();
        header.set_path(name).map_err(ArchiveError::Write)?;
        header.set_entry_type(EntryType::Regular);
        header.set_mode(MODE);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(self.created);
        header.set_size(size);
        header.set_cksum();
        let mut content = Hashed::new(content.take(size));
        self.tar.append(&header, &mut content).map_err(ArchiveError::Write)?;
        match content.count() == size {
            true => Ok(content.listed(name.to_owned())),
            false => {
                let detail = format!("{name} became shorter while it was read");
                Err(ArchiveError::Write(io::Error::new(io::ErrorKind::UnexpectedEof, detail)))
            }
        }
    }
}

fn to_json(name: &'static str, value: &impl serde::Serialize) -> Result<Vec<u8>, ArchiveError> {
    let bytes = serde_json::to_vec_pretty(value);
    bytes.map_err(|error| ArchiveError::Document { name, detail: error.to_string() })
}
