//! Which occurrences of an event a hook is for.

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;

/// Names under which one tool is known.
const ALIASES: &[[&str; 2]] = &[["Task", "Agent"]];

/// Which occurrences of an event a hook is for.
#[derive(Debug, Clone)]
pub(crate) enum EventMatcher {
    /// All.
    All,
    /// Those with one of these names.
    Names(Vec<String>),
    /// Those in whose name this is found.
    Pattern(RegexMatcher),
}

/// A matcher is no regular expression.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum PatternError {
    /// It can't be parsed.
    #[error("{0}")]
    Syntax(regex_syntax::ast::ErrorKind),
    /// It can be parsed and has no meaning.
    #[error("{0}")]
    Meaning(regex_syntax::hir::ErrorKind),
    /// It can't be compiled.
    #[error(transparent)]
    Compile(grep_regex::Error),
}

impl PatternError {
    /// The kind of error of a pattern that can't be compiled. The error of the compiler has a drawing of the place in
    /// it, over several lines.
    fn new(pattern: &str, error: grep_regex::Error) -> Self {
        match regex_syntax::parse(pattern) {
            Err(regex_syntax::Error::Parse(error)) => PatternError::Syntax(error.kind().clone()),
            Err(regex_syntax::Error::Translate(error)) => PatternError::Meaning(error.kind().clone()),
            _ => PatternError::Compile(error),
        }
    }
}

impl EventMatcher {
    /// A matcher as people write it: nothing or `*` for all, a name, `A|B` for several names, or a regular
    /// expression.
    pub(crate) fn new(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        if text.is_empty() || text == "*" {
            return Ok(EventMatcher::All);
        }
        let is_plain = |letter: char| letter.is_alphanumeric() || "_-:|, ".contains(letter);
        if text.chars().all(is_plain) {
            let names = text.split(['|', ',']).map(str::trim).filter(|name| !name.is_empty());
            return Ok(EventMatcher::Names(names.map(str::to_owned).collect()));
        }
        RegexMatcher::new(text).map(EventMatcher::Pattern).map_err(|error| PatternError::new(text, error))
    }

    /// Whether the hook is for an occurrence; one that is about nothing concerns all.
    pub(crate) fn fits(&self, subject: Option<&str>) -> bool {
        let Some(subject) = subject else { return true };
        let aliases = ALIASES.iter().find(|names| names.contains(&subject));
        let mut names = aliases.map_or(std::slice::from_ref(&subject), |names| names.as_slice()).iter();
        match self {
            EventMatcher::All => true,
            EventMatcher::Names(known) => names.any(|name| known.iter().any(|known| known == name)),
            EventMatcher::Pattern(pattern) => {
                names.any(|name| pattern.is_match(name.as_bytes()).unwrap_or(false))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EventMatcher;

    #[track_caller]
    fn fits(matcher: &str, subject: &str) -> bool {
        EventMatcher::new(matcher).unwrap().fits(Some(subject))
    }

    #[test]
    fn names_are_whole_and_patterns_are_found_anywhere() {
        for all in
            ["", "*", " ", "Bash", "Read|Bash", " Bash | Read ", "Bash,Read", "B.*", "^Bash$", "Ba*", ".*"]
        {
            assert!(fits(all, "Bash"), "{all}");
        }
        for none in ["Ba", "bash", "Bash(ls:*)", "Read|Edit", "^ash"] {
            assert!(!fits(none, "Bash"), "{none}");
        }
        assert!(fits("mcp__files__.*", "mcp__files__read") && fits("claude-haiku-4-5", "claude-haiku-4-5"));
        assert!(fits("Task", "Agent") && fits("^Agent$", "Task") && !fits("Task", "TaskCreate"));
        assert!(EventMatcher::new("Read").unwrap().fits(None));
        assert!(EventMatcher::new("[").is_err() && EventMatcher::new("*sh").is_err());
    }
}
