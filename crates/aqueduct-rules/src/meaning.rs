//! What a rule means, for programs that show it to people.

use crate::bash_rule::BashRule;
use crate::domain;
use crate::pattern::{PathRoot, split_root};
use crate::rule::{McpName, Rule};
use crate::tool::{self, ToolKind};

/// Which calls a rule means.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleMeaning<'r> {
    /// Every call of a tool.
    Tool(&'r str),
    /// Every tool of an MCP server.
    McpServer(&'r str),
    /// Every call of a tool of an MCP server.
    McpTool {
        /// The server.
        server: &'r str,
        /// The tool, or a pattern of tools.
        tool: &'r str,
    },
    /// Some commands.
    Command(CommandMeaning),
    /// Reading some files.
    Read(PathMeaning<'r>),
    /// Changing some files.
    Edit(PathMeaning<'r>),
    /// Pages of a host.
    Fetch(&'r str),
    /// Subagents of a type.
    Subagent(&'r str),
    /// A skill.
    Skill(&'r str),
    /// Calls of a tool whose rules have no content that is known here.
    Content {
        /// The tool.
        tool: &'r str,
        /// The content.
        content: &'r str,
    },
}

/// Which commands a rule means.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandMeaning {
    /// Every command.
    Every,
    /// A command alone, and with any arguments.
    Prefix(String),
    /// Commands that match a text in which `*` is anything.
    Wildcard(String),
    /// One command.
    Exact(String),
}

/// Which files a rule means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathMeaning<'r> {
    /// What the path is relative to.
    pub root: PathRoot,
    /// The path below it.
    pub path: &'r str,
    /// Whether everything below the path is meant.
    pub is_folder: bool,
}

impl Rule {
    /// Which calls the rule means.
    pub fn meaning(&self) -> RuleMeaning<'_> {
        let tool = self.tool_name.as_str();
        if let Some(McpName { server, tool }) = McpName::of(tool) {
            return match tool {
                None | Some("" | "*") => RuleMeaning::McpServer(server),
                Some(tool) => RuleMeaning::McpTool { server, tool },
            };
        }
        let Some(content) = self.rule_content.as_deref() else { return RuleMeaning::Tool(tool) };
        match tool::kind(tool) {
            ToolKind::Shell => RuleMeaning::Command(CommandMeaning::of(content)),
            ToolKind::Read(_) => RuleMeaning::Read(PathMeaning::of(content)),
            ToolKind::Edit(_) => RuleMeaning::Edit(PathMeaning::of(content)),
            ToolKind::Fetch => RuleMeaning::Fetch(domain::of_rule(content)),
            ToolKind::Subagent => RuleMeaning::Subagent(content),
            ToolKind::Skill => RuleMeaning::Skill(content),
            ToolKind::Interactive | ToolKind::Harmless | ToolKind::Other => {
                RuleMeaning::Content { tool, content }
            }
        }
    }
}

impl CommandMeaning {
    fn of(content: &str) -> Self {
        match BashRule::new(content) {
            BashRule::Every => CommandMeaning::Every,
            BashRule::Prefix(prefix) => CommandMeaning::Prefix(prefix),
            BashRule::Wildcard(_, shorter) => match shorter.as_deref() {
                // `git status *` also means `git status`.
                Some(BashRule::Exact(prefix)) => CommandMeaning::Prefix(prefix.trim_end().to_owned()),
                _ => CommandMeaning::Wildcard(content.to_owned()),
            },
            BashRule::Exact(_) | BashRule::Nothing => CommandMeaning::Exact(content.to_owned()),
        }
    }
}

impl<'r> PathMeaning<'r> {
    fn of(content: &'r str) -> Self {
        let (root, path) = split_root(content);
        let path = path.strip_prefix("./").unwrap_or(path).trim_start_matches('/');
        match path.strip_suffix("/**") {
            Some(folder) => PathMeaning { root, path: folder, is_folder: true },
            None if path == "**" && root != PathRoot::Working => {
                PathMeaning { root, path: "", is_folder: true }
            }
            None => PathMeaning { root, path, is_folder: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_read_as_they_are_matched() {
        let path = |root, path, is_folder| PathMeaning { root, path, is_folder };
        let cases = [
            ("Read(//etc/hosts)", RuleMeaning::Read(path(PathRoot::FileSystem, "etc/hosts", false))),
            ("Read(~/notes/**)", RuleMeaning::Read(path(PathRoot::Home, "notes", true))),
            ("Edit(/**)", RuleMeaning::Edit(path(PathRoot::Settings, "", true))),
            ("Write(./src/*.rs)", RuleMeaning::Edit(path(PathRoot::Working, "src/*.rs", false))),
            ("Bash(*)", RuleMeaning::Command(CommandMeaning::Every)),
            ("Bash(npm run:*)", RuleMeaning::Command(CommandMeaning::Prefix("npm run".to_owned()))),
            ("Bash(npm run *)", RuleMeaning::Command(CommandMeaning::Prefix("npm run".to_owned()))),
            ("Bash(a * b *)", RuleMeaning::Command(CommandMeaning::Wildcard("a * b *".to_owned()))),
            ("Bash(ls)", RuleMeaning::Command(CommandMeaning::Exact("ls".to_owned()))),
            ("WebFetch(domain:example.com)", RuleMeaning::Fetch("example.com")),
            ("mcp__files", RuleMeaning::McpServer("files")),
            ("mcp__files__*", RuleMeaning::McpServer("files")),
            ("mcp__files__read", RuleMeaning::McpTool { server: "files", tool: "read" }),
            ("Agent(Explore)", RuleMeaning::Subagent("Explore")),
            ("Glob", RuleMeaning::Tool("Glob")),
        ];
        for (text, meaning) in cases {
            assert_eq!(Rule::parse(text).unwrap().meaning(), meaning, "{text}");
        }
    }
}
