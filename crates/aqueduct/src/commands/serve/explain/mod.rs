//! What a tool call would do, for those who have to decide about it: its parts with what the rules say of each, and
//! the rules that would let it through from now on.

mod describe;
mod known;

use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_bridge::message::bridge::{PartVerdict, PermissionPart};
use aqueduct_bridge::settings::{Call, Explain, Explaining, Explanation};
use aqueduct_rules::{
    Behavior, Context, Decision, Operation, Part, Rule, Source, decide, git_directories, paths,
};
use aqueduct_wire::json::Str;
use aqueduct_wire::permission::Destination;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use self::describe::describe;
use self::known::Known;
use crate::commands::rules::{self, Folders};

/// How many calls are explained at once. One that hangs, since files may be on a disk that does not answer, keeps its
/// place.
const AT_ONCE: usize = 4;

/// Calls with more input than this are not explained.
const LARGEST: usize = 256 * 1024;

/// Explains calls, on threads that may block.
pub(super) struct Explainer {
    known: Arc<Known>,
    places: Arc<Semaphore>,
}

/// A call to be explained.
struct Question {
    tool: String,
    input: String,
    project: PathBuf,
    mode: Option<String>,
}

impl Explainer {
    /// For the projects of a user.
    pub(super) fn new(folders: Folders) -> Self {
        Explainer { known: Arc::new(Known::new(folders)), places: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Explain for Explainer {
    fn explain(&self, call: &Call<'_>) -> Explaining {
        if call.input.len() > LARGEST {
            return Box::pin(async { Explanation::default() });
        }
        let question = Question {
            tool: call.tool.to_owned(),
            input: call.input.to_owned(),
            project: call.project.to_owned(),
            mode: call.mode.map(str::to_owned),
        };
        let (known, places) = (Arc::clone(&self.known), Arc::clone(&self.places));
        Box::pin(async move {
            let Ok(place) = places.acquire_owned().await else { return Explanation::default() };
            let explained = spawn_blocking(move || {
                let _place = place;
                known.explain(&question).unwrap_or_default()
            });
            // It ends early only with the runtime, or with a panic.
            explained.await.unwrap_or_default()
        })
    }

    fn describe(&self, rule: &str) -> Option<String> {
        Rule::parse(rule).ok().map(|rule| describe(&rule))
    }
}

impl Known {
    fn explain(&self, question: &Question) -> Option<Explanation> {
        let input = serde_json::from_str(&question.input).ok()?;
        let mut context = self.context(&question.project)?;
        if let Some(mode) = question.mode.as_deref().and_then(|mode| mode.parse().ok()) {
            // One that this context can't enter is none that the agent is in either.
            let _ = context.set_mode(mode);
        }
        let call = aqueduct_rules::Call::new(&question.tool, &input);
        let resolved = rules::resolve(paths(&context, &call));
        let repositories = rules::repositories(&question.project, git_directories(&context, &call));
        let call = call.with_resolved(&resolved).with_repositories(&repositories);
        let decision = decide(&context, &call);
        let rules = rules_for(&context, &call, &decision);
        Some(Explanation { parts: decision.parts.iter().map(part).collect(), rules })
    }
}

/// The rules that would let a call through, narrowest first: for one command the command itself, then what is suggested.
fn rules_for(
    context: &Context,
    call: &aqueduct_rules::Call<'_>,
    decision: &Decision,
) -> Vec<(String, Destination<'static>, Option<String>)> {
    let mut found: Vec<(Rule, Source)> = Vec::new();
    for suggestion in &decision.suggestions {
        let Operation::AddRules { rules, behavior: Behavior::Allow, destination } = suggestion else {
            continue;
        };
        found.extend(rules.iter().map(|rule| (rule.clone(), *destination)));
    }
    if let ([part], [(wider, destination)]) = (&decision.parts[..], &found[..]) {
        let exact = Rule::with_content(&wider.tool_name, &part.command);
        if exact != *wider && is_enough(context, call, &exact) {
            found.insert(0, (exact, *destination));
        }
    }
    found
        .into_iter()
        .map(|(rule, source)| {
            (rule.to_string(), Destination::from(Str::from(source.name())), Some(describe(&rule)))
        })
        .collect()
}

/// Whether a rule says, once it is written down, that a call may run.
fn is_enough(context: &Context, call: &aqueduct_rules::Call<'_>, rule: &Rule) -> bool {
    let text = rule.to_string();
    if !Rule::parse(&text).is_ok_and(|read| read == *rule) || text.contains('*') {
        return false;
    }
    let mut context = context.clone();
    context.add_rules(Source::Session, Behavior::Allow, [text]);
    decide(&context, call).behavior == Behavior::Allow
}

/// A part of a call as clients are told.
fn part(part: &Part) -> PermissionPart<'static> {
    let texts =
        |texts: &[String]| (!texts.is_empty()).then(|| texts.iter().cloned().map(Str::from).collect());
    let mut told = PermissionPart::new(part.command.clone());
    told.program = program(&part.command).map(|program| program.to_owned().into());
    told.reads = texts(&part.reads);
    told.writes = texts(&part.writes);
    told.connects = part.network.then(|| hosts(&part.command)).and_then(|hosts| texts(&hosts));
    told.verdict = Some(match part.behavior {
        Behavior::Allow => PartVerdict::Allow,
        Behavior::Ask => PartVerdict::Ask,
        Behavior::Deny => PartVerdict::Deny,
    });
    told.reason = Some(part.because.clone().into());
    told
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

#[cfg(test)]
mod tests;
