//! What changes between two texts, as lines for people.

use std::time::Duration;

use similar::{DiffOp, TextDiff};

use super::{Tone, exact};

/// How many lines around a change are shown of a longer text.
const CONTEXT: usize = 3;

/// How long the shortest difference is looked for; after that a longer one will do.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// In place of lines that do not change.
const LEFT_OUT: &str = "  ⋮";

/// What follows a last line without a line end, where that is a change.
const NO_LINE_END: &str = "  (no line end)";

/// A difference.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ShownDiff {
    /// Lines that begin with `+`, `-` or a blank.
    pub(crate) lines: Vec<(Tone, String)>,
    /// Whether something had to be made visible.
    pub(crate) has_hidden: bool,
}

impl ShownDiff {
    /// All lines of both texts.
    pub(crate) fn whole(old: &str, new: &str) -> ShownDiff {
        let (old, new) = (Lines::of(old), Lines::of(new));
        let mut shown = ShownDiff::default();
        let diff = TextDiff::configure().timeout(TIME_LIMIT).diff_slices(&old.0, &new.0);
        diff.ops().iter().for_each(|op| shown.op(*op, &old, &new));
        shown
    }

    /// The lines that change, with those around them.
    pub(crate) fn changes(old: &str, new: &str) -> ShownDiff {
        let (old, new) = (Lines::of(old), Lines::of(new));
        let mut shown = ShownDiff::default();
        let diff = TextDiff::configure().timeout(TIME_LIMIT).diff_slices(&old.0, &new.0);
        let mut next = 0;
        for group in diff.grouped_ops(CONTEXT) {
            shown.leave_out(group.first().is_some_and(|op| op.old_range().start > next));
            group.iter().for_each(|op| shown.op(*op, &old, &new));
            next = group.last().map_or(next, |op| op.old_range().end);
        }
        shown.leave_out(next < old.0.len());
        shown
    }

    fn op(&mut self, op: DiffOp, old: &Lines<'_>, new: &Lines<'_>) {
        if let DiffOp::Equal { old_index, len, .. } = op {
            old.0[old_index..old_index + len].iter().for_each(|line| self.line(' ', line));
            return;
        }
        old.0[op.old_range()].iter().for_each(|line| self.line('-', line));
        new.0[op.new_range()].iter().for_each(|line| self.line('+', line));
    }

    /// Appends a line with its mark.
    pub(crate) fn line(&mut self, mark: char, line: &str) {
        let tone = match mark {
            '+' => Tone::Green,
            '-' => Tone::Red,
            _ => Tone::Dim,
        };
        let (text, end) = match line.strip_suffix('\n') {
            Some(text) => (text, ""),
            None => (line, NO_LINE_END),
        };
        let (mut shown, has_hidden) = exact(text);
        self.has_hidden |= has_hidden;
        if mark != ' ' {
            // Blanks at the end of a line may be all that changes.
            let visible = shown.trim_end_matches(' ').len();
            let blanks = shown.len() - visible;
            shown.truncate(visible);
            shown.push_str(&"·".repeat(blanks));
        }
        let line = format!("{mark} {shown}{}", if mark == ' ' { "" } else { end });
        self.lines.push((tone, line.trim_end().to_owned()));
    }

    fn leave_out(&mut self, is_left_out: bool) {
        if is_left_out {
            self.lines.push((Tone::Dim, LEFT_OUT.to_owned()));
        }
    }
}

/// The lines of a text, with their ends.
struct Lines<'t>(Vec<&'t str>);

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        Lines(text.split_inclusive('\n').collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(shown: &ShownDiff) -> String {
        shown.lines.iter().map(|(_, line)| format!("{line}\n")).collect()
    }

    #[test]
    fn changed_lines_have_their_neighbours() {
        let old: String = (1..=20).map(|number| format!("line {number}\n")).collect();
        let new = old.replace("line 10\n", "line ten\nline 10b  \n");
        insta::assert_snapshot!(text(&ShownDiff::changes(&old, &new)), @r"
          ⋮
          line 7
          line 8
          line 9
        - line 10
        + line ten
        + line 10b··
          line 11
          line 12
          line 13
          ⋮
        ");
        assert_eq!(ShownDiff::whole(&old, &new).lines.len(), 22, "all of it");
        assert_eq!(ShownDiff::changes(&old, &old).lines, [(Tone::Dim, LEFT_OUT.to_owned())]);
    }

    #[test]
    fn a_difference_can_do_nothing_to_the_terminal() {
        let shown = ShownDiff::whole("a\x1b[2J\nb", "a\u{202e}\nb\n");
        assert!(shown.has_hidden);
        assert_eq!(text(&shown), "- a\\x1b[2J\n- b  (no line end)\n+ a\\u{202e}\n+ b\n");
    }
}
