//! Reads a subagent definition from a file.

use std::path::Path;

use aqueduct_rules::{Mode, Source};
use aqueduct_wire::hint::HintedError as _;

use super::definition::{self, DefinitionOwner, SubagentDefinition};
use super::servers;
use crate::diagnostic::Diagnostic;
use crate::front_matter::{FrontMatter, read_file};
use crate::hook_config::of_front_matter;
use crate::provision::ProvisionDigest;

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
    "isolation",
    "skills",
    "omitClaudeMd",
    "hooks",
    "mcpServers",
    // For screens.
    "color",
    // Of the Agent Skills format, and of other programs. They change nothing here.
    "version",
    "author",
    "tags",
];

/// Keys by which a subagent may do less.
const RESTRICTIONS: &[&str] = &["tools", "disallowedTools", "permissionMode"];

/// The colors that screens have for agents.
const COLORS: &[&str] = &["red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan"];

/// What other programs honour, and this one does not.
const UNKNOWN_HERE: &[&str] = &["memory", "initialPrompt"];

/// Reads a file, and returns the errors in it as well. A subagent without a description is left out, because the
/// model could not choose it.
pub(super) fn read(path: &Path, whose: DefinitionOwner) -> (Option<SubagentDefinition>, Vec<Diagnostic>) {
    let text = match read_file(path) {
        Ok(text) => text,
        Err(error) => return (None, vec![error.describe(path)]),
    };
    let mut matter = FrontMatter::read(&text);
    let definition = match matter.is_unread() {
        true => {
            matter.wrong(1, "the agent is left out: its front matter can't be read");
            None
        }
        false => understand(&mut matter, path, whose, ProvisionDigest::of(text.as_bytes()))
            .filter(|_| !is_misspelt(&mut matter)),
    };
    let known: Vec<&str> = KEYS.iter().chain(UNKNOWN_HERE).copied().collect();
    matter.know(&known);
    for key in UNKNOWN_HERE {
        if let Some(line) = matter.get(key).map(|entry| entry.line) {
            matter.wrong(line, format!("{key} has no effect here"));
        }
    }
    (definition, matter.take_diagnostics(path))
}

/// Whether a key is a restriction in another spelling, such as `disallowed-tools`. Ignored, it would restrict nothing.
fn is_misspelt(matter: &mut FrontMatter<'_>) -> bool {
    let mut is_misspelt = false;
    for meant in RESTRICTIONS {
        is_misspelt |= matter.is_misspelt(meant);
    }
    // What skills have instead of `tools`.
    for key in ["allowed-tools", "allowedTools", "allowed_tools"] {
        if matter.get(key).is_some() {
            matter.wrong(matter.line(key), format!("{key} must be written tools"));
            is_misspelt = true;
        }
    }
    if is_misspelt {
        matter.wrong(1, "the agent is left out: its restrictions can't be read");
    }
    is_misspelt
}

