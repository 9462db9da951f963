//! Links in the docs lead somewhere: the file is there, and so is the heading.

use super::finding::Finding;
use super::markdown;
use super::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files().filter(|file| file.path.ends_with(".md")).flat_map(|file| broken(tree, file)).collect()
}

fn broken(tree: &Tree, file: &File) -> Vec<Finding> {
    let judge = |link: markdown::Link<'_>| {
        if link.target.contains("://") || link.target.starts_with("mailto:") {
            return None;
        }
        let problem = resolve(tree, file, link.target)?;
        Some(Finding::error(&file.path, link.line, format!("broken link {}: {problem}", link.target)))
    };
    markdown::links(&file.text).into_iter().filter_map(judge).collect()
}

/// What is wrong with a relative link, if anything.
fn resolve(tree: &Tree, file: &File, target: &str) -> Option<String> {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (target, None),
    };
    let destination = match path {
        "" => file.path.clone(),
        _ => match join(&file.path, path) {
            Some(path) => path,
            None => return Some("it leads out of the repository".to_owned()),
        },
    };
    let is_directory = || {
        let prefix = format!("{}/", destination.trim_end_matches('/'));
        destination.is_empty() || tree.files().any(|other| other.path.starts_with(&prefix))
    };
    match (tree.get(&destination), anchor) {
        (None, None) if is_directory() => None,
        (None, _) => Some(format!("{destination} does not exist")),
        (Some(page), Some(anchor)) if page.path.ends_with(".md") => {
            let found = markdown::anchors(&page.text).iter().any(|name| name == anchor);
            (!found).then(|| format!("{destination} has no heading #{anchor}"))
        }
        (Some(_), _) => None,
    }
}

/// A link's path from the root; `None` if it climbs past it.
fn join(from: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = match link.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => from.rsplit_once('/').map_or(Vec::new(), |(dir, _)| dir.split('/').collect()),
    };
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn links_and_anchors_resolve() {
        let tree = Tree::of(&[
            (
                "README.md",
                "[a](docs/a.md#one) [b](docs/) [c](docs/none.md)\n[d](#top) [e](https://example.org)\n# Top",
            ),
            ("docs/a.md", "# One\n[up](../README.md) [out](../../x.md) [gone](a.md#two)\n"),
        ]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "README.md:1: broken link docs/none.md: docs/none.md does not exist",
                "docs/a.md:2: broken link ../../x.md: it leads out of the repository",
                "docs/a.md:2: broken link a.md#two: docs/a.md has no heading #two",
            ]
        );
    }
}
