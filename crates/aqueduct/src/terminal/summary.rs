//! A tool call in one line: the part of its input that a person wants to see.

use aqueduct_wire::json::{Map, Raw, Str};

/// Which members of a tool's input describe it, the most important one first. The others follow with their
/// names.
const KEY_MEMBERS: &[(&str, &[&str])] = &[
    ("Bash", &["command"]),
    ("BashOutput", &["bash_id"]),
    ("Read", &["file_path", "offset", "limit", "pages"]),
    ("Write", &["file_path"]),
    ("Edit", &["file_path"]),
    ("MultiEdit", &["file_path"]),
    ("NotebookEdit", &["notebook_path", "cell_id"]),
    ("Glob", &["pattern", "path"]),
    ("Grep", &["pattern", "path", "glob", "type"]),
    ("LS", &["path"]),
    ("WebFetch", &["url"]),
    ("WebSearch", &["query"]),
    ("Task", &["description", "subagent_type"]),
    ("Agent", &["description", "subagent_type"]),
    ("TaskCreate", &["subject"]),
    ("TaskUpdate", &["taskId", "status"]),
    ("TaskStop", &["task_id"]),
    ("TaskOutput", &["task_id"]),
    ("KillShell", &["shell_id"]),
    ("Skill", &["skill", "args"]),
    ("SlashCommand", &["command"]),
    ("ExitPlanMode", &["plan"]),
    ("ToolSearch", &["query"]),
];

/// The members that are paths.
const PATH_MEMBERS: [&str; 3] = ["file_path", "notebook_path", "path"];

/// What a tool is asked to do. Paths are relative to the working directory, where it is known.
pub(crate) fn summary_line(name: &str, input: &Raw<'_>, cwd: Option<&str>) -> String {
    let Some(members) = input.view::<Map<'_, Raw<'_>>>() else { return input.as_str().to_owned() };
    if name == "TodoWrite"
        && let Some(todos) = members.get("todos")
    {
        return todo_list(todos);
    }
    if name == "AskUserQuestion" {
        // The questions themselves follow with the request to answer them.
        let questions = members.get("questions").and_then(|list| list.view::<Vec<Raw<'_>>>());
        return match questions.map_or(0, |questions| questions.len()) {
            1 => "1 question".to_owned(),
            count => format!("{count} questions"),
        };
    }
    let essentials = KEY_MEMBERS.iter().find(|(tool, _)| *tool == name).map_or(&[][..], |(_, names)| names);
    let mut out = String::new();
    for (index, key) in essentials.iter().enumerate() {
        let Some(value) = members.get(key).map(text) else { continue };
        let value = if PATH_MEMBERS.contains(key) { relative(&value, cwd) } else { &value };
        if index == 0 {
            out.push_str(value);
        } else {
            out.push_str(&format!("  {key} {value}"));
        }
    }
    if !out.is_empty() {
        return out;
    }
    match members.len() {
        0 => String::new(),
        1 => members.iter().map(|(key, value)| format!("{key} {}", text(value))).collect(),
        _ => input.as_str().to_owned(),
    }
}

/// A path as a person in the working directory writes it. A path that leads out of it stays as it is.
pub(crate) fn relative<'p>(path: &'p str, cwd: Option<&str>) -> &'p str {
    let inside = cwd.filter(|cwd| cwd.len() > 1).and_then(|cwd| path.strip_prefix(cwd.trim_end_matches('/')));
    match inside.and_then(|inside| inside.strip_prefix('/')) {
        Some(inside) if !inside.is_empty() && !inside.split('/').any(|part| part == "..") => inside,
        _ => path,
    }
}

/// The name of a tool for people: an MCP server's tools are called by server and tool.
pub(crate) fn title(name: &str) -> String {
    match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        Some((server, tool)) => format!("{server}: {tool}"),
        None => name.to_owned(),
    }
}

/// A string's text, or a value's JSON.
pub(crate) fn text(value: &Raw<'_>) -> String {
    match value.view::<Str<'_>>() {
        Some(text) => text.trim().to_owned(),
        None => value.as_str().to_owned(),
    }
}

fn todo_list(todos: &Raw<'_>) -> String {
    let todos: Vec<Map<'_, Raw<'_>>> = todos.view().unwrap_or_default();
    let has =
        |todo: &Map<'_, Raw<'_>>, status: &str| todo.get("status").is_some_and(|value| text(value) == status);
    let done = todos.iter().filter(|todo| has(todo, "completed")).count();
    let now = todos.iter().find(|todo| has(todo, "in_progress")).and_then(|todo| todo.get("content"));
    match now {
        Some(now) => format!("{done} of {} done; now {}", todos.len(), text(now)),
        None => format!("{done} of {} done", todos.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_working_directory() {
        let line = |cwd| summary_line("Read", &Raw::parse(r#"{"file_path":"/proj/src/a.rs"}"#).unwrap(), cwd);
        assert_eq!(line(Some("/proj")), "src/a.rs");
        assert_eq!(line(Some("/proj/src/")), "a.rs");
        for other in [None, Some("/"), Some("/pro"), Some("/proj/src/a.rs")] {
            assert_eq!(line(other), "/proj/src/a.rs", "{other:?}");
        }
        assert_eq!(relative("/proj/../etc/passwd", Some("/proj")), "/proj/../etc/passwd");
    }
}
