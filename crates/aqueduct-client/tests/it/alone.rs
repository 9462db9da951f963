//! Tests that count what this process has: files, threads, children, tasks, memory. Each runs in a process of its
//! own, where no other test opens or starts anything.

use std::collections::HashMap;
use std::fs;
use std::process::Command;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::script::Script;

/// Set in the process that runs a test alone.
const ALONE: &str = "AQUEDUCT_TEST_ALONE";

/// The threads of a test's process: the one that waits for the test, and the test's own.
const OWN_THREADS: usize = 2;

/// A safety net: nothing here takes this long unless something hangs.
pub(crate) const TOO_LONG: Duration = Duration::from_secs(300);

/// Runs a test in a process of its own, and sees that it leaves nothing behind there.
pub(crate) fn alone<F: AsyncFnOnce()>(test: F) {
    if !is_child::<F>() {
        return;
    }
    runtime().block_on(async {
        // What a first session leaves is the runtime's own: the means to wait for children.
        let (session, events) = Script::new("").builder().start().await.expect("a good agent starts");
        drop(events);
        session.close().await;
        drop(session);
        let settled = tokio::time::timeout(TOO_LONG, Census::settled()).await;
        let before = settled.expect("nothing of the first session is left");
        tokio::time::timeout(TOO_LONG, test()).await.expect("the test does not hang");
        before.compare().await;
    });
}

/// In the test itself: starts the process that runs the test, and waits for it. In that process: returns
/// true. `F` is a closure of the test, by which the test is known.
pub(crate) fn is_child<F>() -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let name = test_name::<F>();
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.args(["--exact", name, "--nocapture", "--include-ignored", "--test-threads=1"]);
    let output = command.env(ALONE, "1").output().expect("this program runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && printed.contains("1 passed"),
        "{name} failed alone:\n{printed}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}

/// The path of the test that contains a closure.
fn test_name<F>() -> &'static str {
    let path = std::any::type_name::<F>().trim_end_matches("::{{closure}}");
    path.split_once("::").expect("a closure in a test of this crate").1
}

/// A runtime as a program has it, except that threads for blocking work don't linger.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).thread_keep_alive(Duration::from_millis(1)).enable_all();
    builder.build().expect("a runtime")
}

/// What this process has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Census {
    files: usize,
    threads: usize,
    children: Vec<u32>,
    tasks: usize,
}

impl Census {
    pub(crate) fn take() -> Self {
        Census {
            files: fs::read_dir("/proc/self/fd").expect("Linux").count(),
            threads: fs::read_dir("/proc/self/task").expect("Linux").count(),
            children: descendants(std::process::id()),
            tasks: Handle::try_current().map_or(0, |handle| handle.metrics().num_alive_tasks()),
        }
    }

    /// What there is when nothing of a session is left.
    async fn settled() -> Self {
        loop {
            let census = Census::take();
            let workers = Handle::current().metrics().num_workers();
            if census.tasks == 0 && census.children.is_empty() && census.threads == workers + OWN_THREADS {
                return census;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Checks that everything is as before. A task that has just ended may be counted for a short time.
    pub(crate) async fn compare(&self) {
        let mut now = Census::take();
        for _ in 0..200 {
            if now == *self {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
            now = Census::take();
        }
        assert_eq!(now, *self, "something is left behind (or gone)");
    }
}

/// The most memory that this process has ever had, in MiB.
pub(crate) fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes >> 10
}

/// The processes that a process has started, and those that these have started, zombies included.
pub(crate) fn descendants(of: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for (id, parent, _) in processes() {
        children.entry(parent).or_default().push(id);
    }
    let mut found = vec![of];
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        found.extend(children.get(&id).into_iter().flatten());
        next += 1;
    }
    found.remove(0);
    found.sort_unstable();
    found
}

/// Whether a process is there and no zombie.
pub(crate) fn is_alive(id: u32) -> bool {
    processes().any(|(other, _, state)| other == id && state != 'Z')
}

/// Waits until a process is gone.
pub(crate) async fn gone(id: u32) {
    while is_alive(id) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Every process: its id, its parent's, its state.
fn processes() -> impl Iterator<Item = (u32, u32, char)> {
    fs::read_dir("/proc").expect("Linux").filter_map(|entry| {
        let id: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut words = rest.split(' ');
        let state = words.next()?.chars().next()?;
        Some((id, words.next()?.parse().ok()?, state))
    })
}
