//! Files that match the typed query.

use super::listing::ProjectListing;
use super::score::Scorer;
use crate::message::bridge::{FileMatch, Files};

/// How many files are given at most.
const MATCHES: u64 = 1000;

/// How many are returned by default.
const USUAL: u64 = 50;

/// The files of a listing that fit, the best first. Of those that fit equally well the shortest comes first.
pub(super) fn search(
    root: String,
    listing: &ProjectListing,
    query: &str,
    limit: Option<u64>,
) -> Files<'static> {
    let limit = usize::try_from(limit.unwrap_or(USUAL).min(MATCHES)).unwrap_or(usize::MAX);
    let mut scorer = Scorer::new(query);
    let (found, has_more) = match scorer.is_empty() {
        true => (listing.iter().take(limit).collect(), listing.iter().len() > limit),
        false => best(listing, &mut scorer, limit),
    };
    let files = found.into_iter().map(|(path, is_folder)| {
        let mut file = FileMatch::new(path.to_owned());
        file.positions = scorer.positions(path);
        file.directory = is_folder.then_some(true);
        file
    });
    let mut files = Files::new(root, files.collect::<Vec<_>>());
    files.more = Some(has_more || listing.is_cut);
    files
}

/// The best that fit, and whether there are more.
fn best<'l>(listing: &'l ProjectListing, scorer: &mut Scorer, limit: usize) -> (Vec<(&'l str, bool)>, bool) {
    let mut found = Vec::new();
    for (path, is_folder) in listing.iter() {
        if let Some(score) = scorer.score(path) {
            found.push((-score, path.len(), path, is_folder));
        }
    }
    let has_more = found.len() > limit;
    if has_more {
        // Only the best are put in order.
        found.select_nth_unstable(limit);
        found.truncate(limit);
    }
    found.sort_unstable();
    (found.into_iter().map(|(_, _, path, is_folder)| (path, is_folder)).collect(), has_more)
}
