//! The exact input of a tool call: the user decides about it.

use std::path::Path;

use aqueduct_os::regular_file;
use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::tool::{EditInput, WriteInput};

use crate::terminal::{ShownDiff, Tone, exact, relative};

/// How the lines of a value are moved to the right.
const INDENT: &str = "    ";

/// The member that is shown without its name, because it is what the tool is about.
const MAIN_MEMBERS: &[(&str, &str)] = &[("Bash", "command"), ("ExitPlanMode", "plan")];

/// The members of an input that describe it for people, and that no tool acts on.
const COMMENTS: &[(&str, &str)] = &[("Bash", "description")];

/// The largest file that is compared with what is to be written in its place.
const COMPARED: u64 = 1 << 20;

/// An input in lines, all of it. Invisible characters are made visible, and the result notes it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ShownInput {
    pub(super) lines: Vec<(Tone, String)>,
    /// Whether something had to be made visible.
    pub(super) has_hidden: bool,
}

/// Shows the input of a call. Changes of a file are shown as a difference; its path is relative to the working directory,
/// where that is known.
pub(super) fn shown(tool: &str, input: &Raw<'_>, cwd: Option<&str>) -> ShownInput {
    let mut shown = ShownInput::default();
    let is_shown = match tool {
        "Edit" => shown.edit(input, cwd),
        "Write" => shown.write(input, cwd),
        _ => false,
    };
    if is_shown {
        return shown;
    }
    let Some(members) = input.view::<Map<'_, Raw<'_>>>() else {
        shown.text(input.as_str());
        return shown;
    };
    let is = |table: &[(&str, &str)], key: &str| table.contains(&(tool, key));
    let main = members.iter().filter(|(key, _)| is(MAIN_MEMBERS, key));
    let others = members.iter().filter(|(key, _)| !is(MAIN_MEMBERS, key) && !is(COMMENTS, key));
    for (_, value) in main {
        shown.text(&text(value));
    }
    for (key, value) in others {
        let text = text(value);
        match text.lines().count() {
            0 | 1 => shown.behind("  ", &format!("{key}: {text}")),
            _ => {
                shown.behind("  ", &format!("{key}:"));
                shown.text(&text);
            }
        }
    }
    shown
}

impl ShownInput {
    /// Shows an edit: all of both texts, and what else the call has. `false` for another form of call.
    fn edit(&mut self, input: &Raw<'_>, cwd: Option<&str>) -> bool {
        let Some(edit) = input.view::<EditInput<'_>>() else { return false };
        self.file(&edit.file_path, cwd, input, &["file_path", "old_string", "new_string"]);
        self.diff(ShownDiff::whole(&edit.old_string, &edit.new_string));
        true
    }

    /// Shows what is to be written: what changes in a file that is there, or all of it.
    fn write(&mut self, input: &Raw<'_>, cwd: Option<&str>) -> bool {
        let Some(write) = input.view::<WriteInput<'_>>() else { return false };
        self.file(&write.file_path, cwd, input, &["file_path", "content"]);
        let before = current(&write.file_path, cwd);
        self.diff(match before {
            Some(before) => ShownDiff::changes(&before, &write.content),
            None => ShownDiff::whole("", &write.content),
        });
        true
    }

    /// Shows the path of a call, and its members that are not shown in another way.
    fn file(&mut self, path: &str, cwd: Option<&str>, input: &Raw<'_>, shown: &[&str]) {
        self.behind("  ", &format!("file_path: {}", relative(path, cwd)));
        let members = input.view::<Map<'_, Raw<'_>>>().unwrap_or_default();
        // Agents write out what is so without it.
        let is_default = |key: &str, value: &Raw<'_>| key == "replace_all" && value.as_str() == "false";
        for (key, value) in members.iter() {
            if shown.contains(&key) || is_default(key, value) {
                continue;
            }
            self.behind("  ", &format!("{key}: {}", text(value)));
        }
    }

    fn diff(&mut self, diff: ShownDiff) {
        self.has_hidden |= diff.has_hidden;
        self.lines.extend(diff.lines.into_iter().map(|(tone, line)| (tone, format!("{INDENT}{line}"))));
    }

