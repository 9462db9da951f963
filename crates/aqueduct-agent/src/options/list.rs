//! Lists on the command line.

/// Splits a list at commas and spaces, except inside parentheses: `Bash(git log:*), Edit` has two entries.
pub(crate) fn split_list(text: &str) -> Vec<String> {
    let (mut entries, mut entry, mut depth) = (Vec::new(), String::new(), 0usize);
    for letter in text.chars() {
        match letter {
            ',' | ' ' | '\t' | '\n' if depth == 0 => entries.push(std::mem::take(&mut entry)),
            _ => {
                match letter {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => (),
                }
                entry.push(letter);
            }
        }
    }
    entries.push(entry);
    entries.retain(|entry| !entry.is_empty());
    entries
}

#[cfg(test)]
mod tests {
    use super::split_list;

    #[test]
    fn splits_outside_parentheses() {
        assert_eq!(split_list("Bash(git log:*), Edit Read,,"), ["Bash(git log:*)", "Edit", "Read"]);
        assert_eq!(split_list("Bash(a (b, c) d)"), ["Bash(a (b, c) d)"]);
        assert_eq!(split_list(" "), [""; 0]);
    }
}
