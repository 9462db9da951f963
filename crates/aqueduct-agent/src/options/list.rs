//! Lists on the command line.

/// Splits a list at commas and white space, except inside parentheses: `Bash(git log:*), Edit` has two entries.
/// A parenthesis behind a backslash is a character like any other.
pub(crate) fn split_list(text: &str) -> Vec<String> {
    let (mut entries, mut entry) = (Vec::new(), String::new());
    let (mut depth, mut escaped) = (0usize, false);
    for letter in text.chars() {
        if depth == 0 && (letter == ',' || letter.is_whitespace()) {
            entries.push(std::mem::take(&mut entry));
            continue;
        }
        if letter == '(' && entry.is_empty() {
            // `Bash (ls)` must not become `Bash`, which means all commands: it stays one entry, and is no rule.
            entries.retain(|entry: &String| !entry.is_empty());
            if let Some(before) = entries.pop() {
                entry = before + " ";
            }
        }
        entry.push(letter);
        match letter {
            _ if escaped => (),
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => (),
        }
        escaped = letter == '\\' && !escaped;
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
        assert_eq!(split_list(r"Bash(echo \( , x) Read"), [r"Bash(echo \( , x)", "Read"]);
        assert_eq!(split_list(" ,, "), [""; 0]);
        assert_eq!(split_list("Read Bash (ls:*), Edit"), ["Read", "Bash (ls:*)", "Edit"]);
        assert_eq!(split_list("(ls) Read"), ["(ls)", "Read"]);
    }
}
