/// Rules of a list on the command line: separated by commas or white space, except inside parentheses,
/// where both belong to the rule.
pub(super) fn split(list: &str) -> Vec<String> {
    let mut rules = vec![String::new()];
    let mut depth = 0usize;
    let mut escaped = false;
    for next in list.chars() {
        let ends = depth == 0 && (next == ',' || next.is_whitespace());
        if ends {
            rules.push(String::new());
        } else if let Some(rule) = rules.last_mut() {
            rule.push(next);
        }
        match next {
            _ if escaped => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = next == '\\' && !escaped;
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn commas_and_spaces_separate_outside_parentheses() {
        assert_eq!(
            split("Read, Edit  Bash(git commit:*),Bash(echo a, b)"),
            ["Read", "Edit", "Bash(git commit:*)", "Bash(echo a, b)"]
        );
        assert_eq!(split(r"Bash(echo \( , x) Read"), [r"Bash(echo \( , x)", "Read"]);
        assert_eq!(split(" ,, "), [""; 0]);
    }
}
