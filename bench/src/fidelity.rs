//! Whether what was read can be written back, and how much of it was understood.

use serde_json::Value;

/// What became of a line that was read and written back.
pub(crate) enum Outcome {
    /// It could not be read.
    Failed,
    /// It was read as a whole that has no type, and gave this back.
    Untyped(Value),
    /// It was read as one of the reader's types, which gave this back.
    Typed(Value),
}

/// A library's way to read a line and write it back.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    pub(crate) there_and_back: fn(&str) -> Outcome,
}

/// What a reader made of a stream, in lines.
pub(crate) struct Fidelity {
    pub(crate) name: &'static str,
    pub(crate) failed: usize,
    pub(crate) untyped: usize,
    /// Read, but what was written back is another JSON value.
    pub(crate) changed: usize,
    /// Written back as the same JSON value.
    pub(crate) lossless: usize,
}

impl Reader {
    /// Sends every line there and back.
    pub(crate) fn survey(&self, lines: &[&str]) -> Fidelity {
        let mut fidelity = Fidelity { name: self.name, failed: 0, untyped: 0, changed: 0, lossless: 0 };
        for line in lines {
            let back = match (self.there_and_back)(line) {
                Outcome::Failed => {
                    fidelity.failed += 1;
                    continue;
                }
                Outcome::Untyped(back) => {
                    fidelity.untyped += 1;
                    back
                }
                Outcome::Typed(back) => back,
            };
            match serde_json::from_str::<Value>(line) {
                Ok(was) if was == back => fidelity.lossless += 1,
                _ => fidelity.changed += 1,
            }
        }
        fidelity
    }
}
