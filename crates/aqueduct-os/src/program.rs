//! The program that this process runs.

use std::io;
use std::path::PathBuf;

use crate::platform;

/// A path that starts this program again. On Linux it is the file that runs, also after its name was given to a newer one.
pub fn own() -> io::Result<PathBuf> {
    platform::system::own_program()
}

/// The file of this program, to show; where it was removed, [`own`].
pub fn file() -> io::Result<PathBuf> {
    let file = std::env::current_exe()?;
    match file.exists() {
        true => Ok(file),
        false => own(),
    }
}
