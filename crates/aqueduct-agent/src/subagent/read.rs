//! A kind of subagent in a file.

use std::path::Path;

use aqueduct_rules::{Mode, Source};

use super::definition::{self, Definition, Whose};
use crate::front_matter::{FrontMatter, Mistake, read_file};
use crate::hook::of_front_matter;
use crate::options::split_list;
use crate::provision::Digest;

/// What means something in the front matter of a subagent.
const KEYS: &[&str] = &[
    "name",
    "description",
    "tools",
    "disallowedTools",
    "model",
    "permissionMode",
    "maxTurns",
    "effort",
    "background",
    "skills",
    "omitClaudeMd",
    "hooks",
    // For screens.
    "color",
    // Of the Agent Skills format, and of other programs. They change nothing here.
    "version",
    "author",
    "tags",
];

/// The colors that screens have for agents.
const COLORS: &[&str] = &["red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan"];

/// What other programs honour, and this one does not.
const UNKNOWN_HERE: &[&str] = &["mcpServers", "memory", "isolation", "initialPrompt"];

/// Reads a file. Gives what is wrong with it, too; one without a description is nobody the model could
/// choose.
pub(super) fn read(path: &Path, whose: Whose) -> (Option<Definition>, Vec<String>) {
    let text = match read_file(path) {
        Ok(text) => text,
        Err(error) => return (None, vec![error.told(path)]),
    };
    let mut matter = FrontMatter::read(&text);
    let definition = understand(&mut matter, path, whose, Digest::of(text.as_bytes()));
    let known: Vec<&str> = KEYS.iter().chain(UNKNOWN_HERE).copied().collect();
    matter.know(&known);
    for key in UNKNOWN_HERE {
        if let Some(line) = matter.get(key).map(|entry| entry.line) {
            matter.wrong(line, &format!("{key} has no effect here"));
        }
    }
    let mut mistakes: Vec<Mistake> = matter.mistakes.drain(..).collect();
    mistakes.sort_by_key(|mistake| mistake.line);
    let told = |mistake: Mistake| format!("{}:{}: {}", path.display(), mistake.line, mistake.what);
    (definition, mistakes.into_iter().map(told).collect())
}

fn understand(matter: &mut FrontMatter<'_>, path: &Path, whose: Whose, digest: Digest) -> Option<Definition> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = matter.text("name");
    let Some(description) = matter.text("description") else {
        matter
            .lacks("description", "an agent needs a description, for the model to choose by; it is left out");
        return None;
    };
    if name.is_none() {
        matter.lacks("name", "an agent needs a name; its file's counts");
    }
    let name = name.unwrap_or_else(|| stem.to_owned());
    if name.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        matter.wrong(matter.line("name"), "name has spaces in it; write hyphens");
    }
    if matter.body.trim().is_empty() {
        matter.wrong(1, "an agent needs a system prompt, below its front matter");
    }
    let mut definition = Definition::new(&name, &description, matter.body.trim(), whose);
    let (tools, refused_tools) = (tools(matter, "tools"), tools(matter, "disallowedTools"));
    for (key, list) in [("tools", &tools), ("disallowedTools", &refused_tools)] {
        // One that was meant to have less must not have everything.
        if list.is_none() && (matter.get(key).is_some() || matter.is_unread(key)) {
            matter.wrong(matter.line(key), "nobody can tell which tools the agent may use; it is left out");
            return None;
        }
    }
    definition.tools = tools.and_then(definition::tools);
    definition.refused_tools = refused_tools.unwrap_or_default();
    definition.model = matter.text("model").and_then(definition::model);
    definition.mode = mode(matter);
    definition.max_turns = number(matter, "maxTurns");
    definition.effort = matter.one_of("effort", definition::EFFORTS);
    matter.one_of("color", COLORS);
    definition.is_background = matter.truth("background").unwrap_or(false);
    definition.is_without_memory = matter.truth("omitClaudeMd").unwrap_or(false);
    definition.skills = matter.list("skills", split_list).unwrap_or_default();
    let source = if whose == Whose::Project { Source::ProjectSettings } else { Source::UserSettings };
    definition.hooks = of_front_matter(matter, source, None);
    definition.file = Some((path.to_owned(), digest));
    Some(definition)
}

/// A list of tools; names that mean nothing are mistakes.
fn tools(matter: &mut FrontMatter<'_>, key: &str) -> Option<Vec<String>> {
    let names = matter.list(key, split_list)?;
    for (index, name) in names.iter().enumerate().filter(|(_, name)| !definition::is_known(name)) {
        matter.wrong(matter.line_of_item(key, index), &format!("{key}: there is no tool {name:?} here"));
    }
    Some(names)
}

fn mode(matter: &mut FrontMatter<'_>) -> Option<Mode> {
    let parsed = matter.text("permissionMode")?.parse::<Mode>();
    let line = matter.get("permissionMode").map_or(1, |entry| entry.line);
    parsed.map_err(|error| matter.wrong(line, &format!("permissionMode: {error}"))).ok()
}

fn number(matter: &mut FrontMatter<'_>, key: &str) -> Option<u32> {
    let parsed = matter.text(key)?.parse::<u32>().ok().filter(|number| *number > 0);
    if parsed.is_none() {
        let line = matter.get(key).map_or(1, |entry| entry.line);
        matter.wrong(line, &format!("{key} must be a number above 0"));
    }
    parsed
}
