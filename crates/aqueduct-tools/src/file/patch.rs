//! What changed between two texts, as hunks that hosts can show.

use std::time::Duration;

use aqueduct_wire::tool::PatchHunk;
use similar::{DiffOp, TextDiff};

/// How many lines around a change are shown.
const CONTEXT: usize = 3;

/// How long the shortest patch is looked for; after that a longer one will do.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The line after a last line that has no line end.
const NO_LINE_END: &str = "\\ No newline at end of file";

/// The difference between two texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextPatch {
    /// The hunks, in order.
    pub(crate) hunks: Vec<PatchHunk<'static>>,
    /// How many lines were added.
    pub insertions: usize,
    /// How many lines were taken away.
    pub deletions: usize,
}

/// The patch that makes `new` of `old`.
pub(crate) fn patch(old: &str, new: &str) -> TextPatch {
    if old == new {
        return TextPatch::default();
    }
    // Only the lines around what differs are looked at: of a large file a list of all lines is larger than itself.
    let (start, end) = (common_start(old, new), common_end(old, new));
    let skipped = memchr::memchr_iter(b'\n', &old.as_bytes()[..start]).count();
    let old: Vec<&str> = old[start..old.len() - end].split_inclusive('\n').collect();
    let new: Vec<&str> = new[start..new.len() - end].split_inclusive('\n').collect();
    let diff = TextDiff::configure().timeout(TIME_LIMIT).diff_slices(&old, &new);
    let mut patch = TextPatch::default();
    for group in diff.grouped_ops(CONTEXT) {
        let hunk = patch.hunk(&group, &old, &new, skipped);
        patch.hunks.extend(hunk);
    }
    patch
}

/// How many bytes of whole lines both texts begin with, but for the lines that a hunk shows before a change.
fn common_start(old: &str, new: &str) -> usize {
    let common = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    // The line in which they part is no common one.
    let mut lines = memchr::memrchr_iter(b'\n', &old.as_bytes()[..common]);
    lines.nth(CONTEXT).map_or(0, |end| end + 1)
}

/// The same for their ends. What is counted at the start is not counted again.
fn common_end(old: &str, new: &str) -> usize {
    let start = common_start(old, new);
    let (old, new) = (&old.as_bytes()[start..], &new.as_bytes()[start..]);
    let common = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let tail = &old[old.len() - common..];
    // The first line end belongs to the line in which they part. Where lines repeat, the common end reaches into the
    // lines before the change: those are shown, too.
    let mut lines = memchr::memchr_iter(b'\n', tail);
    lines.nth(2 * CONTEXT + 1).map_or(0, |end| tail.len() - end - 1)
}

impl TextPatch {
    fn hunk(
        &mut self,
        group: &[DiffOp],
        old: &[&str],
        new: &[&str],
        skipped: usize,
    ) -> Option<PatchHunk<'static>> {
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
        hunk.old_start = Some((skipped + first.old_range().start + 1).into());
        hunk.old_lines = Some((last.old_range().end - first.old_range().start).into());
        hunk.new_start = Some((skipped + first.new_range().start + 1).into());
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, proptest};
    use similar::TextDiff;

    use super::{CONTEXT, NO_LINE_END, TextPatch, patch};

    /// The patch of all lines.
    fn whole(old: &str, new: &str) -> TextPatch {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let diff = TextDiff::configure().diff_slices(&old, &new);
        let mut patch = TextPatch::default();
        for group in diff.grouped_ops(CONTEXT) {
            let hunk = patch.hunk(&group, &old, &new, 0);
            patch.hunks.extend(hunk);
        }
        patch
    }

    /// What a patch makes of a text.
    fn applied(old: &str, patch: &TextPatch) -> String {
        let lines: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut text, mut at) = (String::new(), 0);
        for hunk in &patch.hunks {
            let number = |number: &Option<aqueduct_wire::json::Number<'_>>| number.as_ref()?.as_u64();
            let start = number(&hunk.old_start).unwrap() as usize - 1;
            text.extend(lines[at..start].iter().copied());
            let mut is_kept = false;
            for line in &hunk.lines {
                match line.strip_prefix([' ', '+']) {
                    Some(kept) => text.extend([kept, "\n"]),
                    None if is_kept && &**line == NO_LINE_END => text.truncate(text.len() - 1),
                    None => {}
                }
                is_kept = line.starts_with([' ', '+']);
            }
            at = start + number(&hunk.old_lines).unwrap() as usize;
        }
        text.extend(lines[at..].iter().copied());
        text
    }

    proptest! {
        /// What is left out at both ends changes nothing: the patch still makes the new text, and is as short. Where
        /// lines repeat, a change can be shown at more than one place.
        #[test]
        fn common_ends_are_left_out_without_a_trace(
            lines in vec("[ab]{0,2}", 0..30),
            new in vec("[abc]{0,2}", 0..4),
            at in any::<proptest::sample::Index>(),
            gone in 0..4usize,
            ends in any::<bool>(),
        ) {
            let from = at.index(lines.len() + 1);
            let to = (from + gone).min(lines.len());
            let joined = |lines: Vec<String>| lines.join("\n") + if ends { "\n" } else { "" };
            let changed = [&lines[..from], &new, &lines[to..]].concat();
            let (old, new) = (joined(lines), joined(changed));
            let (short, long) = (patch(&old, &new), whole(&old, &new));
            prop_assert_eq!(applied(&old, &short), new.as_str());
            prop_assert_eq!(applied(&old, &long), new);
            prop_assert_eq!((short.insertions, short.deletions), (long.insertions, long.deletions));
        }
    }
}
