use aqueduct_rules::{CommandMeaning, PathMeaning, PathRoot, Rule, RuleMeaning};

/// What a rule lets through, in words.
pub(super) fn describe(rule: &Rule) -> String {
    match rule.meaning() {
        RuleMeaning::Tool(tool) => whole(tool),
        RuleMeaning::McpServer(server) => format!("every tool of the MCP server {server}"),
        RuleMeaning::McpTool { server, tool } => format!("every call of {tool} of the MCP server {server}"),
        RuleMeaning::Command(commands) => command(&commands),
        RuleMeaning::Read(path) => format!("reading {}", place(path)),
        RuleMeaning::Edit(path) => format!("changing {}", place(path)),
        RuleMeaning::Fetch(host) => format!("fetching pages of {host}"),
        RuleMeaning::Subagent(kind) => format!("subagents of the kind {kind}"),
        RuleMeaning::Skill(skill) => format!("the skill {skill}"),
        RuleMeaning::Content { tool, content } => format!("{tool} with {content}"),
        _ => rule.to_string(),
    }
}

/// A rule for all calls of a tool.
fn whole(tool: &str) -> String {
    match tool {
        "Bash" => "every command".to_owned(),
        "Read" => "reading every file".to_owned(),
        "Edit" | "Write" => "changing every file".to_owned(),
        "WebFetch" => "fetching every page".to_owned(),
        tool => format!("every call of {tool}"),
    }
}

fn command(commands: &CommandMeaning) -> String {
    match commands {
        CommandMeaning::Every => whole("Bash"),
        CommandMeaning::Prefix(prefix) => format!("`{prefix}`, alone and with any arguments"),
        CommandMeaning::Wildcard(pattern) => format!("commands like `{pattern}`, where * is anything"),
        CommandMeaning::Exact(command) => format!("`{command}`, exactly so"),
        _ => "some commands".to_owned(),
    }
}

/// What a pattern of paths means.
fn place(PathMeaning { root, path, is_folder }: PathMeaning<'_>) -> String {
    let below = if is_folder { "everything in " } else { "" };
    let shown = match (root, path) {
        (PathRoot::FileSystem, path) => format!("/{path}"),
        (PathRoot::Home, "") => "~".to_owned(),
        (PathRoot::Home, path) => format!("~/{path}"),
        (PathRoot::Settings | PathRoot::Working, "") => "the project".to_owned(),
        // A name without a folder is meant in every folder.
        (PathRoot::Working, path) if path.contains('*') => path.to_owned(),
        (PathRoot::Settings | PathRoot::Working, path) => format!("{path} of the project"),
    };
    format!("{below}{shown}")
}
