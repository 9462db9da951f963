//! What a tool call would do, for the user who decides about it: its parts with the decision of the rules on
//! each, and the rules that would let it through from now on.

mod describe;
mod known;

use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_bridge::settings::{Explain, ExplainedCall, Explaining, Explanation};
use aqueduct_rules::{Behavior, Context, Decision, Rule, RuleChange, Source, decide, git_directories, paths};
use aqueduct_wire::permission::{Destination, PermissionPart, PermissionUpdate};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use self::describe::describe;
use self::known::ProjectContexts;
use crate::commands::rules::{self, Folders};

/// How many calls are explained at once. One that hangs, since files may be on a disk that does not answer, keeps its
/// place.
const AT_ONCE: usize = 4;

/// Calls with more input than this are not explained.
const LARGEST: usize = 256 * 1024;

/// Explains calls, on threads that may block.
pub(super) struct Explainer {
    known: Arc<ProjectContexts>,
    places: Arc<Semaphore>,
}

/// A call to be explained.
struct ExplainRequest {
    tool: String,
    input: String,
    project: PathBuf,
    mode: Option<String>,
}

impl Explainer {
    /// For the projects of a user.
    pub(super) fn new(folders: Folders) -> Self {
        Explainer {
            known: Arc::new(ProjectContexts::new(folders)),
            places: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Explain for Explainer {
    fn explain(&self, call: &ExplainedCall<'_>) -> Explaining {
        if call.input.len() > LARGEST {
            return Box::pin(async { Explanation::default() });
        }
        let question = ExplainRequest {
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

impl ProjectContexts {
    fn explain(&self, question: &ExplainRequest) -> Option<Explanation> {
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
        Some(Explanation { parts: decision.parts.iter().map(PermissionPart::from).collect(), rules })
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
        let (PermissionUpdate::AddRules(update), Ok(destination)) =
            (suggestion, Source::of_update(suggestion))
        else {
            continue;
        };
        let Ok(RuleChange { rules, behavior: Behavior::Allow }) = update.try_into() else { continue };
        found.extend(rules.into_iter().map(|rule| (rule, destination)));
    }
    if let ([part], [(wider, destination)]) = (&decision.parts[..], &found[..]) {
        let exact = Rule::with_content(&wider.tool_name, &part.command);
        if exact != *wider && is_enough(context, call, &exact) {
            found.insert(0, (exact, *destination));
        }
    }
    found
        .into_iter()
        .map(|(rule, source)| (rule.to_string(), Destination::from(source), Some(describe(&rule))))
        .collect()
}

/// Whether a rule allows a call, once it is written to the settings.
fn is_enough(context: &Context, call: &aqueduct_rules::Call<'_>, rule: &Rule) -> bool {
    let text = rule.to_string();
    if !Rule::parse(&text).is_ok_and(|read| read == *rule) || text.contains('*') {
        return false;
    }
    let mut context = context.clone();
    context.add_rules(Source::Session, Behavior::Allow, [text]).is_ok()
        && decide(&context, call).behavior == Behavior::Allow
}

#[cfg(test)]
mod tests;
