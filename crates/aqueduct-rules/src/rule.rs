//! One permission rule as people write it.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::tool;

/// A rule: the name of a tool and, optionally, which of its calls are meant.
///
/// `Bash`, `Bash(npm run test:*)`, `Read(~/notes/**)`, `WebFetch(domain:example.com)`, `mcp__files__read`.
/// The content stands between the first parenthesis and the last; parentheses inside it may be escaped
/// with a backslash but need not be.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// The tool, as written.
    pub tool_name: String,
    /// Which calls of the tool; `None` means all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

impl Rule {
    /// A rule for every call of a tool.
    pub fn tool(name: impl Into<String>) -> Self {
        Self { tool_name: name.into(), rule_content: None }
    }

    /// A rule for some calls of a tool.
    pub fn with_content(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self { tool_name: name.into(), rule_content: Some(content.into()) }
    }

    /// Reads a rule as people write it.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let problem = |problem| Error::Rule { rule: text.to_owned(), problem };
        let text = text.trim();
        let rule = match text.find('(') {
            None if text.contains(')') => return Err(problem("closes a parenthesis it never opened")),
            None => Self::tool(text),
            Some(open) => {
                let Some(content) = text[open + 1..].strip_suffix(')').filter(|rest| !ends_escaped(rest))
                else {
                    return Err(problem("does not end with the parenthesis that closes its content"));
                };
                if closes_early(content) {
                    return Err(problem(
                        "goes on after its content is closed; write `\\)` for a parenthesis in it",
                    ));
                }
                Self::with_content(&text[..open], unescape(content))
            }
        };
        rule.problem().map_or(Ok(rule), |found| Err(problem(found)))
    }

    /// Why this rule can't mean anything, if it can't. Rules that arrive as data are checked with this too.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let name = self.tool_name.as_str();
        if name.is_empty() {
            return Some("has no tool name");
        }
        let plain = |c: char| c.is_alphanumeric() || "_-.*/:@".contains(c);
        if !name.chars().all(plain) {
            return Some("has a tool name with a character that no tool name has");
        }
        if let Some(rest) = name.strip_prefix("mcp__") {
            return mcp_problem(rest, self.rule_content.is_some());
        }
        if name.contains('*') {
            return Some("has a wildcard in the name of a tool that is not an MCP tool");
        }
        if tool::miscased(name).is_some() {
            return Some("names a tool in another case; names are compared as written, such as Bash or Read");
        }
        match self.rule_content.as_deref() {
            Some(blank) if blank.trim().is_empty() => Some("has nothing between its parentheses"),
            Some(content) => tool::content_problem(name, content),
            None => None,
        }
    }

    /// The tool name a broken rule was meant for, as far as it can be made out.
    pub(crate) fn intended_tool(text: &str) -> Option<&str> {
        let name = text.trim().split(['(', ')']).next().unwrap_or_default().trim();
        (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-'))
            .then(|| tool::miscased(name).unwrap_or(name))
    }
}

fn mcp_problem(rest: &str, has_content: bool) -> Option<&'static str> {
    if has_content {
        return Some("has content, but MCP tools are named whole");
    }
    let server = rest.split("__").next().unwrap_or_default();
    if server.is_empty() || server.contains('*') {
        return Some("does not name the MCP server; write mcp__server or mcp__server__tool");
    }
    None
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

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.tool_name)?;
        let Some(content) = &self.rule_content else { return Ok(()) };
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

impl std::str::FromStr for Rule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}
