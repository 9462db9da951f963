use std::collections::HashMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_os::mutex::lock;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::listing::ProjectListing;
use crate::Failure;

/// How long a listing is used: while a user types, and no longer than it takes to be surprised that a new
/// file is not found.
const LIFE: Duration = Duration::from_secs(8);

/// How many projects' listings are kept.
const PROJECTS: usize = 4;

/// Listings of projects, kept for a short time, so that each letter of a name costs no walk through the project.
#[derive(Debug, Default)]
pub(super) struct Listings {
    kept: Arc<Mutex<HashMap<PathBuf, CachedListing>>>,
    /// Forgets what is too old. It runs only while something is kept.
    sweeper: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Clone)]
struct CachedListing {
    since: Instant,
    /// Filled by the first who asks; the others wait for it.
    listing: Arc<OnceCell<Arc<ProjectListing>>>,
}

impl Listings {
    /// The listing of a project's folder, made anew if none is kept.
    pub(super) async fn get(
        &self,
        project: &Path,
        make: impl Future<Output = Result<ProjectListing, Failure>>,
    ) -> Result<Arc<ProjectListing>, Failure> {
        let cell = self.cell(project);
        let listing = cell.get_or_try_init(|| async { make.await.map(Arc::new) }).await?;
        Ok(Arc::clone(listing))
    }

    /// The place of a project's listing.
    fn cell(&self, project: &Path) -> Arc<OnceCell<Arc<ProjectListing>>> {
        let mut kept = lock(&self.kept);
        let now = Instant::now();
        forget_old(&mut kept, now);
        if let Some(known) = kept.get(project) {
            return Arc::clone(&known.listing);
        }
        if kept.len() == PROJECTS {
            let oldest = kept.iter().min_by_key(|(_, kept)| kept.since).map(|(path, _)| path.clone());
            oldest.and_then(|path| kept.remove(&path));
        }
        let cell = Arc::new(OnceCell::new());
        kept.insert(project.to_owned(), CachedListing { since: now, listing: Arc::clone(&cell) });
        drop(kept);
        self.sweep();
        cell
    }

    /// Makes sure that listings are dropped also without further requests.
    fn sweep(&self) {
        let mut sweeper = lock(&self.sweeper);
        if sweeper.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let kept = Arc::clone(&self.kept);
        *sweeper = Some(tokio::spawn(async move {
            loop {
                tokio::time::sleep(LIFE).await;
                let mut kept = lock(&kept);
                forget_old(&mut kept, Instant::now());
                if kept.is_empty() {
                    return;
                }
            }
        }));
    }
}

impl Drop for Listings {
    fn drop(&mut self) {
        if let Some(sweeper) = lock(&self.sweeper).take() {
            sweeper.abort();
        }
    }
}

fn forget_old(kept: &mut HashMap<PathBuf, CachedListing>, now: Instant) {
    kept.retain(|_, kept| now.duration_since(kept.since) < LIFE);
}
