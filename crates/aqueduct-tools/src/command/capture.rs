//! What a command has printed: its beginning in memory, and all of it in a file once it is long.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use aqueduct_os::private_dir::make_private_among_others;

/// The most bytes a character takes.
const CHARACTER: usize = 4;

/// What a command has printed.
#[derive(Debug)]
pub struct Capture {
    head: Vec<u8>,
    /// How many bytes `head` may have.
    keep: usize,
    total: u64,
    path: PathBuf,
    file: Option<File>,
    fault: Option<io::Error>,
}

impl Capture {
    /// Nothing yet. `path` is for the file; the first `shown` characters stay in memory.
    pub fn new(path: PathBuf, shown: usize) -> Capture {
        Capture { head: Vec::new(), keep: shown * CHARACTER, total: 0, path, file: None, fault: None }
    }

    /// Adds output. A failed write to the file is recorded, and the command continues.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = bytes.len().min(self.keep - self.head.len());
        if self.file.is_none() && room < bytes.len() {
            // What is in memory now is everything before `bytes`.
            let _ = self.save();
        }
        self.head.extend_from_slice(&bytes[..room]);
        if let Some(file) = self.file.as_mut().filter(|_| self.fault.is_none()) {
            self.fault = file.write_all(bytes).err();
        }
    }

    /// Puts all that there is into the file, and from now on the rest too.
    pub fn save(&mut self) -> io::Result<()> {
        if self.file.is_some() {
            return Ok(());
        }
        if let Some(error) = &self.fault {
            return Err(io::Error::new(error.kind(), error.to_string()));
        }
        let made = create(&self.path).and_then(|mut file| {
            file.write_all(&self.head)?;
            Ok(file)
        });
        match made {
            Ok(file) => {
                self.file = Some(file);
                Ok(())
            }
            Err(error) => {
                let copy = io::Error::new(error.kind(), error.to_string());
                self.fault = Some(error);
                Err(copy)
            }
        }
    }

    /// How many bytes were printed.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether all of it is in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.total == self.head.len() as u64
    }

    /// Where all of it is, if it is in a file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_ref().map(|_| self.path.as_path())
    }

    /// Why not all of it is in the file.
    pub fn fault(&self) -> Option<&io::Error> {
        self.fault.as_ref()
    }

    /// The beginning as text. What is not UTF-8 is shown as U+FFFD; blank lines before the first are left
    /// out.
    pub fn head(&self) -> String {
        let text = String::from_utf8_lossy(&self.head);
        let blank = text.len() - text.trim_start().len();
        let start = text[..blank].rfind('\n').map_or(0, |end| end + 1);
        text[start..].to_owned()
    }

    /// The last bytes as text, at most this many.
    pub fn tail(&self, bytes: usize) -> String {
        let from_file = || {
            let mut file = File::open(self.file()?).ok()?;
            let end = file.seek(SeekFrom::End(0)).ok()?;
            file.seek(SeekFrom::Start(end.saturating_sub(bytes as u64))).ok()?;
            let mut tail = Vec::new();
            file.take(bytes as u64).read_to_end(&mut tail).ok()?;
            Some(tail)
        };
        let tail = from_file().unwrap_or_else(|| self.head[self.head.len().saturating_sub(bytes)..].to_vec());
        // A character that was cut is left out.
        let start = tail.iter().take(CHARACTER).position(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
        String::from_utf8_lossy(&tail[start..]).into_owned()
    }

    /// All of it, if it has at most this many bytes and is available.
    pub fn whole(&self, limit: u64) -> Option<Vec<u8>> {
        if self.total > limit {
            return None;
        }
        match self.file() {
            Some(path) => std::fs::read(path).ok(),
            None if self.is_in_memory() => Some(self.head.clone()),
            None => None,
        }
    }
}

/// A new file that only the user reads, in a folder that only the user enters.
fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        make_private_among_others(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{any, proptest};

    use super::Capture;

    proptest! {
        #[test]
        fn nothing_is_lost_however_it_comes(
            chunks in vec(vec(any::<u8>(), 0..40), 0..12),
            shown in 0_usize..20,
            tail in 0_usize..50,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut capture = Capture::new(folder.path().join("a/b/output"), shown);
            for chunk in &chunks {
                capture.push(chunk);
            }
            let all = chunks.concat();
            assert_eq!(capture.total(), all.len() as u64);
            assert_eq!(capture.head, all[..all.len().min(shown * 4)]);
            assert_eq!(capture.file().is_some(), all.len() > shown * 4);
            assert_eq!(capture.whole(u64::MAX), Some(all.clone()));
            assert!(String::from_utf8_lossy(&all).ends_with(capture.tail(tail).trim_start_matches('\u{fffd}')));
            capture.save().unwrap();
            assert_eq!(std::fs::read(capture.file().unwrap()).unwrap(), all);
        }
    }

    #[test]
    fn a_full_disk_is_remembered_and_the_beginning_kept() {
        let mut capture = Capture::new("/dev/full".into(), 1);
        capture.file = Some(std::fs::File::options().write(true).open("/dev/full").unwrap());
        capture.push(b"first");
        capture.push(b"second");
        assert_eq!(capture.fault().map(|error| error.kind()), Some(std::io::ErrorKind::StorageFull));
        assert_eq!((capture.head().as_str(), capture.total()), ("firs", 11));
    }

    #[test]
    fn a_tail_begins_with_a_whole_character() {
        let mut capture = Capture::new("/dev/null/none".into(), 100);
        capture.push("a\u{e9}\u{20ac}b".as_bytes());
        assert_eq!(capture.tail(3), "b");
        assert_eq!(capture.tail(4), "\u{20ac}b");
        assert_eq!(capture.tail(100), "a\u{e9}\u{20ac}b");
    }
}