fn understand(
    matter: &mut FrontMatter<'_>,
    path: &Path,
    whose: DefinitionOwner,
    digest: ProvisionDigest,
) -> Option<SubagentDefinition> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = matter.text("name");
    let Some(description) = matter.text("description") else {
        let what = Diagnostic::problem("an agent needs a description, for the model to choose by");
        matter.lacks("description", what.clause("it is left out"));
        return None;
    };
    if name.is_none() {
        matter.lacks(
            "name",
            Diagnostic::problem("an agent needs a name").clause("the name of the file is used"),
        );
    }
    let name = name.unwrap_or_else(|| stem.to_owned());
    if name.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        let what = Diagnostic::problem("name has spaces in it").clause("write hyphens");
        matter.wrong(matter.line("name"), what);
    }
    if matter.body.trim().is_empty() {
        matter.wrong(1, "an agent needs a system prompt, below its front matter");
    }
    let mut definition = SubagentDefinition::new(&name, &description, matter.body.trim(), whose);
    let (tools, refused_tools) = (tools(matter, "tools"), tools(matter, "disallowedTools"));
    for (key, list) in [("tools", &tools), ("disallowedTools", &refused_tools)] {
        // An agent with restrictions must not run without them.
        if list.is_none() && matter.get(key).is_some() {
            let what = Diagnostic::problem("the list of tools can't be read");
            matter.wrong(matter.line(key), what.clause("the agent is left out"));
            return None;
        }
    }
    definition.tools = tools.and_then(definition::tools);
    definition.refused_tools = refused_tools.unwrap_or_default();
    definition.model = matter.text("model").and_then(definition::model);
    let mode = mode(matter);
    definition.max_turns = number(matter, "maxTurns");
    definition.effort = matter.one_of("effort", crate::effort::EFFORTS);
    matter.one_of("color", COLORS);
    definition.is_background = matter.truth("background").unwrap_or(false);
    // An agent that requested isolation must not work on the user's files.
    let isolation = matter.one_of("isolation", definition::ISOLATIONS);
    if isolation.is_none() && matter.get("isolation").is_some() {
        matter.wrong(matter.line("isolation"), "the agent is left out: it can't work apart from the session");
        return None;
    }
    definition.is_isolated = isolation.is_some();
    definition.is_without_memory = matter.truth("omitClaudeMd").unwrap_or(false);
    definition.skills = matter.list("skills").unwrap_or_default();
    let source =
        if whose == DefinitionOwner::Project { Source::ProjectSettings } else { Source::UserSettings };
    let read = of_front_matter(matter, source, None);
    if read.is_incomplete {
        let what = "the agent is left out: a hook that can't be read may guard what it does";
        matter.wrong(matter.line("hooks"), what);
    }
    definition.hooks = read.hooks;
    if let Some(list) = matter.json("mcpServers") {
        match servers::read(&list) {
            Ok(servers) => definition.servers = servers,
            Err(error) => {
                let what = Diagnostic::problem(format!("mcpServers {error}"));
                matter.wrong(matter.line("mcpServers"), what.ignored());
            }
        }
    }
    definition.file = Some((path.to_owned(), digest));
    match mode {
        Ok(mode) => definition.mode = mode,
        Err(()) => {
            let what = Diagnostic::problem("the permission mode can't be read");
            matter.wrong(matter.line("permissionMode"), what.clause("the agent is left out"));
            return None;
        }
    }
    (!read.is_incomplete).then_some(definition)
}

/// A list of tools; unknown names are errors.
fn tools(matter: &mut FrontMatter<'_>, key: &str) -> Option<Vec<String>> {
    let listed = matter.tools(key)?;
    for entry in listed.iter().filter(|entry| !definition::is_known(&entry.text)) {
        matter.wrong(entry.line, format!("{key}: there is no tool {:?} here", entry.text));
    }
    Some(listed.into_iter().map(|entry| entry.text).collect())
}

/// The permission mode, if the file names one. A mode that can't be read is not taken for the session's, which
/// may allow more.
fn mode(matter: &mut FrontMatter<'_>) -> Result<Option<Mode>, ()> {
    let key = "permissionMode";
    let Some(text) = matter.text(key) else {
        return if matter.is_other_than_text(key) { Err(()) } else { Ok(None) };
    };
    let read = definition::mode(&text);
    if let Err(error) = &read {
        let message = format!("{key}: {error}");
        matter.wrong(matter.line(key), Diagnostic { hint: error.hint(), ..Diagnostic::problem(message) });
    }
    read.or_else(|error| error.fallback().ok_or(())).map(Some)
}

fn number(matter: &mut FrontMatter<'_>, key: &str) -> Option<u32> {
    let parsed = matter.text(key)?.parse::<u32>().ok().filter(|number| *number > 0);
    if parsed.is_none() {
        let line = matter.get(key).map_or(1, |entry| entry.line);
        matter.wrong(line, format!("{key} must be a number above 0"));
    }
    parsed
}
