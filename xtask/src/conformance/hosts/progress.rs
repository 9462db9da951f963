//! What a person sees while the suite works: which host is installed or driven, which duty runs, and how long it takes.

use std::time::Instant;

use crate::terminal;

/// Progress of the whole suite. Prints nothing where the output is for a program.
pub(super) struct Progress {
    is_shown: bool,
    started: Instant,
}

impl Progress {
    pub(super) fn new(is_shown: bool) -> Self {
        Self { is_shown, started: Instant::now() }
    }

    pub(super) fn report(&self, text: &str) {
        if self.is_shown {
            println!("{text}");
        }
    }

    /// The next of several hosts, with the time since the suite began.
    pub(super) fn begin(&self, number: usize, of: usize, what: &str) {
        let elapsed = terminal::seconds(self.started.elapsed());
        self.report(&format!("  {what} (host {number} of {of}, {elapsed} elapsed)"));
    }

    /// Progress of one program in one host.
    pub(super) fn of_run<'p>(&'p self, host: &'static str, program: &'static str) -> RunProgress<'p> {
        RunProgress { progress: self, host, program, duty: None }
    }
}

/// The duties of one run, of which one is running.
pub(super) struct RunProgress<'p> {
    progress: &'p Progress,
    host: &'static str,
    program: &'static str,
    duty: Option<(String, Instant)>,
}

impl RunProgress<'_> {
    pub(super) fn begin(&mut self, duty: &str) {
        self.duty = Some((duty.to_owned(), Instant::now()));
    }

    /// The duty that ran is over.
    pub(super) fn end(&mut self, duty: &str, has_failed: bool) {
        let time = self.duty.take().map(|(_, since)| terminal::seconds(since.elapsed())).unwrap_or_default();
        let outcome = if has_failed { "failed" } else { "done" };
        self.report(&format!("{duty} {outcome}, {time}"));
    }

    /// For silence that lasts: a long duty without a line looks like one that hangs.
    pub(super) fn still_running(&self) {
        match &self.duty {
            Some((duty, since)) => {
                self.report(&format!("{duty} is running, {}", terminal::seconds(since.elapsed())));
            }
            None => self.report("starts or ends"),
        }
    }

    fn report(&self, text: &str) {
        self.progress.report(&format!("    {} with the {}: {text}", self.host, self.program));
    }
}
