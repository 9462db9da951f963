use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// A file of lines that only this user may read. When it would become too long it is renamed to `NAME.1`, that of before
/// to `NAME.2`, and so on; the oldest is deleted.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    limit: u64,
    older: u32,
    file: File,
    length: u64,
}

impl LogFile {
    /// Opens the file, or creates it. It becomes no longer than `limit` bytes, unless one line is; `older` files are kept
    /// besides it.
    pub fn open(path: &Path, limit: u64, older: u32) -> io::Result<Self> {
        let (file, length) = open(path)?;
        Ok(LogFile { path: path.to_owned(), limit, older, file, length })
    }

    /// Opens the file of that name again, which another program may have renamed. If that fails, lines continue in the old one.
    pub fn reopen(&mut self) -> io::Result<()> {
        let (file, length) = open(&self.path)?;
        (self.file, self.length) = (file, length);
        Ok(())
    }

    /// Begins a new file. If it can't be begun, lines continue in the old one.
    fn rotate(&mut self) -> io::Result<()> {
        for number in (1..=self.older).rev() {
            let from = match number {
                1 => self.path.clone(),
                _ => numbered(&self.path, number - 1),
            };
            // There are fewer files at first.
            if let Err(error) = fs::rename(from, numbered(&self.path, number))
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(error);
            }
        }
        if self.older == 0 {
            fs::remove_file(&self.path)?;
        }
        self.reopen()
    }
}

impl Write for LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let length = u64::try_from(line.len()).unwrap_or(u64::MAX);
        if self.length > 0 && self.length.saturating_add(length) > self.limit {
            // A line in a file that is too long is better than none.
            let _ = self.rotate();
        }
        let written = self.file.write(line)?;
        self.length = self.length.saturating_add(u64::try_from(written).unwrap_or(u64::MAX));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}

fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".{number}"));
    name.into()
}
