//! File patterns in the manner of gitignore.

use std::borrow::Cow;

use crate::folding::folded;
use crate::glob::{GlobToken, intersect, matches_tokens, tokens};
use crate::path;

/// Patterns with more names between slashes than this are refused.
const MAX_SEGMENTS: usize = 60;

/// Where patterns of one source are rooted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PatternRoots<'a> {
    pub(crate) home: Option<&'a str>,
    /// The folder that `/x` is counted from: the project for its own settings, the configuration folder
    /// for the user's.
    pub(crate) settings: &'a str,
}

/// How willing a pattern is to match. What forbids must not be dodged by spelling, what permits must not
/// be stretched by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchStrictness {
    /// For allow rules: exact case, and `dir/**` means that directory of the root.
    Narrow,
    /// For deny and ask rules: any case, and `dir/**` means any directory of that name.
    Wide,
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    base: PatternBase,
    segments: Vec<Segment>,
    reach: MatchStrictness,
    /// Whether it was written as a directory.
    directory: bool,
}

#[derive(Debug, Clone)]
enum PatternBase {
    /// A fixed directory.
    Fixed(String),
    /// The working directory, and for wide patterns every working directory.
    Working,
}

#[derive(Debug, Clone)]
enum Segment {
    /// `**`
    Deep,
    Literal(String),
    Glob(Vec<GlobToken>),
}

/// What the path of a rule is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathRoot {
    /// The root of the file system: `//etc/hosts`.
    FileSystem,
    /// The user's home: `~/notes`.
    Home,
    /// Where the settings are: `/src`.
    Settings,
    /// The working directory: `src`.
    Working,
}

/// What a pattern is relative to, and the rest of it.
pub(crate) fn split_root(content: &str) -> (PathRoot, &str) {
    if let Some(rest) = content.strip_prefix("//") {
        (PathRoot::FileSystem, rest)
    } else if content == "~" || content.starts_with("~/") {
        (PathRoot::Home, &content[1..])
    } else if let Some(rest) = content.strip_prefix('/') {
        (PathRoot::Settings, rest)
    } else {
        (PathRoot::Working, content)
    }
}

impl Pattern {
    /// Compiles the content of a file rule. `None` when it can match nothing, such as `~/x` without a home.
    pub(crate) fn new(content: &str, roots: PatternRoots<'_>, reach: MatchStrictness) -> Option<Self> {
        let (root, rest) = split_root(content);
        let base = match root {
            PathRoot::FileSystem => PatternBase::Fixed("/".to_owned()),
            PathRoot::Home => PatternBase::Fixed(path::lexical(roots.home?)),
            PathRoot::Settings => PatternBase::Fixed(path::lexical(roots.settings)),
            PathRoot::Working => PatternBase::Working,
        };
        // A pattern that leaves its root is the same pattern with another root.
        let rest = rest.strip_prefix("./").unwrap_or(rest);
        let names: Vec<&str> = rest.split('/').filter(|name| !name.is_empty() && *name != ".").collect();
        let (base, names) = climb(base, names)?;
        let anchored = !matches!(base, PatternBase::Working);
        let mut segments: Vec<Segment> = names.iter().map(|name| segment(name, reach)).collect();
        let ends_deep = matches!(segments.last(), Some(Segment::Deep));
        let named = segments.len() - usize::from(ends_deep);
        let floats = named <= 1 && (!ends_deep || reach == MatchStrictness::Wide);
        if ends_deep && segments.len() > 1 {
            // Everything below a match is matched, so a trailing `**` only marks it as a directory.
            if reach == MatchStrictness::Wide {
                segments.pop();
            }
        }
        if segments.len() > MAX_SEGMENTS {
            return None;
        }
        if floats && !anchored && !matches!(segments.first(), Some(Segment::Deep)) {
            segments.insert(0, Segment::Deep);
        }
        let directory = ends_deep || content.ends_with('/');
        Some(Self { base, segments, reach, directory })
    }

    /// Whether a normalized path matches, or is below a directory that does.
    pub(crate) fn matches(&self, path: &str, working: &[String]) -> bool {
        self.compare(path, working, false)
    }

    /// Whether a path with shell wildcards in it could become one that matches. `**` matches any folders,
    /// and at the end for everything below, hidden files included.
    pub(crate) fn could_match(&self, glob: &str, working: &[String]) -> bool {
        self.compare(glob, working, true)
    }

