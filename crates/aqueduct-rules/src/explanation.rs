//! What a decision looked at, for people who have to decide.

use aqueduct_wire::json::Str;
use aqueduct_wire::permission::{PermissionExplanation, PermissionPart};

use crate::decision::{Decision, Part};

impl From<&Decision> for PermissionExplanation<'static> {
    fn from(decision: &Decision) -> Self {
        let mut explanation = PermissionExplanation::new();
        explanation.parts = Some(decision.parts.iter().map(PermissionPart::from).collect());
        explanation
    }
}

impl From<&Part> for PermissionPart<'static> {
    fn from(part: &Part) -> Self {
        let texts =
            |texts: &[String]| (!texts.is_empty()).then(|| texts.iter().cloned().map(Str::from).collect());
        let mut shown = PermissionPart::new(part.command.clone());
        shown.program = program(&part.command).map(|program| program.to_owned().into());
        shown.reads = texts(&part.reads);
        shown.writes = texts(&part.writes);
        shown.connects = part.network.then(|| hosts(&part.command)).and_then(|hosts| texts(&hosts));
        shown.behavior = Some(part.behavior.into());
        shown.reason = Some(part.because.clone().into());
        shown
    }
}

/// The program of a command: its first word, behind assignments.
fn program(command: &str) -> Option<&str> {
    let is_assignment = |word: &&str| {
        word.split_once('=')
            .is_some_and(|(name, _)| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
    };
    command.split_whitespace().find(|word| !is_assignment(word))
}

/// The hosts of the URLs in a command.
fn hosts(command: &str) -> Vec<String> {
    let mut hosts = Vec::new();
    for (at, _) in command.match_indices("://") {
        let rest = &command[at + 3..];
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-._@:[]%".contains(c))).unwrap_or(rest.len());
        let host = rest[..end].rsplit('@').next().unwrap_or_default().to_owned();
        if !host.is_empty() && !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    hosts
}
