//! How a step ended, in numbers and words.

use crate::terminal::Paint;

#[derive(Default)]
pub(super) struct Outcome {
    pub(super) passed: usize,
    pub(super) failed: usize,
    /// Tests that did not run: their requirement is missing, or they are marked as ignored.
    pub(super) skipped: usize,
    /// Why a step did nothing, or what else there is to know.
    pub(super) remark: String,
    /// Tests that failed and passed when they were run again. They count as passed, and are to be fixed.
    pub(super) flaky: Vec<String>,
    /// What to show if it failed.
    pub(super) text: String,
}

impl Outcome {
    /// A step that is one check.
    pub(super) fn single(success: bool, text: String) -> Self {
        Self { passed: usize::from(success), failed: usize::from(!success), text, ..Self::default() }
    }

    pub(super) fn failed(text: String) -> Self {
        Self::single(false, text)
    }

    pub(super) fn skipped(why: &str) -> Self {
        Self { remark: why.to_owned(), ..Self::default() }
    }

    /// Counts another part of the same step in.
    pub(super) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.flaky.extend(other.flaky);
        self.text.push_str(&other.text);
        self.remark(&other.remark);
    }

    fn remark(&mut self, text: &str) {
        let separator = if self.remark.is_empty() || text.is_empty() { "" } else { "; " };
        self.remark.push_str(separator);
        self.remark.push_str(text);
    }

    /// Everything that failed passes when it runs again: it depends on the load of the machine, and is named.
    pub(super) fn passes_again(&mut self, names: impl IntoIterator<Item = String>) {
        self.passed += std::mem::take(&mut self.failed);
        for name in names {
            self.remark(&format!("flaky: {name}"));
            self.flaky.push(name);
        }
    }

    pub(super) fn word(&self) -> &'static str {
        match (self.passed, self.failed) {
            (0, 0) => "skipped",
            (_, 0) => "ok",
            _ => "FAILED",
        }
    }

    pub(super) fn verdict(&self, paint: Paint) -> String {
        let remark = if self.remark.is_empty() { String::new() } else { format!(" ({})", self.remark) };
        let Self { passed, failed, skipped, .. } = self;
        let counts = format!("{}: {passed} passed, {failed} failed, {skipped} skipped{remark}", self.word());
        match (self.passed, self.failed) {
            (0, 0) => paint.yellow(&format!("skipped: {}", self.remark)),
            (_, 0) => paint.green(&counts),
            _ => paint.red(&counts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flaky_test_counts_as_passed_and_is_named() {
        let mut outcome =
            Outcome { passed: 3, failed: 2, remark: "skipped 1: no git".to_owned(), ..Outcome::default() };
        outcome.passes_again(["a".to_owned(), "b".to_owned()]);
        assert_eq!((outcome.passed, outcome.failed), (5, 0));
        assert_eq!(outcome.remark, "skipped 1: no git; flaky: a; flaky: b");
        assert_eq!(outcome.word(), "ok");
    }
}
