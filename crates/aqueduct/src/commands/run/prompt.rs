//! The prompt: arguments, standard input, or both.

use std::io::{self, IsTerminal, Read};
use std::os::fd::AsFd;
use std::time::Duration;

use anyhow::{Context, bail};
use aqueduct_os::poll::{self, PollInterest};

use crate::explained::advice;
use crate::output;

/// How long a prompt may be.
const MAX_BYTES: u64 = 64 << 20;

/// How long standard input is waited for where the arguments are a prompt already. Programs that start others
/// often leave it open and never write.
const PATIENCE: Duration = Duration::from_secs(3);

/// The message in that case.
const SILENT: &str =
    "standard input is open but sends nothing; continuing without it (pass < /dev/null to avoid the wait)";

/// Reads the prompt.
pub(super) fn read(words: &[String]) -> anyhow::Result<String> {
    let words = words.join(" ");
    let stdin = io::stdin();
    let piped = if stdin.is_terminal() {
        String::new()
    } else if !words.is_empty() && is_silent(&stdin, PATIENCE) {
        output::remark(SILENT);
        String::new()
    } else {
        text(stdin.lock())?
    };
    let prompt = join(words, &piped);
    if prompt.trim().is_empty() {
        bail!(advice(
            "no prompt",
            "give one as arguments or on standard input. aqueduct run --help has examples",
        ));
    }
    Ok(prompt)
}

/// Piped input follows the arguments.
fn join(words: String, piped: &str) -> String {
    match (words.is_empty(), piped.trim().is_empty()) {
        (_, true) => words,
        (true, false) => piped.to_owned(),
        (false, false) => format!("{words}\n{piped}"),
    }
}

fn text(input: impl Read) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut limited = input.take(MAX_BYTES + 1);
    limited
        .read_to_end(&mut bytes)
        .context(advice("can't read standard input", "redirect it from /dev/null to leave it out"))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!(advice(
            format!("standard input has more than {} MiB, which no model takes", MAX_BYTES >> 20),
            "give a file's name instead",
        ));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether nothing comes for a time, not even the end.
fn is_silent(input: &impl AsFd, patience: Duration) -> bool {
    poll::wait(&[(input.as_fd(), PollInterest::Read)], Some(patience)).is_ok_and(|ready| ready == [false])
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_is_piped_follows_the_arguments() {
        assert_eq!(join("why?".to_owned(), "error: no\n"), "why?\nerror: no\n");
        assert_eq!(join("why?".to_owned(), "\n"), "why?");
        assert_eq!(join(String::new(), "all of it\n"), "all of it\n");
    }

    #[test]
    fn bytes_that_are_not_text_are_not_the_end() {
        assert_eq!(text(&b"a\xffb"[..]).unwrap(), "a\u{fffd}b");
    }

    #[test]
    fn a_silent_pipe_is_distinguished_from_one_with_data() {
        let now = Duration::ZERO;
        let (reader, mut writer) = io::pipe().unwrap();
        assert!(is_silent(&reader, now));
        writer.write_all(b"x").unwrap();
        assert!(!is_silent(&reader, now));
        let (reader, writer) = io::pipe().unwrap();
        drop(writer);
        assert!(!is_silent(&reader, now), "an end is something");
    }
}
