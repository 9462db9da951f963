//! ripgrep and fd, as processes.

use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::cases::Case;
use crate::memory;

/// How often the memory of a process is looked at that may end at any time.
const LOOKS: Duration = Duration::from_millis(1);

pub(super) fn is_installed(program: &str) -> bool {
    let mut version = Command::new(program);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// How long the command takes, its output read to the end or as far as it is wanted.
pub(super) fn run(case: &Case, root: &Path) -> Result<Duration> {
    let started = Instant::now();
    let mut child = start(case, root)?;
    read(case, &mut child)?;
    child.wait().with_context(|| format!("cannot wait for {}", case.peer))?;
    Ok(started.elapsed())
}

/// The highest resident set size of the command, in bytes. It is sampled every millisecond, because nothing
/// reports it once the process has ended; a growth in the last one is missed.
pub(super) fn peak(case: &Case, root: &Path) -> Result<u64> {
    let mut child = start(case, root)?;
    let process = child.id();
    let has_ended = AtomicBool::new(false);
    let peak = thread::scope(|scope| -> Result<u64> {
        let watched = scope.spawn(|| {
            let mut peak = 0;
            while !has_ended.load(Ordering::Relaxed) {
                peak = memory::peak(process).unwrap_or_default().max(peak);
                thread::sleep(LOOKS);
            }
            peak
        });
        let read = read(case, &mut child);
        has_ended.store(true, Ordering::Relaxed);
        read?;
        watched.join().map_err(|_| anyhow::anyhow!("the memory of {} could not be watched", case.peer))
    });
    child.wait().with_context(|| format!("cannot wait for {}", case.peer))?;
    peak
}

fn start(case: &Case, root: &Path) -> Result<Child> {
    let mut command = Command::new(case.peer);
    command.args(case.words).current_dir(root).stdin(Stdio::null()).stderr(Stdio::null());
    command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start {}", case.peer))
}

fn read(case: &Case, child: &mut Child) -> Result<()> {
    let mut output = BufReader::with_capacity(64 * 1024, child.stdout.take().context("it has no stdout")?);
    match case.head {
        Some(lines) => output.lines().take(lines).try_for_each(|line| line.map(drop)),
        None => io::copy(&mut output, &mut io::sink()).map(drop),
    }
    .with_context(|| format!("cannot read the output of {}", case.peer))
}
