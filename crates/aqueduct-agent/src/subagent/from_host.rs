//! Subagent definitions from the host or the command line, and the errors in them.

use aqueduct_rules::settings::{PathStep, line_of, repeated};
use aqueduct_wire::agent_definition::{AgentDefinition, AgentEffort};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json;
use aqueduct_wire::json::{Json as _, LeftoverKind, Map, Number, Raw, Str, Walk};

use serde_json::Value;

use super::definition::{self, AgentModeError, DefinitionOwner, SubagentDefinition};
use super::servers;
use crate::diagnostic::{Diagnostic, SourceLocation};
use crate::front_matter::is_other_spelling;

/// The members that limit which tools an agent may use and what it may do without a prompt.
const LIMITS: &[&str] = &["tools", "disallowedTools", "permissionMode", "isolation"];

/// The consequence of a limit that can't be read.
const LEFT_OUT: &str = "the agent is left out";

/// Where subagent definitions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefinitionSource {
    /// On the command line, in a text with lines.
    Flag,
    /// In the host's first request, which is one line.
    Initialize,
}

/// The definitions of a host: the valid ones, and the errors in the others.
#[derive(Debug)]
pub(super) struct HostDefinitions {
    pub(super) definitions: Vec<SubagentDefinition>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads an object of definitions by name. An error drops its own definition at most.
pub(super) fn read(place: DefinitionSource, text: &str) -> HostDefinitions {
    let Some(map) = json::read::<Map<'_, Raw<'_>>>(text) else {
        return HostDefinitions { definitions: Vec::new(), diagnostics: vec![no_object(place, text)] };
    };
    let mut reading = DefinitionReader { place, text, wrong: Vec::new() };
    for twice in repeated(text) {
        reading.wrong.push(place.at(twice.line, twice.into()));
    }
    let definitions = map.iter().filter_map(|(name, raw)| reading.definition(name, raw)).collect();
    reading.wrong.sort_by_key(Diagnostic::line);
    HostDefinitions { definitions, diagnostics: reading.wrong }
}

impl DefinitionSource {
    fn at(self, line: usize, what: Diagnostic) -> Diagnostic {
        match self {
            DefinitionSource::Flag => what.of("--agents").at_line(line),
            DefinitionSource::Initialize => {
                let message = format!("agents.{}", what.message);
                Diagnostic { message, place: SourceLocation::default(), ..what }.of("initialize")
            }
        }
    }
}

fn no_object(place: DefinitionSource, text: &str) -> Diagnostic {
    let must = "must be an object: names, each with description and prompt";
    match (place, serde_json::from_str::<Value>(text)) {
        (DefinitionSource::Flag, Err(error)) => {
            place.at(error.line(), Diagnostic::problem(format!("is not valid JSON: {error}")))
        }
        (DefinitionSource::Flag, Ok(_)) => place.at(1, must.into()),
        (DefinitionSource::Initialize, _) => Diagnostic::problem(format!("agents {must}")).of("initialize"),
    }
}

struct DefinitionReader<'r> {
    place: DefinitionSource,
    text: &'r str,
    /// Errors with their lines.
    wrong: Vec<Diagnostic>,
}