    fn compare(&self, path: &str, working: &[String], glob: bool) -> bool {
        let path = self.folded(path);
        let is_below = |base: &str| {
            let base = self.folded(base);
            if glob && path.contains(['*', '?', '[']) {
                return self.could_be_below(&path, &base);
            }
            let rest = path::below(&path, &base);
            rest.is_some_and(|rest| matches_segments(&self.segments, rest, glob, self.directory))
        };
        match &self.base {
            PatternBase::Fixed(base) => is_below(base),
            PatternBase::Working => {
                let bases = if self.reach == MatchStrictness::Wide {
                    working
                } else {
                    &working[..working.len().min(1)]
                };
                bases.iter().any(|base| is_below(base))
            }
        }
    }

    /// The text as this pattern compares it: wide patterns ignore case.
    fn folded<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.reach == MatchStrictness::Wide { folded(text) } else { text.into() }
    }

    /// Whether a path with wildcards could be below a directory and match there.
    fn could_be_below(&self, path: &str, base: &str) -> bool {
        let names = |text| str::split(text, '/').filter(|name: &&str| !name.is_empty());
        let mut path = names(path);
        for directory in names(base) {
            match path.next() {
                Some("**") => return true,
                Some(name) if matches_literal(directory, name, true) => {}
                _ => return false,
            }
        }
        matches_segments(&self.segments, &path.collect::<Vec<_>>().join("/"), true, self.directory)
    }

    /// The one file or folder that the pattern names, if it has no wildcards besides a `**` at its end.
    pub(crate) fn named(&self, working: &[String]) -> Option<String> {
        let base = match &self.base {
            PatternBase::Fixed(base) => base,
            PatternBase::Working => working.first()?,
        };
        let mut path = base.trim_end_matches('/').to_owned();
        for (at, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Literal(name) => {
                    path.push('/');
                    path.push_str(name);
                }
                Segment::Deep if at + 1 == self.segments.len() => {}
                // A name alone means any depth; at the root of its folder it names one file.
                Segment::Deep if at == 0 && self.segments.len() == 2 => {}
                _ => return None,
            }
        }
        Some(path)
    }

    /// A name that every matching path has among its components, if there is one. Below the pattern's root,
    /// that is; a root is compared by itself.
    pub(crate) fn required_name(&self) -> Option<&str> {
        self.segments.iter().find_map(|segment| match segment {
            Segment::Literal(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

fn climb(base: PatternBase, names: Vec<&str>) -> Option<(PatternBase, Vec<&str>)> {
    if !names.contains(&"..") {
        return Some((base, names));
    }
    // Only leading `..` of a fixed root can be followed; elsewhere the pattern has no certain meaning.
    let PatternBase::Fixed(root) = base else { return None };
    let ups = names.iter().take_while(|name| **name == "..").count();
    let rest = names[ups..].to_vec();
    if rest.contains(&"..") {
        return None;
    }
    let root = (0..ups).fold(root, |root, _| path::parent(&root).to_owned());
    Some((PatternBase::Fixed(root), rest))
}

fn segment(name: &str, reach: MatchStrictness) -> Segment {
    if name == "**" {
        return Segment::Deep;
    }
    let is_glob = name.contains(['*', '?', '[', '\\']);
    match reach {
        MatchStrictness::Wide if is_glob => Segment::Glob(tokens(&name.to_lowercase())),
        MatchStrictness::Wide => Segment::Literal(folded(name).into_owned()),
        MatchStrictness::Narrow if is_glob => Segment::Glob(tokens(name)),
        MatchStrictness::Narrow => Segment::Literal(name.to_owned()),
    }
}

/// Whether the segments match the path or one of the directories above it.
fn matches_segments(segments: &[Segment], path: &str, glob: bool, directory: bool) -> bool {
    // Bit `i`: the first `i` segments have matched the components seen so far.
    let (all, whole) = (segments.len(), 1_u64 << segments.len());
    let skip_deep = |mut reached: u64| {
        for (index, segment) in segments.iter().enumerate() {
            if reached >> index & 1 == 1 && matches!(segment, Segment::Deep) {
                reached |= 1 << (index + 1);
            }
        }
        reached
    };
    let mut reached = skip_deep(1);
    if all == 0 {
        return true;
    }
    let mut components = path.split('/').filter(|component| !component.is_empty()).peekable();
    while let Some(component) = components.next() {
        if glob && component == "**" {
            if components.peek().is_none() {
                return true;
            }
            reached = skip_deep(through_folders(segments, reached, directory));
            if reached & whole != 0 {
                return true;
            }
            continue;
        }
        let mut next = 0;
        for (index, segment) in segments.iter().enumerate().filter(|(index, _)| reached >> index & 1 == 1) {
            match segment {
                Segment::Deep => next |= 1 << index,
                other if matches_component(other, component, glob) => next |= 1 << (index + 1),
                _ => {}
            }
        }
        reached = skip_deep(next);
        if reached & whole != 0 {
            return true;
        }
        if reached == 0 {
            return false;
        }
    }
    false
}

/// The segments that any number of folders may have matched. That the last name of a pattern is one of them is
/// likely only where it is meant as a folder, or where it is not hidden.
fn through_folders(segments: &[Segment], mut reached: u64, directory: bool) -> u64 {
    for (index, segment) in segments.iter().enumerate() {
        let is_last = index + 1 == segments.len();
        let is_folder = directory || matches!(segment, Segment::Literal(name) if !name.contains('.'));
        if reached >> index & 1 == 1 && (!is_last || is_folder) {
            reached |= 1 << (index + 1);
        }
    }
    reached
}

fn matches_component(segment: &Segment, component: &str, glob: bool) -> bool {
    match segment {
        Segment::Deep => true,
        Segment::Literal(literal) => matches_literal(literal, component, glob),
        Segment::Glob(pattern) if glob && is_wild(component) => intersect(pattern, &tokens(component)),
        Segment::Glob(pattern) => matches_tokens(pattern, component.chars()),
    }
}

fn matches_literal(literal: &str, component: &str, glob: bool) -> bool {
    if !glob || !is_wild(component) {
        return literal == component;
    }
    // The shell's wildcards don't match a leading dot; git's do, and are written with two stars.
    let hidden = literal.starts_with('.') && !component.starts_with('.') && !component.starts_with("**");
    !hidden && matches_tokens(&tokens(component), literal.chars())
}

fn is_wild(name: &str) -> bool {
    name.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'['))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, reach: MatchStrictness, path: &str) -> bool {
        let roots = PatternRoots { home: Some("/home/me"), settings: "/home/me/.claude" };
        Pattern::new(content, roots, reach)
            .is_some_and(|pattern| pattern.matches(path, &["/proj".to_owned(), "/more".to_owned()]))
    }

    #[test]
    fn roots() {
        assert!(check("//etc/**", MatchStrictness::Narrow, "/etc/hostname"));
        assert!(check("~/.ssh/**", MatchStrictness::Wide, "/home/me/.ssh"));
        assert!(check("/foo", MatchStrictness::Narrow, "/home/me/.claude/foo"));
        assert!(check("src/**", MatchStrictness::Narrow, "/proj/src/a.rs"));
        assert!(!check("src/**", MatchStrictness::Narrow, "/proj/x/src/a.rs"));
        assert!(check("src/**", MatchStrictness::Wide, "/proj/x/src/a.rs"));
        assert!(!check("/src/**", MatchStrictness::Wide, "/proj/src/a.rs"));
    }

    #[test]
    fn floating_names_and_directories() {
        assert!(check("*.txt", MatchStrictness::Narrow, "/proj/a/b.txt"));
        assert!(check("./.env", MatchStrictness::Wide, "/proj/src/.ENV"));
        assert!(!check("./.env", MatchStrictness::Narrow, "/proj/src/.ENV"));
        assert!(check("qux/", MatchStrictness::Wide, "/proj/x/qux/y"));
        assert!(check("*.pem", MatchStrictness::Wide, "/more/a.pem"));
        assert!(!check("*.pem", MatchStrictness::Narrow, "/more/a.pem"));
        assert!(!check("a/*/c", MatchStrictness::Narrow, "/proj/a/b/d/c"));
        assert!(check("a/**/c", MatchStrictness::Narrow, "/proj/a/b/d/c"));
        assert!(check("**", MatchStrictness::Narrow, "/proj/a"));
        assert!(!check("**", MatchStrictness::Narrow, "/etc/a"));
        assert!(check("[a-c]?.rs", MatchStrictness::Narrow, "/proj/b1.rs"));
        assert!(!check("[!a-c]?.rs", MatchStrictness::Narrow, "/proj/b1.rs"));
    }

    #[test]
    fn wildcards_that_could_become_a_match() {
        let roots = PatternRoots { home: None, settings: "/proj" };
        let could = |content, glob| {
            Pattern::new(content, roots, MatchStrictness::Wide)
                .is_some_and(|pattern| pattern.could_match(glob, &["/proj".to_owned()]))
        };
        assert!(could(".env", "/proj/.e*"));
        assert!(could(".env", "/proj/.en?"));
        assert!(!could(".env", "/proj/*"));
        assert!(!could(".env", "/proj/*.rs"));
        assert!(could("*.pem", "/proj/s*"));
        assert!(could("//etc/passwd", "/etc/p*"));
    }
}
