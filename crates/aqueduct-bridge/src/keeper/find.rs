use std::io;
use std::path::Path;

use super::folder::{Card, Folder};
use super::remains::Remains;
use super::sweep;

/// What is in a session's folder.
#[derive(Debug)]
pub enum Found {
    /// A keeper that lives: [`attach`](super::attach) to it.
    Alive,
    /// What a keeper left behind that is gone, or never got to starting its agent.
    Dead(Remains),
    /// There is no folder.
    Gone,
}

/// Looks for a keeper in a session's folder, and takes the folder where none lives.
///
/// This does not depend on process numbers: a keeper that lives holds the folder's lock. Where it is free, this
/// process takes it for as long as it has the [`Remains`], so a keeper that was started and has not come to its folder
/// yet finds it taken, and gives up.
pub fn find(folder: &Path) -> io::Result<Found> {
    let places = Folder::new(folder);
    if !folder.try_exists()? {
        // What a keeper started from there may live on all the same.
        sweep::sweep(&Card::mark(folder));
        return Ok(Found::Gone);
    }
    let Some(lock) = places.lock()? else { return Ok(Found::Alive) };
    let card = places.card()?;
    Ok(Found::Dead(Remains::new(places, card, lock)))
}
