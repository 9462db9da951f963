//! The lines that only one of two lists has, by their longest common subsequence.

/// A line that only one side has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    OnlyReference(String),
    OnlyAgent(String),
}

impl Change {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::OnlyReference(text) | Self::OnlyAgent(text) => text,
        }
    }

    /// As in a unified diff.
    pub(super) fn mark(&self) -> char {
        match self {
            Self::OnlyReference(_) => '-',
            Self::OnlyAgent(_) => '+',
        }
    }
}

pub(super) fn changes(reference: &[String], agent: &[String]) -> Vec<Change> {
    let (rows, columns) = (reference.len(), agent.len());
    // common[row][column]: how many lines the rests from there have in common.
    let mut common = vec![vec![0_usize; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            common[row][column] = match reference[row] == agent[column] {
                true => common[row + 1][column + 1] + 1,
                false => common[row + 1][column].max(common[row][column + 1]),
            };
        }
    }
    let (mut row, mut column, mut changes) = (0, 0, Vec::new());
    while row < rows || column < columns {
        if row < rows && column < columns && reference[row] == agent[column] {
            (row, column) = (row + 1, column + 1);
        } else if column == columns || (row < rows && common[row + 1][column] >= common[row][column + 1]) {
            changes.push(Change::OnlyReference(reference[row].clone()));
            row += 1;
        } else {
            changes.push(Change::OnlyAgent(agent[column].clone()));
            column += 1;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.chars().map(String::from).collect()
    }

    #[test]
    fn only_what_differs_is_listed() {
        let found = changes(&lines("abcd"), &lines("axcde"));
        assert_eq!(
            found,
            [Change::OnlyReference("b".into()), Change::OnlyAgent("x".into()), Change::OnlyAgent("e".into()),]
        );
        assert_eq!(changes(&lines("same"), &lines("same")), []);
        assert_eq!(changes(&[], &lines("a")), [Change::OnlyAgent("a".into())]);
    }
}
