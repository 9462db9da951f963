//! Rules as people write them: `Bash`, `Bash(npm run test:*)`, `Read(~/notes/**)`.
//!
//! The content is between the first parenthesis and the last. Parentheses inside it may be escaped with a backslash but
//! need not be.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::RuleValue;
use crate::hint::{Hint, HintedError};
use crate::json::Str;

/// A text that is not a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rule `{rule}` {problem}")]
pub struct RuleSyntaxError {
    /// The text as it was written.
    pub rule: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl HintedError for RuleSyntaxError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::clause("write it as `Tool` or `Tool(content)`"))
    }
}

impl<'a> RuleValue<'a> {
    /// A rule for some calls of a tool.
    pub fn with_content(tool_name: impl Into<Str<'a>>, content: impl Into<Str<'a>>) -> Self {
        let mut rule = RuleValue::new(tool_name);
        rule.rule_content = Some(content.into());
        rule
    }

    /// Why this is not a rule for any tool, if it is not: its name or its content is empty, or no tool has
    /// such a name.
    pub fn problem(&self) -> Option<&'static str> {
        let name = self.tool_name.as_str();
        if name.is_empty() {
            return Some("has no tool name");
        }
        if !name.chars().all(|c| c.is_alphanumeric() || "_-.*/:@".contains(c)) {
            return Some("has a tool name with a character that no tool name has");
        }
        let is_blank = |content: &Str<'_>| content.trim().is_empty();
        self.rule_content.as_ref().is_some_and(is_blank).then_some("has nothing between its parentheses")
    }
}

impl FromStr for RuleValue<'static> {
    type Err = RuleSyntaxError;

    fn from_str(text: &str) -> Result<Self, RuleSyntaxError> {
        let wrong = |problem| RuleSyntaxError { rule: text.to_owned(), problem };
        let text = text.trim();
        let rule = match text.split_once('(') {
            None if text.contains(')') => return Err(wrong("closes a parenthesis it never opened")),
            None => RuleValue::new(text.to_owned()),
            Some((tool, rest)) => {
                let Some(content) = rest.strip_suffix(')').filter(|rest| !ends_escaped(rest)) else {
                    return Err(wrong("does not end with the parenthesis that closes its content"));
                };
                if closes_early(content) {
                    let problem =
                        "continues after its content is closed; write `\\)` for a parenthesis in it";
                    return Err(wrong(problem));
                }
                RuleValue::with_content(tool.to_owned(), unescape(content))
            }
        };
        rule.problem().map_or(Ok(rule), |problem| Err(wrong(problem)))
    }
}

/// Whether the text ends in a backslash that escapes whatever would follow.
fn ends_escaped(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Whether a parenthesis in the content, as written, closes one that was opened before it.
fn closes_early(content: &str) -> bool {
    let mut depth = 0_usize;
    let mut chars = content.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.as_str().starts_with(['(', ')', '\\']) => {
                chars.next();
            }
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
    }
    false
}

fn unescape(content: &str) -> String {
    let mut plain = String::with_capacity(content.len());
    let mut chars = content.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(&next) if c == '\\' && matches!(next, '(' | ')' | '\\') => {
                plain.push(next);
                chars.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}

impl fmt::Display for RuleValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tool_name)?;
        let Some(content) = self.rule_content.as_deref() else { return Ok(()) };
        f.write_str("(")?;
        if !content.contains(['(', ')', '\\']) {
            f.write_str(content)?;
            return f.write_str(")");
        }
        let escapes = closes_early(&content.replace('\\', ""));
        let mut chars = content.chars().peekable();
        while let Some(c) = chars.next() {
            if escapes && matches!(c, '(' | ')') {
                f.write_str("\\")?;
            }
            // A backslash is doubled only where it would otherwise escape what follows it.
            if c == '\\' && matches!(chars.peek(), None | Some('(' | ')' | '\\')) {
                f.write_str("\\")?;
            }
            f.write_char(c)?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_as_they_are_read() {
        for text in ["Bash", "Bash(npm run test:*)", "Bash(echo (a))", "Bash(echo \\))", "mcp__files__read"] {
            assert_eq!(text.parse::<RuleValue<'_>>().unwrap().to_string(), text);
        }
        let rule: RuleValue<'_> = " Bash(a \\( b) ".parse().unwrap();
        assert_eq!(rule.rule_content.as_deref(), Some("a ( b"));
    }

    #[test]
    fn errors_name_what_to_write() {
        for (text, problem) in [
            ("", "has no tool name"),
            ("Bash(x", "does not end with the parenthesis that closes its content"),
            ("Bash)", "closes a parenthesis it never opened"),
            ("Bash( )", "has nothing between its parentheses"),
            ("a b(x)", "has a tool name with a character that no tool name has"),
        ] {
            assert_eq!(text.parse::<RuleValue<'_>>().unwrap_err().problem, problem, "{text}");
        }
    }
}
