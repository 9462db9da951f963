//! The standard streams of this process.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsFd;

/// Makes a file the standard input.
pub fn replace_stdin(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdin(file)?)
}

/// Makes a file the standard output.
pub fn replace_stdout(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdout(file)?)
}

/// Makes a file the standard error.
pub fn replace_stderr(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::stdio::dup2_stderr(file)?)
}

/// The file that swallows everything and holds nothing.
pub fn null() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open("/dev/null")
}

/// Writes a few bytes without waiting; how many the file took.
pub fn write_now(file: impl AsFd, bytes: &[u8]) -> io::Result<usize> {
    Ok(rustix::io::write(file, bytes)?)
}

/// Reads what is there.
pub fn read(file: impl AsFd, bytes: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(file, bytes)?)
}

/// Makes reads and writes of a file return at once.
pub fn set_nonblocking(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(file, true)?)
}
