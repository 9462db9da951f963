//! Instruction counts: the same on a busy machine, on every run.
//!
//! The program runs itself under valgrind's callgrind, once with the work and once without. What is
//! between the two counts is the work.

use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The instructions that a measurement takes for the first `lines` of a stream.
pub(crate) fn instructions(bench: &str, measurement: &str, stream: &str, lines: usize) -> Result<u64> {
    let lines = lines.to_string();
    let one = [bench, "--one", measurement, "--stream", stream, "--lines", &lines];
    let with = count(&one)?;
    let without = count(&[&one[..], &["--idle"]].concat())?;
    Ok(with.saturating_sub(without))
}

fn count(args: &[&str]) -> Result<u64> {
    let program = std::env::current_exe().context("this program's own path")?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(args)
        .output()
        .context("valgrind could not be started; is it installed?")?;
    let report = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind failed:\n{report}");
    collected(&report).with_context(|| format!("valgrind gave no count:\n{report}"))
}

/// The count in callgrind's last output: `==123== Collected : 4567`.
fn collected(report: &str) -> Option<u64> {
    let line = report.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_count() {
        let report = "==9== Events    : Ir\n==9== Collected : 123456\n==9== \n==9== I   refs:      123,456\n";
        assert_eq!(collected(report), Some(123_456));
        assert_eq!(collected("==9== nothing"), None);
    }
}
