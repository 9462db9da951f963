use std::io;
use std::path::Path;

use super::folder::Folder;
use super::remains::Remains;

/// What is in a session's folder.
#[derive(Debug)]
pub enum Found {
    /// A keeper that lives: [`attach`](super::attach) to it.
    Alive,
    /// What a keeper left behind that is gone.
    Dead(Remains),
    /// No keeper has ever been here.
    Nothing,
}

/// Looks for a keeper in a session's folder.
///
/// This touches nothing, and does not depend on process numbers: a keeper that lives holds the folder's lock. One
/// that has just been started may not have it yet, so whoever started it waits for its answer.
pub fn find(folder: &Path) -> io::Result<Found> {
    let places = Folder::new(folder);
    if places.is_locked()? {
        return Ok(Found::Alive);
    }
    if !places.is_used() {
        return Ok(Found::Nothing);
    }
    let card = places.card()?;
    Ok(Found::Dead(Remains::new(places, card)))
}