    /// Appends a text.
    pub(super) fn text(&mut self, text: &str) {
        self.behind(INDENT, text);
    }

    /// Appends a text, each line behind the same blanks.
    fn behind(&mut self, indent: &str, text: &str) {
        // Every line of a script counts, empty ones too; what ends lines elsewhere stays visible.
        for line in text.split('\n') {
            let (line, has_hidden) = exact(line);
            self.has_hidden |= has_hidden;
            self.lines.push((Tone::Plain, format!("{indent}{line}").trim_end().to_owned()));
        }
    }
}

/// What is in a file, if it is text of a moderate size.
fn current(path: &str, cwd: Option<&str>) -> Option<String> {
    let path = Path::new(cwd?).join(path).canonicalize().ok()?;
    let (bytes, _) = regular_file::read_whole(&path, COMPARED).ok()?;
    String::from_utf8(bytes).ok()
}

/// A string's text as it is, or a value's JSON.
fn text(value: &Raw<'_>) -> String {
    match value.view::<Str<'_>>() {
        Some(text) => text.into_string(),
        None => value.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(tool: &str, input: &str) -> Vec<String> {
        shown(tool, &Raw::parse(input).unwrap(), Some("/proj"))
            .lines
            .into_iter()
            .map(|(_, line)| line)
            .collect()
    }

    #[test]
    fn changes_of_files_are_shown_as_differences() {
        let edit = r#"{"file_path":"/proj/src/a.rs","old_string":"a\nb\n","new_string":"a\nc\n","replace_all":true}"#;
        assert_eq!(
            lines("Edit", edit),
            ["  file_path: src/a.rs", "  replace_all: true", "      a", "    - b", "    + c"]
        );
        let write = r#"{"file_path":"/elsewhere/new","content":"a\u001b[2J\nb"}"#;
        assert_eq!(
            lines("Write", write),
            ["  file_path: /elsewhere/new", r"    + a\x1b[2J", "    + b  (no line end)"]
        );
        assert_eq!(lines("Edit", r#"{"file_path":"x","edits":[1]}"#), ["  file_path: x", "  edits: [1]"]);
    }

    #[test]
    fn a_file_is_compared_with_what_is_written_over_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "one\ntwo\n").unwrap();
        let input = Raw::parse(r#"{"file_path":"a","content":"one\n2\n"}"#).unwrap();
        let shown = shown("Write", &input, folder.path().to_str());
        assert_eq!(
            shown.lines[1..],
            [
                (Tone::Dim, "      one".to_owned()),
                (Tone::Red, "    - two".to_owned()),
                (Tone::Green, "    + 2".to_owned())
            ]
        );
    }

    #[test]
    fn all_of_a_command_is_shown() {
        let input = r#"{"description":"harmless","command":"echo a\n\trm -rf /","timeout":5}"#;
        assert_eq!(lines("Bash", input), ["    echo a", "        rm -rf /", "  timeout: 5"]);
    }

    #[test]
    fn members_of_unknown_tools_are_all_shown() {
        let input = r#"{"a":"x","b":{"c":[1]},"text":"one\ntwo"}"#;
        assert_eq!(
            lines("mcp__a__b", input),
            ["  a: x", "  b: {\"c\":[1]}", "  text:", "    one", "    two"]
        );
        assert_eq!(lines("Odd", "[1,2]"), ["    [1,2]"]);
    }

    #[test]
    fn nothing_can_hide() {
        let command = r#"{"command":"ls\u001b[1A\u001b[2K\recho \u202e"}"#;
        let shown = shown("Bash", &Raw::parse(command).unwrap(), None);
        assert_eq!(shown.lines, [(Tone::Plain, r"    ls\x1b[1A\x1b[2K\x0decho \u{202e}".to_owned())]);
        assert!(shown.has_hidden);
        // A member's name can't be used for an injection either.
        let hostile = super::shown("T", &Raw::parse(r#"{"a\u001b[2J\nb":1}"#).unwrap(), None);
        assert!(hostile.lines.iter().all(|(_, line)| !line.contains('\x1b')) && hostile.has_hidden);
    }
}
