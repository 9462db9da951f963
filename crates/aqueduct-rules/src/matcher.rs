//! What a rule looks at, compiled.

use crate::bash_rule::BashRule;
use crate::behavior::Behavior;
use crate::domain;
use crate::pattern::{MatchStrictness, Pattern, PatternRoots};
use crate::rule::{McpName, Rule};
use crate::tool::{self, ToolKind};

/// What a rule looks at.
#[derive(Debug, Clone)]
pub(crate) enum RuleMatcher {
    /// Every call of the tool.
    Tool,
    Bash(BashRule),
    File(Pattern),
    Domain(String),
    /// A subagent type or a skill, with or without arguments.
    Named(String),
}

impl RuleMatcher {
    /// Compiles a rule; `None` when its content can't be compared with anything.
    pub(crate) fn new(rule: &Rule, behavior: Behavior, roots: PatternRoots<'_>) -> Option<Self> {
        let Some(content) = &rule.rule_content else { return Some(Self::Tool) };
        let reach = if behavior == Behavior::Allow { MatchStrictness::Narrow } else { MatchStrictness::Wide };
        match tool::kind(&rule.tool_name) {
            ToolKind::Shell => Some(match BashRule::new(&spaced(content, reach)) {
                BashRule::Every => Self::Tool,
                rule => Self::Bash(rule),
            }),
            ToolKind::Read(_) | ToolKind::Edit(_) => Pattern::new(content, roots, reach).map(Self::File),
            ToolKind::Fetch => Some(Self::Domain(domain::of_rule(content).to_owned())),
            ToolKind::Subagent | ToolKind::Skill => Some(Self::Named(content.clone())),
            ToolKind::Interactive | ToolKind::Harmless | ToolKind::Other => None,
        }
    }
}

/// Commands are compared with single spaces between their words; a rule that forbids is read that way too.
fn spaced(content: &str, reach: MatchStrictness) -> String {
    match reach {
        MatchStrictness::Narrow => content.to_owned(),
        MatchStrictness::Wide => content.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// Whether a rule for a tool of an MCP server, or for all of them, means this tool.
pub(crate) fn mcp_covers(rule: &str, name: &str) -> bool {
    let Some(rest) = name.strip_prefix(rule.trim_end_matches('*')) else { return rule == name };
    if rule.ends_with('*') {
        return true;
    }
    // `mcp__server` names the server, and with it all its tools.
    let is_server = McpName::of(rule).is_some_and(|name| name.tool.is_none());
    rest.is_empty() || (is_server && rest.starts_with("__"))
}

/// Whether a rule names this subagent type or skill.
pub(crate) fn names(rule: &str, subject: &str, forbids: bool) -> bool {
    // A program that looks a name up may trim it first: then it must be forbidden, but it is not what was
    // allowed.
    let bare = |text: &'_ str| if forbids { text.trim().to_owned() } else { text.to_owned() };
    let plain = |text: &str| bare(text).trim_start_matches('/').to_owned();
    let rule = rule.strip_suffix(":*").or_else(|| rule.strip_suffix(" *")).unwrap_or(rule);
    let (rule, subject) = (plain(rule), plain(subject));
    rule == subject || rule == "*" || (forbids && rule.eq_ignore_ascii_case(&subject))
}
