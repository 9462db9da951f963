//! How a step ended, in numbers and words.

use crate::terminal::Paint;

#[derive(Default)]
pub(super) struct Outcome {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) ignored: usize,
    /// Why a step did nothing, or what else there is to know.
    pub(super) remark: String,
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
        self.ignored += other.ignored;
        self.text.push_str(&other.text);
        let separator = if self.remark.is_empty() || other.remark.is_empty() { "" } else { "; " };
        self.remark.push_str(separator);
        self.remark.push_str(&other.remark);
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
        let counts = format!("{}: {} passed, {} failed{remark}", self.word(), self.passed, self.failed);
        match (self.passed, self.failed) {
            (0, 0) => paint.yellow(&format!("skipped: {}", self.remark)),
            (_, 0) => paint.green(&counts),
            _ => paint.red(&counts),
        }
    }
}
