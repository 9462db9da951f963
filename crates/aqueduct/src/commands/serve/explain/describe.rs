use aqueduct_rules::Rule;

/// What a rule lets through, in words.
pub(super) fn describe(rule: &Rule) -> String {
    let Some(content) = rule.rule_content.as_deref() else { return whole(&rule.tool_name) };
    match rule.tool_name.as_str() {
        "Bash" => command(content),
        "Read" => format!("reading {}", place(content)),
        "Edit" | "Write" => format!("changing {}", place(content)),
        "WebFetch" => match content.strip_prefix("domain:") {
            Some(host) => format!("fetching pages of {host}"),
            None => format!("fetching {content}"),
        },
        "Skill" => format!("the skill {content}"),
        "Task" | "Agent" => format!("subagents of the kind {content}"),
        tool => format!("{tool} with {content}"),
    }
}

/// A rule for all calls of a tool.
fn whole(tool: &str) -> String {
    let mcp = tool.strip_prefix("mcp__").map(|rest| rest.split_once("__").unwrap_or((rest, "")));
    match (tool, mcp) {
        (_, Some((server, "" | "*"))) => format!("every tool of the MCP server {server}"),
        (_, Some((server, tool))) => format!("every call of {tool} of the MCP server {server}"),
        ("Bash", None) => "every command".to_owned(),
        ("Read", None) => "reading every file".to_owned(),
        ("Edit" | "Write", None) => "changing every file".to_owned(),
        ("WebFetch", None) => "fetching every page".to_owned(),
        (tool, None) => format!("every call of {tool}"),
    }
}

fn command(content: &str) -> String {
    let prefix = content.strip_suffix(":*").or_else(|| content.strip_suffix(" *"));
    match prefix.map(str::trim_end) {
        Some(prefix) if !prefix.is_empty() && !prefix.contains('*') => {
            format!("`{prefix}`, alone and with any arguments")
        }
        _ if content.contains('*') => format!("commands like `{content}`, where * is anything"),
        _ => format!("`{content}`, exactly so"),
    }
}

/// What a pattern of paths means.
fn place(pattern: &str) -> String {
    // Two slashes begin a path from the root; one begins a path from where the settings are.
    let (shown, from_root) = match pattern.strip_prefix("//") {
        Some(path) => (format!("/{path}"), true),
        None => (pattern.to_owned(), pattern.starts_with("~/")),
    };
    let (folder, rest) = match shown.strip_suffix("/**") {
        Some(folder) => (folder, "everything in "),
        None => (shown.as_str(), ""),
    };
    let folder = if folder.is_empty() { "/" } else { folder };
    match from_root || folder.contains('*') {
        true => format!("{rest}{folder}"),
        false => format!("{rest}{} of the project", folder.trim_start_matches("./").trim_start_matches('/')),
    }
}
