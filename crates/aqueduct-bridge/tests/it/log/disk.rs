//! A disk without space, and one that may not be written.

use std::path::Path;
use std::process::Command;

use aqueduct_bridge::log::{Append, Log, LogError, NewEvent};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::{ALL, NOON, new_session};

/// Where the child works. Only set for the child.
const FOLDER: &str = "LOG_DISK_FOLDER";

fn limit_files(bytes: Option<u64>) {
    setrlimit(Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

fn large() -> Append {
    Append::new(NOON).event(NewEvent::new("note", format!("\"{}\"", "x".repeat(50_000))).searchable())
}

/// Not a test of its own: a process whose files can't grow past a limit, which the test below starts.
#[test]
#[ignore = "started by the test below"]
fn child() {
    let folder = std::env::var(FOLDER).expect("another test starts this one");
    let folder = Path::new(&folder);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let log = Log::open(folder).unwrap();
        log.create_session(new_session("a"), large()).await.unwrap();
        let mut stored = 1;
        for round in 1..=4 {
            limit_files(Some(round * 600_000));
            let error = loop {
                match log.append("a", large()).await {
                    Ok(_) => stored += 1,
                    Err(error) => break error,
                }
            };
            assert!(matches!(error, LogError::Io { .. } | LogError::Full), "{error}");
            // Reading continues, and sees nothing of what failed.
            assert_eq!(log.session("a").await.unwrap().last_seq, stored);
            limit_files(None);
            log.append("a", large()).await.unwrap();
            stored += 1;
        }
        log.settle().await.unwrap();
        assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
        assert!(stored > 20, "{stored}");
        log.close().await;

        let log = Log::open(folder).unwrap();
        let page = log.page("a", aqueduct_bridge::log::PagePosition::After(0), ALL).await.unwrap();
        assert_eq!(page.events.len() as u64, stored);
        log.close().await;
        limit_files(Some(1));
        let nowhere = folder.join("new");
        assert!(Log::open(&nowhere).is_err());
        limit_files(None);
        Log::open(&nowhere).unwrap();
    });
}

#[test]
fn a_disk_without_space_costs_what_is_appended_then_and_nothing_else() {
    let folder = crate::private_folder();
    // The signal that comes with the limit is ignored by the shell, and so by what it starts.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "log::disk::child", "--ignored", "--nocapture"])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let reported = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{reported}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{reported}");
}
