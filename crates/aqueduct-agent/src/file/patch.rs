//! What changed between two texts, as hunks that hosts can show.

use std::time::Duration;

use aqueduct_wire::tool::PatchHunk;
use similar::{DiffOp, TextDiff};

/// How many lines around a change are shown.
const CONTEXT: usize = 3;

/// How long the shortest patch is looked for; after that a longer one will do.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// What stands after a line that is the last and has no line end.
const NO_LINE_END: &str = "\\ No newline at end of file";

/// The difference between two texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patch {
    /// The hunks, in order.
    pub(crate) hunks: Vec<PatchHunk<'static>>,
    /// How many lines were added.
    pub(crate) insertions: usize,
    /// How many lines were taken away.
    pub(crate) deletions: usize,
}

/// The patch that makes `new` of `old`.
pub(crate) fn patch(old: &str, new: &str) -> Patch {
    if old == new {
        return Patch::default();
    }
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::configure().timeout(TIME_LIMIT).diff_slices(&old, &new);
    let mut patch = Patch::default();
    for group in diff.grouped_ops(CONTEXT) {
        let hunk = patch.hunk(&group, &old, &new);
        patch.hunks.extend(hunk);
    }
    patch
}

impl Patch {
    fn hunk(&mut self, group: &[DiffOp], old: &[&str], new: &[&str]) -> Option<PatchHunk<'static>> {
        let (first, last) = (group.first()?, group.last()?);
        let mut lines = Vec::new();
        for op in group {
            if let DiffOp::Equal { old_index, len, .. } = *op {
                push(&mut lines, ' ', &old[old_index..old_index + len]);
                continue;
            }
            push(&mut lines, '-', &old[op.old_range()]);
            push(&mut lines, '+', &new[op.new_range()]);
            self.deletions += op.old_range().len();
            self.insertions += op.new_range().len();
        }
        let mut hunk = PatchHunk::new(lines);
        hunk.old_start = Some((first.old_range().start + 1).into());
        hunk.old_lines = Some((last.old_range().end - first.old_range().start).into());
        hunk.new_start = Some((first.new_range().start + 1).into());
        hunk.new_lines = Some((last.new_range().end - first.new_range().start).into());
        Some(hunk)
    }
}

fn push(lines: &mut Vec<aqueduct_wire::json::Str<'static>>, sign: char, texts: &[&str]) {
    for text in texts {
        let line = text.strip_suffix('\n');
        lines.push(format!("{sign}{}", line.unwrap_or(text)).into());
        if line.is_none() {
            lines.push(NO_LINE_END.into());
        }
    }
}
