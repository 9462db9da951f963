use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use ignore::Error;
use ignore::overrides::{Override, OverrideBuilder};

/// Which paths are looked for.
pub(super) struct PathPattern {
    globs: Override,
    /// The ends of names, if a path matches at any depth whose name ends with one of them. Most patterns are such, and
    /// comparing the end of a path is much cheaper than matching it.
    endings: Option<Vec<String>>,
}

impl PathPattern {
    /// A pattern for paths below a folder.
    pub(super) fn new(folder: &Path, pattern: &str) -> Result<Self, Error> {
        let mut globs = OverrideBuilder::new(folder);
        globs.add(pattern)?;
        Ok(PathPattern { globs: globs.build()?, endings: endings(pattern) })
    }

    /// Whether a file matches.
    pub(super) fn matches(&self, path: &Path) -> bool {
        match &self.endings {
            // There is no slash in an ending, so it is compared with the name alone.
            Some(endings) => {
                let path = path.as_os_str().as_bytes();
                endings.iter().any(|ending| path.ends_with(ending.as_bytes()))
            }
            None => !self.globs.matched(path, false).is_ignore(),
        }
    }

    /// Whether files in a folder may match.
    pub(super) fn enters(&self, folder: &Path) -> bool {
        self.endings.is_some() || !self.globs.matched(folder, true).is_ignore()
    }
}

/// The ends of names that a pattern such as `*.rs`, `/**/*` or `/**/*.{ts,tsx}` is about; `None` for all other patterns.
fn endings(pattern: &str) -> Option<Vec<String>> {
    let is_literal = |text: &str| !text.contains(['*', '?', '[', ']', '{', '}', '\\', '!', '/', ',']);
    let name = pattern.strip_prefix("/**/").unwrap_or(pattern).strip_prefix('*')?;
    // Spaces at the end of a pattern don't count.
    if name.ends_with(char::is_whitespace) {
        return None;
    }
    if is_literal(name) {
        return Some(vec![name.to_owned()]);
    }
    let (before, rest) = name.split_once('{')?;
    let (choices, after) = rest.split_once('}')?;
    let choices: Vec<&str> = choices.split(',').collect();
    let is_simple = |choice: &&str| !choice.is_empty() && is_literal(choice);
    let is_simple = is_literal(before) && is_literal(after) && choices.iter().all(is_simple);
    is_simple.then(|| choices.iter().map(|choice| format!("{before}{choice}{after}")).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn common_patterns_are_about_endings() {
        let of = |pattern| endings(pattern).map(|endings| endings.join(" "));
        assert_eq!(of("*.rs").as_deref(), Some(".rs"));
        assert_eq!(of("/**/*").as_deref(), Some(""));
        assert_eq!(of("/**/*.test.{ts,tsx}").as_deref(), Some(".test.ts .test.tsx"));
        for pattern in
            ["/*.rs", "**/a", "!*.rs", "*.r?", "*.{a,{b,c}}", "*.{a,}", "*.rs ", "*.rs/", "*\\.rs", "/**/a/*"]
        {
            assert_eq!(of(pattern), None, "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn endings_match_what_the_pattern_matches(
            start in prop::sample::select(vec!["*", "/**/*", "/*", "**/*", "", "!*"]),
            pattern in "[ab. #,{}é*]{0,6}|[ab.]{0,2}[{][ab.,]{1,5}[}][ab.]{0,2}",
            paths in prop::collection::vec("[ab.é\n #,{}]{1,4}(/[ab.é\n #,{}]{1,6}){0,2}", 1..12),
        ) {
            let folder = Path::new("/p");
            let quick = PathPattern::new(folder, &format!("{start}{pattern}"));
            prop_assume!(quick.is_ok());
            let quick = quick.unwrap();
            for path in paths.iter().map(|path| folder.join(path)) {
                prop_assert_eq!(quick.matches(&path), !quick.globs.matched(&path, false).is_ignore(), "{:?}", path);
                prop_assert_eq!(quick.enters(&path), !quick.globs.matched(&path, true).is_ignore(), "{:?}", path);
            }
        }
    }
}
