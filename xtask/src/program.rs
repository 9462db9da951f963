//! Running other programs: kept output, a sign of progress, and the time it took.

use std::io::{self, BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::terminal::RunningLine;

/// How long a step may be silent in a log before it shows that it is alive.
const SIGN_OF_LIFE: Duration = Duration::from_secs(60);

/// A program that has ended.
pub(crate) struct Ended {
    pub(crate) success: bool,
    /// Standard output and standard error, as they came.
    pub(crate) output: String,
}

/// Runs a program to its end, showing its newest line while it runs and keeping all of them.
pub(crate) fn run(command: &mut Command) -> Result<Ended> {
    let name = name(command);
    let (reader, writer) = io::pipe().context("cannot make a pipe")?;
    let errors = writer.try_clone().context("cannot share a pipe")?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(errors)
        .spawn()
        .with_context(|| format!("cannot start {name}"))?;
    // The command holds the pipe's writing ends: the reader sees the end only when they are closed.
    command.stdout(Stdio::null()).stderr(Stdio::null());

    let (lines, arrived) = mpsc::channel();
    let reading = thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n').map_while(io::Result::ok) {
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            if lines.send(line).is_err() {
                break;
            }
        }
    });

    let (started, running) = (Instant::now(), RunningLine::new());
    let (mut output, mut last) = (String::new(), String::new());
    loop {
        match arrived.recv_timeout(SIGN_OF_LIFE) {
            Ok(line) => {
                output.push_str(&line);
                output.push('\n');
                // JSON is for the program that asked for it.
                if !line.starts_with('{') {
                    running.show(&line);
                    last = line;
                }
            }
            Err(RecvTimeoutError::Timeout) => running.still_alive(started.elapsed(), last.trim()),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait().with_context(|| format!("cannot wait for {name}"))?;
    running.clear();
    // The channel is closed, so the thread is past its loop.
    let _ = reading.join();
    Ok(Ended { success: status.success(), output })
}

/// Runs a program whose output is shown directly, and returns whether it succeeded.
pub(crate) fn run_openly(command: &mut Command) -> Result<bool> {
    let name = name(command);
    Ok(command.status().with_context(|| format!("cannot start {name}"))?.success())
}

/// Whether a program can be found, by asking it for its version.
pub(crate) fn exists(program: &str, version_flag: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(version_flag).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_both_outputs_and_the_verdict() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo one; echo two >&2; exit 3"]);
        let ended = run(&mut command).expect("sh runs");
        assert!(!ended.success);
        assert_eq!(ended.output, "one\ntwo\n");
    }
}
