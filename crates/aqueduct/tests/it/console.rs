//! Console examples on pages.

/// The console blocks of a page: commands, each with the lines it prints. A line that begins with `> ` continues with
/// the command. `…` matches anything; on a line of its own, for any lines.
pub(crate) fn blocks(page: &str) -> Vec<Vec<(String, Vec<&str>)>> {
    let blocks = page.split("```console\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
    let examples = blocks.map(|(block, _)| {
        let mut examples: Vec<(String, Vec<&str>)> = Vec::new();
        for line in block.lines() {
            match (line.strip_prefix("$ "), line.strip_prefix("> "), examples.last_mut()) {
                (Some(command), _, _) => examples.push((command.to_owned(), Vec::new())),
                (None, Some(more), Some((command, output))) if output.is_empty() => {
                    command.push('\n');
                    command.push_str(more);
                }
                (None, _, Some((_, output))) => output.push(line),
                (None, _, None) => panic!("a block begins with a command, not with {line}"),
            }
        }
        examples
    });
    examples.collect()
}

/// Whether a text matches a pattern with `…`.
pub(crate) fn fits(pattern: &str, text: &str) -> bool {
    let mut parts: Vec<&str> = pattern.split('…').collect();
    let last = parts.pop().unwrap_or_default();
    let Some((first, parts)) = parts.split_first() else { return last == text };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn patterns_match_their_text() {
    assert!(fits("a…b…c", "a1b2c") && fits("abc", "abc") && fits("…", "") && fits("a…", "a\nb"));
    assert!(!fits("a…b", "ab!") && !fits("abc", "abcd") && !fits("a…b…c", "acb"));
}
