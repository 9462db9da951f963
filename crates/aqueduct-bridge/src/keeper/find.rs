use std::io;
use std::path::Path;

use aqueduct_os::marked;

use super::MARK;
use super::folder::{KeeperCard, KeeperFolder};
use super::remains::KeeperRemains;

/// What is in a session's folder.
#[derive(Debug)]
pub enum KeeperState {
    /// A keeper that lives: [`attach`](super::attach) to it.
    Alive,
    /// What a keeper left behind that is gone, or never got to starting its agent.
    Dead(KeeperRemains),
    /// The folder does not exist.
    Gone,
}

/// Deletes the folder of a keeper that is gone.
pub fn delete(folder: &Path) -> io::Result<()> {
    KeeperFolder::new(folder).delete()
}

/// Whether a keeper lives in a session's folder. Nothing is changed to find out.
pub fn is_alive(folder: &Path) -> io::Result<bool> {
    Ok(KeeperFolder::new(folder).owner()?.is_some())
}

/// Looks for a keeper in a session's folder, and takes the folder where none lives.
///
/// This does not depend on process numbers: a keeper that lives holds the folder's lock. Where it is free, this
/// process takes it for as long as it has the [`KeeperRemains`], so a keeper that was started and has not
/// come to its folder yet finds it taken, and gives up.
pub fn find(folder: &Path) -> io::Result<KeeperState> {
    let places = KeeperFolder::new(folder);
    if !folder.try_exists()? {
        // What a keeper started from there may live on all the same.
        marked::kill(MARK, &KeeperCard::mark(folder));
        return Ok(KeeperState::Gone);
    }
    let Some(lock) = places.lock(true)? else { return Ok(KeeperState::Alive) };
    let card = places.card()?;
    Ok(KeeperState::Dead(KeeperRemains::new(places, card, lock)))
}
