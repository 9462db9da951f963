//! What checks need of a Markdown file: its prose, links, headings and anchors.

/// A link's target and the line it is on.
pub(super) struct Link<'a> {
    pub(super) line: usize,
    pub(super) target: &'a str,
}

/// Inline links, images and reference definitions, outside code.
pub(super) fn links(text: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    for (line, content) in prose(text) {
        if let Some(target) = definition(content) {
            links.push(Link { line, target });
            continue;
        }
        for (at, _) in content.match_indices("](") {
            if in_code(content, at) {
                continue;
            }
            let rest = &content[at + 2..];
            let Some(end) = rest.find(')') else { continue };
            // A title may follow the target: [text](target "title").
            if let Some(target) = rest[..end].split_whitespace().next() {
                links.push(Link { line, target: target.trim_matches(|c| c == '<' || c == '>') });
            }
        }
    }
    links
}

/// The anchors that headings make, as GitHub names them: repeats get `-1`, `-2`.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        if let Some((_, title)) = heading(line) {
            let slug = slug(title);
            let repeats = anchors.iter().filter(|anchor| is_repeat(anchor, &slug)).count();
            anchors.push(if repeats == 0 { slug } else { format!("{slug}-{repeats}") });
        }
        for mark in ["<a id=\"", "<a name=\""] {
            if let Some((_, rest)) = line.split_once(mark) {
                anchors.extend(rest.split_once('"').map(|(id, _)| id.to_owned()));
            }
        }
    }
    anchors
}

/// The level and the title of a line that is a heading.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ')).then(|| (level, title.trim()))
}

fn is_repeat(anchor: &str, slug: &str) -> bool {
    let number = anchor.strip_prefix(slug).map(|rest| rest.trim_start_matches('-'));
    number.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

fn slug(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The lines that are not inside a fenced block.
pub(super) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, None) => return Some((index + 1, line)),
        }
        None
    })
}

fn definition(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix('[')?.split_once("]: ")?;
    rest.split_whitespace().next()
}

fn in_code(line: &str, at: usize) -> bool {
    line[..at].matches('`').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_code() {
        let text =
            "see [a](x.md) and ![b](y.png \"title\")\n```\n[no](z.md)\n```\n`[no](q.md)`\n[ref]: docs/r.md\n";
        let found: Vec<_> = links(text).into_iter().map(|link| (link.line, link.target)).collect();
        assert_eq!(found, [(1, "x.md"), (1, "y.png"), (6, "docs/r.md")]);
    }

    #[test]
    fn anchors_are_named_as_on_the_page() {
        let text = "# Tools & `hooks`\n## More\n## More\n```\n# no\n```\n<a id=\"here\"></a>\n";
        assert_eq!(anchors(text), ["tools--hooks", "more", "more-1", "here"]);
    }
}