impl DefinitionReader<'_> {
    fn wrong(&mut self, path: &[PathStep<'_>], what: Diagnostic) {
        let line = line_of(self.text, path);
        self.wrong.push(self.place.at(line, what));
    }

    /// Reports an error that drops the definition.
    fn left_out(&mut self, path: &[PathStep<'_>], what: impl Into<String>) {
        self.wrong(path, Diagnostic::problem(what).clause("it is left out"));
    }

    fn definition(&mut self, name: &str, raw: &Raw<'_>) -> Option<SubagentDefinition> {
        let at = [PathStep::Member(name)];
        let Some(reported) = json::read::<AgentDefinition<'_>>(raw.as_str()) else {
            self.left_out(&at, format!("{name} must be an object with description and prompt"));
            return None;
        };
        if name.trim().is_empty() {
            self.left_out(&at, "an agent needs a name");
            return None;
        }
        if self.leftovers(name, &reported) {
            return None;
        }
        let text = |text: &Option<Str<'_>>| text.as_ref().map(|text| text.to_string()).unwrap_or_default();
        let list = |list: &Option<Vec<Str<'_>>>| {
            list.as_ref().map(|list| list.iter().map(|item| item.to_string()).collect::<Vec<_>>())
        };
        let (description, prompt) = (text(&reported.description), text(&reported.prompt));
        if description.is_empty() || prompt.is_empty() {
            self.left_out(&at, format!("{name} needs a description and a prompt"));
            return None;
        }
        let mut definition = SubagentDefinition::new(name, &description, &prompt, DefinitionOwner::Host);
        definition.tools = list(&reported.tools).and_then(definition::tools);
        definition.refused_tools = list(&reported.disallowed_tools).unwrap_or_default();
        for (key, names) in
            [("tools", list(&reported.tools)), ("disallowedTools", list(&reported.disallowed_tools))]
        {
            for unknown in names.iter().flatten().filter(|tool| !definition::is_known(tool)) {
                let what = format!("{name}.{key}: there is no tool {unknown:?} here");
                self.wrong(&[at[0], PathStep::Member(key)], what.into());
            }
        }
        definition.model = reported.model.as_ref().map(|model| model.to_string()).and_then(definition::model);
        if let Some(text) = &reported.permission_mode {
            let read = definition::mode(text.as_str());
            let mode = read.as_ref().map_or_else(AgentModeError::fallback, |mode| Some(*mode));
            if let Err(error) = read {
                let what = Diagnostic::problem(format!("{name}.permissionMode: {}", error.advised()));
                let what = if mode.is_some() { what } else { what.clause(LEFT_OUT) };
                self.wrong(&[at[0], PathStep::Member("permissionMode")], what);
            }
            definition.mode = Some(mode?);
        }
        if let Some(number) = &reported.max_turns {
            let turns = Number::as_u64(number).and_then(|turns| u32::try_from(turns).ok());
            definition.max_turns = turns.filter(|turns| *turns > 0);
            if definition.max_turns.is_none() {
                let what = Diagnostic::problem(format!("{name}.maxTurns must be a number above 0"));
                self.wrong(&[at[0], PathStep::Member("maxTurns")], what.ignored());
            }
        }
        definition.effort = match &reported.effort {
            Some(AgentEffort::Level(level)) => Some(level.as_str().to_owned())
                .filter(|level| crate::effort::EFFORTS.contains(&level.as_str())),
            _ => None,
        };
        // An agent that requested isolation must not work on the user's files.
        if let Some(isolation) = &reported.isolation {
            if !definition::ISOLATIONS.contains(&isolation.as_str()) {
                let what = Diagnostic::problem(format!("{name}.isolation must be \"worktree\""));
                self.wrong(&[at[0], PathStep::Member("isolation")], what.clause(LEFT_OUT));
                return None;
            }
            definition.is_isolated = true;
        }
        definition.is_background = reported.background == Some(true);
        definition.is_without_memory = reported.omit_claude_md == Some(true);
        definition.skills = list(&reported.skills).unwrap_or_default();
        let listed = raw.to::<Value>().ok().and_then(|mut agent| Some(agent.get_mut("mcpServers")?.take()));
        // Members with the wrong type are among the leftovers.
        if let Some(Ok(servers)) = listed.map(|list| servers::read(&list)) {
            definition.servers = servers;
        }
        Some(definition)
    }

    /// Reports the members that have the wrong type and those that are unknown. Returns whether the limits of the
    /// agent can't be determined: an agent with restrictions must not run without them.
    fn leftovers(&mut self, name: &str, reported: &AgentDefinition<'_>) -> bool {
        let mut found: Vec<(String, Diagnostic)> = Vec::new();
        let mut is_misspelt = false;
        reported.leftovers(&mut Walk::new(&mut |leftover| {
            let top = leftover.path.first().copied();
            match leftover.kind {
                LeftoverKind::Shape(key) if top.is_none() => {
                    let what = Diagnostic::problem(format!("must be {}", must_be(key)));
                    let is_limit = LIMITS.contains(&key);
                    let what = if is_limit { what.clause(LEFT_OUT) } else { what.ignored() };
                    found.push((key.to_owned(), what));
                }
                LeftoverKind::Field(key) if top.is_none() => {
                    let meant = LIMITS.iter().find(|meant| is_other_spelling(key, meant));
                    is_misspelt |= meant.is_some();
                    let what = match meant {
                        Some(meant) => {
                            Diagnostic::problem(format!("must be written {meant}")).clause(LEFT_OUT)
                        }
                        None => Diagnostic::problem("is not known here and is ignored"),
                    };
                    found.push((key.to_owned(), what));
                }
                // Modes are reported where they are read.
                LeftoverKind::Name { .. } if top != Some("permissionMode") => {
                    let key = top.unwrap_or_default().to_owned();
                    found.push((key, Diagnostic::problem(format!("can't be {}", leftover.value)).ignored()));
                }
                _ => (),
            }
        }));
        for (key, what) in found {
            let message = format!("{name}.{key} {}", what.message);
            self.wrong(&[PathStep::Member(name), PathStep::Member(&key)], Diagnostic { message, ..what });
        }
        is_misspelt
            || LIMITS.iter().any(|key| reported.extra.get(key).is_some_and(|value| value.as_str() != "null"))
    }
}

