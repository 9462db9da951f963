//! Walks a tree with several threads. Ignore files have no effect: [`ignore`] is for walks that respect them.

use std::fs::{self, DirEntry};
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::{SearchEffort, SearchWatch};

/// How many folders a thread finds before it lets others take them.
const BATCH: usize = 32;

/// What one thread does with the entries that it meets.
pub(in crate::tool) trait Visitor: Send {
    /// Whether the walk goes into a folder.
    fn enters(&mut self, folder: &Path) -> bool;
    /// Takes an entry that is not a folder. A link is never followed: it is such an entry.
    fn take(&mut self, path: &Path, entry: &DirEntry);
    /// Takes note that a folder or an entry could not be read.
    fn miss(&mut self);
}

/// Walks everything below a folder, in no order, and returns the visitor of each thread. The threads are started when
/// the tree turns out to be large; where none can be started, the calling thread does all the work.
pub(in crate::tool) fn walk<V: Visitor>(
    root: PathBuf,
    effort: SearchEffort,
    watch: &SearchWatch,
    visitor: impl Fn() -> V,
) -> Vec<V> {
    let queue = FolderQueue::new(root);
    thread::scope(|scope| {
        let mut first = visitor();
        let mut helpers = Vec::new();
        let mut wanted = effort.threads.saturating_sub(1);
        let mut seen = 0;
        while let Some(folder) = queue.next(watch) {
            seen += read(folder, &queue, watch, &mut first);
            queue.finish();
            if seen < effort.alone || wanted == 0 {
                continue;
            }
            for _ in 0..std::mem::take(&mut wanted) {
                let mut visitor = visitor();
                let (queue, watch) = (&queue, watch);
                let work = move || {
                    while let Some(folder) = queue.next(watch) {
                        read(folder, queue, watch, &mut visitor);
                        queue.finish();
                    }
                    visitor
                };
                helpers.extend(thread::Builder::new().spawn_scoped(scope, work));
            }
        }
        let others =
            helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|why| panic::resume_unwind(why)));
        std::iter::once(first).chain(others.collect::<Vec<_>>()).collect()
    })
}

/// Reads one folder, and returns how many entries it has.
fn read(folder: PathBuf, queue: &FolderQueue, watch: &SearchWatch, visitor: &mut impl Visitor) -> usize {
    let Ok(entries) = fs::read_dir(&folder) else {
        visitor.miss();
        return 0;
    };
    let mut seen = 0;
    let mut folders = Vec::new();
    let mut path = folder;
    for entry in entries {
        if watch.is_over() {
            break;
        }
        seen += 1;
        let Ok((entry, kind)) = entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind))) else {
            visitor.miss();
            continue;
        };
        path.push(entry.file_name());
        if !kind.is_dir() {
            visitor.take(&path, &entry);
        } else if visitor.enters(&path) {
            folders.push(path.clone());
            if folders.len() == BATCH {
                queue.add(&mut folders);
            }
        }
        path.pop();
    }
    queue.add(&mut folders);
    seen
}

/// The folders that are still to be read.
struct FolderQueue {
    state: Mutex<FolderQueueState>,
    changed: Condvar,
}

struct FolderQueueState {
    /// The newest is read first, which keeps the list short: a tree is deeper than it is wide at most places.
    folders: Vec<PathBuf>,
    /// How many folders are being read. While there are any, more may come.
    reading: usize,
}

impl FolderQueue {
    fn new(root: PathBuf) -> Self {
        FolderQueue {
            state: Mutex::new(FolderQueueState { folders: vec![root], reading: 0 }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, FolderQueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next folder; `None` when all are read or the search is over. The caller must call [`FolderQueue::finish`]
    /// for each folder it takes.
    fn next(&self, watch: &SearchWatch) -> Option<PathBuf> {
        let mut state = self.lock();
        loop {
            if watch.is_over() {
                return None;
            }
            if let Some(folder) = state.folders.pop() {
                state.reading += 1;
                return Some(folder);
            }
            if state.reading == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn add(&self, folders: &mut Vec<PathBuf>) {
        if !folders.is_empty() {
            self.lock().folders.append(folders);
            self.changed.notify_all();
        }
    }

    fn finish(&self) {
        self.lock().reading -= 1;
        self.changed.notify_all();
    }
}
