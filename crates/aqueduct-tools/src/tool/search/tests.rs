//! When searches end, and what they pass over.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use aqueduct_rules::{Behavior, Context, Mode, Source};
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// Cancels the search at its tenth entry.
struct Impatient<'a> {
    watch: &'a SearchWatch,
    taken: &'a AtomicUsize,
}

impl Visitor for Impatient<'_> {
    fn enters(&mut self, _: &Path) -> bool {
        true
    }

    fn take(&mut self, _: &Path, _: &DirEntry) {
        if self.taken.fetch_add(1, Ordering::SeqCst) + 1 == 10 {
            self.watch.cancel();
        }
    }

    fn miss(&mut self) {}
}

#[test]
fn a_cancelled_walk_takes_no_further_entry() {
    let root = tempfile::tempdir().unwrap();
    for folder in 0..30 {
        let folder = root.path().join(folder.to_string());
        fs::create_dir(&folder).unwrap();
        (0..10).for_each(|file| fs::write(folder.join(file.to_string()), "").unwrap());
    }
    for threads in [1, 2, 8] {
        let (watch, taken) = (SearchWatch::default(), AtomicUsize::new(0));
        let effort = SearchEffort { threads, alone: 1 };
        walk(root.path().to_owned(), effort, &watch, || Impatient { watch: &watch, taken: &taken });
        // Each of the other threads may be at an entry.
        let taken = taken.into_inner();
        assert!((10..10 + threads).contains(&taken), "{taken} with {threads} threads");
    }
}

#[test]
fn threads_are_started_only_for_large_trees() {
    let root = tempfile::tempdir().unwrap();
    for folder in 0..20 {
        fs::create_dir(root.path().join(folder.to_string())).unwrap();
    }
    let visitors = |alone| {
        let (watch, taken) = (SearchWatch::default(), AtomicUsize::new(0));
        let visitor = || Impatient { watch: &watch, taken: &taken };
        walk(root.path().to_owned(), SearchEffort { threads: 3, alone }, &watch, visitor).len()
    };
    assert_eq!((visitors(21), visitors(20)), (1, 3));
}

#[tokio::test]
async fn an_interrupt_ends_a_search_that_runs() {
    let cancel = CancellationToken::new();
    let interrupt = cancel.clone();
    let ended = run(&cancel, move |watch| {
        interrupt.cancel();
        while !watch.is_over() {
            std::thread::yield_now();
        }
        Err::<(), _>(ToolFailure::Interrupted("half".to_owned()))
    });
    assert_eq!(ended.await, Err(ToolFailure::Interrupted("half".to_owned())));
}

#[tokio::test]
async fn a_search_that_nobody_waits_for_ends() {
    let cancel = CancellationToken::new();
    let (began, has_begun) = tokio::sync::oneshot::channel();
    let (end, has_ended) = mpsc::channel();
    let search = run(&cancel, move |watch| {
        began.send(()).unwrap();
        while !watch.is_cancelled() {
            std::thread::yield_now();
        }
        end.send(()).unwrap();
        Ok(())
    });
    tokio::select! {
        _ = search => panic!("the search ended by itself"),
        _ = has_begun => {}
    }
    has_ended.recv().unwrap();
}

/// A disk that does not answer, such as one of a server that is gone.
async fn search_of_stuck_disk(cancel: CancellationToken, wait: Duration) -> Result<(), ToolFailure> {
    let (began, has_begun) = tokio::sync::oneshot::channel();
    let (answers, answer) = mpsc::channel::<()>();
    let search = tokio::spawn(async move {
        run(&cancel, move |_| {
            began.send(()).unwrap();
            let _ = answer.recv();
            Ok(())
        })
        .await
    });
    has_begun.await.unwrap();
    tokio::time::pause();
    for step in [wait, GRACE] {
        tokio::task::yield_now().await;
        tokio::time::advance(step + Duration::from_millis(1)).await;
    }
    let ended = search.await.unwrap();
    drop(answers);
    ended
}

#[tokio::test]
async fn an_interrupt_does_not_wait_for_a_disk_that_does_not_answer() {
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let ended = search_of_stuck_disk(cancelled, Duration::ZERO).await;
    assert_eq!(ended, Err(ToolFailure::Interrupted(String::new())));
}

#[tokio::test]
async fn a_turn_does_not_wait_for_a_disk_that_does_not_answer() {
    let ended = search_of_stuck_disk(CancellationToken::new(), TIME_LIMIT).await;
    let why = "the file system did not answer within 20 seconds; search another directory";
    assert_eq!(ended, Err(ToolFailure::Failed(why.to_owned())));
}

const FOLDERS: [&[u8]; 12] = [
    b"",
    b"/",
    b"/home/me",
    b"/home/me/proj",
    b"/home/me/proj/src",
    b"/home/me/proj/.ssh",
    b"/home/me/.config/gh",
    b"/home/me/.Config",
    b"/home/me/proj/../other",
    b"/mnt/\xff",
    b"/srv/tokens",
    b"relative",
];
const NAMES: [&[u8]; 16] = [
    b"a.rs",
    b".env",
    b".ENV",
    b".env.",
    b".netrc",
    b"hosts.yml",
    b"gh",
    b"key.pem",
    b"\xff.pem",
    b"id_rsa",
    b".npmrc",
    b"tokens",
    b"shadow",
    b".\xc5\xbfsh",
    b"named.pem",
    b"secret",
];

/// Rules with and without one that forbids, in a mode that asks and in the one that asks nothing.
fn rules(forbids: bool, bypasses: bool) -> Context {
    let mut rules = Context::new("/home/me/proj").with_home("/home/me").with_credentials(["/srv/tokens"]);
    rules.add_rules(Source::UserSettings, Behavior::Allow, ["Read(//home/me/other/named.pem)"]).unwrap();
    if forbids {
        rules.add_rules(Source::UserSettings, Behavior::Deny, ["Read(secret)"]).unwrap();
    }
    if bypasses { rules.with_mode(Mode::BypassPermissions).unwrap() } else { rules }
}

proptest! {
    #[test]
    fn the_quick_check_of_many_files_is_that_of_each(
        forbids: bool,
        bypasses: bool,
        files in prop::collection::vec((select(&FOLDERS[..]), select(&NAMES[..])), 1..20),
    ) {
        let hidden = Hidden::by(&rules(forbids, bypasses), Path::new("/home/me/proj"));
        let mut screen = HiddenFilter::new(&hidden);
        for (folder, name) in files {
            let path = Path::new(OsStr::from_bytes(folder)).join(OsStr::from_bytes(name));
            prop_assert_eq!(screen.hides(&path), hidden.hides(&path), "{:?}", path);
        }
    }
}