/// What a member must be, for people.
fn must_be(key: &str) -> &'static str {
    match key {
        "tools" | "disallowedTools" | "skills" => "a list of texts",
        "mcpServers" => "a list of servers",
        "maxTurns" | "autoCompactWindow" => "a number",
        "background" | "omitClaudeMd" => "true or false",
        "effort" => "a level or a number",
        _ => "a text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(reported: &HostDefinitions) -> String {
        reported.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_error_is_reported_with_its_line_and_the_rest_is_kept() {
        let text = r#"{
  "no object": 5,
  "empty": {},
  "": { "description": "d", "prompt": "p" },
  "free": { "description": "d", "prompt": "p", "tools": "Bash" },
  "odd": { "description": "d", "prompt": "p",
    "disallowedTools": ["Bsh", "mcp__a__b"],
    "model": 5,
    "maxTurns": -1,
    "permissionMode": "auto",
    "effort": "huge",
    "background": "yes",
    "colour": "red" },
  "lost": { "description": "d", "prompt": "p", "permissionMode": "yolo" },
  "wide": { "description": "d", "prompt": "p", "permissionMode": ["plan"] },
  "loud": { "description": "d", "prompt": "p", "disallowed_tools": ["Bash"] },
  "good": { "description": "d", "prompt": "first" },
  "good": { "description": "d", "prompt": "last", "maxTurns": 3 }
}"#;
        let reported = read(DefinitionSource::Flag, text);
        let names: Vec<&str> = reported.definitions.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["odd", "good", "good"]);
        assert_eq!(reported.definitions[2].max_turns, Some(3));
        insta::assert_snapshot!(shown(&reported), @r#"
        --agents:2: no object must be an object with description and prompt; it is left out
        --agents:3: empty needs a description and a prompt; it is left out
        --agents:4: an agent needs a name; it is left out
        --agents:5: free.tools must be a list of texts; the agent is left out
        --agents:7: odd.disallowedTools: there is no tool "Bsh" here
        --agents:8: odd.model must be a text; it is ignored
        --agents:9: odd.maxTurns must be a number above 0; it is ignored
        --agents:10: odd.permissionMode: `auto` is not supported; the agent works in the default mode, which asks
        --agents:11: odd.effort can't be huge; it is ignored
        --agents:12: odd.background must be true or false; it is ignored
        --agents:13: odd.colour is not known here and is ignored
        --agents:14: lost.permissionMode: unknown permission mode `yolo`; use one of default, acceptEdits, plan, bypassPermissions, delegate, dontAsk; the agent is left out
        --agents:15: wide.permissionMode must be a text; the agent is left out
        --agents:16: loud.disallowed_tools must be written disallowedTools; the agent is left out
        --agents:17: good is defined twice: here and on line 18; the last definition is used
        "#);
        let reported = read(DefinitionSource::Flag, "{\n\"x\": ,}");
        assert_eq!(shown(&reported), "--agents:2: is not valid JSON: expected value at line 2 column 6");
        let reported =
            read(DefinitionSource::Initialize, r#"{"x":5,"good":{"description":"d","prompt":"p"}}"#);
        assert_eq!(reported.definitions.len(), 1);
        assert_eq!(
            shown(&reported),
            "initialize: agents.x must be an object with description and prompt; it is left out"
        );
        let good = r#""good":{"description":"d","prompt":"p"}"#;
        let reported = read(DefinitionSource::Initialize, &format!("{{{good},{good}}}"));
        assert_eq!(shown(&reported), "initialize: agents.good is defined twice; the last definition is used");
    }
}
