//! A kind of subagent in a file.

use std::path::Path;

use aqueduct_rules::{Mode, Source};

use super::definition::{self, Definition, Whose};
use crate::front_matter::{FrontMatter, Mistake, read_file};
use crate::hook::of_front_matter;
use crate::options::split_list;

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

/// What other programs honour, and this one does not.
const UNKNOWN_HERE: &[&str] = &["mcpServers", "memory", "isolation", "initialPrompt"];

/// Reads a file. Gives what is wrong with it, too; one without a description is nobody the model could
/// choose.
pub(super) fn read(path: &Path, whose: Whose) -> (Option<Definition>, Vec<String>) {
    let text = match read_file(path) {
        Ok(text) => text,
        Err(error) => return (None, vec![format!("{}:1: can't be read: {error}", path.display())]),
    };
    let mut matter = FrontMatter::read(&text);
    let definition = understand(&mut matter, path, whose);
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

fn understand(matter: &mut FrontMatter<'_>, path: &Path, whose: Whose) -> Option<Definition> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = matter.text("name").unwrap_or_else(|| stem.to_owned());
    let Some(description) = matter.text("description") else {
        matter.wrong(1, "an agent needs a description, for the model to choose by; it is left out");
        return None;
    };
    let mut definition = Definition::new(&name, &description, matter.body.trim(), whose);
    definition.tools = matter.list("tools", split_list).and_then(definition::tools);
    definition.refused_tools = matter.list("disallowedTools", split_list).unwrap_or_default();
    definition.model = matter.text("model").and_then(definition::model);
    definition.mode = mode(matter);
    definition.max_turns = number(matter, "maxTurns");
    definition.effort = matter.text("effort");
    definition.is_background = matter.truth("background").unwrap_or(false);
    definition.is_without_memory = matter.truth("omitClaudeMd").unwrap_or(false);
    definition.skills = matter.list("skills", split_list).unwrap_or_default();
    let source = if whose == Whose::Project { Source::ProjectSettings } else { Source::UserSettings };
    definition.hooks = of_front_matter(matter, source, None);
    Some(definition)
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
