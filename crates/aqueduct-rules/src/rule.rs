//! One permission rule as people write it.

use aqueduct_wire::permission::{RuleSyntaxError, RuleValue};

use crate::error::Error;
use crate::tool;

/// A rule that means something: the name of a tool and, optionally, which of its calls are meant.
///
/// `Bash`, `Bash(npm run test:*)`, `Read(~/notes/**)`, `WebFetch(domain:example.com)`, `mcp__files__read`.
/// On the wire it is a [`RuleValue`], which can also be one that no tool knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule {
    /// The tool, as written.
    pub tool_name: String,
    /// Which calls of the tool; `None` means all of them.
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
        Self::try_from(&text.parse::<RuleValue<'static>>()?).map_err(|error| match error {
            Error::Rule { problem, .. } => Error::Rule { rule: text.to_owned(), problem },
            other => other,
        })
    }

    /// Why no call is meant by this rule, if none is.
    fn problem(&self) -> Option<&'static str> {
        let name = self.tool_name.as_str();
        if let Some(name) = McpName::of(name) {
            return mcp_problem(name, self.rule_content.is_some());
        }
        if name.contains('*') {
            return Some("has a wildcard in the name of a tool that is not an MCP tool");
        }
        if tool::miscased(name).is_some() {
            return Some("names a tool in another case; names are compared as written, such as Bash or Read");
        }
        self.rule_content.as_deref().and_then(|content| tool::content_problem(name, content))
    }

    /// The tool name a broken rule was meant for, as far as it can be made out.
    pub(crate) fn intended_tool(text: &str) -> Option<&str> {
        let name = text.trim().split(['(', ')']).next().unwrap_or_default().trim();
        (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-'))
            .then(|| tool::miscased(name).unwrap_or(name))
    }
}

/// The parts of a name such as `mcp__files__read`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct McpName<'n> {
    pub(crate) server: &'n str,
    /// `None` where the name is that of a server.
    pub(crate) tool: Option<&'n str>,
}

impl<'n> McpName<'n> {
    /// `None` where it is not the name of an MCP server or of one of its tools.
    pub(crate) fn of(name: &'n str) -> Option<Self> {
        let rest = name.strip_prefix("mcp__")?;
        let (server, tool) =
            rest.split_once("__").map_or((rest, None), |(server, tool)| (server, Some(tool)));
        Some(McpName { server, tool })
    }
}

fn mcp_problem(McpName { server, .. }: McpName<'_>, has_content: bool) -> Option<&'static str> {
    if has_content {
        return Some("has content, but MCP tools are named whole");
    }
    if server.is_empty() || server.contains('*') {
        return Some("does not name the MCP server; write mcp__server or mcp__server__tool");
    }
    None
}

impl From<RuleSyntaxError> for Error {
    fn from(error: RuleSyntaxError) -> Self {
        Error::Rule { rule: error.rule, problem: error.problem }
    }
}

/// Rules that arrive as data must mean something: a person has just been shown them.
impl TryFrom<&RuleValue<'_>> for Rule {
    type Error = Error;

    fn try_from(value: &RuleValue<'_>) -> Result<Self, Error> {
        let rule = Self {
            tool_name: value.tool_name.to_string(),
            rule_content: value.rule_content.as_deref().map(str::to_owned),
        };
        match value.problem().or_else(|| rule.problem()) {
            Some(problem) => Err(Error::Rule { rule: value.to_string(), problem }),
            None => Ok(rule),
        }
    }
}

impl From<Rule> for RuleValue<'static> {
    fn from(rule: Rule) -> Self {
        let mut value = RuleValue::new(rule.tool_name);
        value.rule_content = rule.rule_content.map(Into::into);
        value
    }
}

impl<'a> From<&'a Rule> for RuleValue<'a> {
    fn from(rule: &'a Rule) -> Self {
        let mut value = RuleValue::new(rule.tool_name.as_str());
        value.rule_content = rule.rule_content.as_deref().map(Into::into);
        value
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        RuleValue::from(self).fmt(f)
    }
}

impl std::str::FromStr for Rule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}
