//! The flow: deny, ask, the tool's own check, mode, allow, ask.

use aqueduct_wire::control::DecisionReasonType;
use aqueduct_wire::permission::{PermissionUpdate, RuleBehavior};

use crate::bash;
use crate::behavior::Behavior;
use crate::call::Call;
use crate::context::Context;
use crate::decision::{Decision, Stage};
use crate::domain;
use crate::file;
use crate::mode::Mode;
use crate::outcome::PartialDecision;
use crate::suggest;
use crate::tool::{self, ToolKind};

/// Decides about a call. Every call gets a decision; nothing panics and nothing is looked up outside the
/// arguments.
pub fn decide(context: &Context, call: &Call<'_>) -> Decision {
    let question = InspectedCall::new(context, call);
    let interactive = question.kind == ToolKind::Interactive;
    let mut decision = question.outcome(context).settled(context, interactive);
    if !decision.suggestions.is_empty() {
        // Rules are one way to allow the call; directories and the mode together are another.
        let is_rule = |suggestion: &PermissionUpdate<'_>| matches!(suggestion, PermissionUpdate::AddRules(_));
        let (rules, others): (Vec<_>, Vec<_>) = decision.suggestions.into_iter().partition(is_rule);
        let ways = [rules, others].into_iter().filter(|way| question.is_settled_by(context, way));
        decision.suggestions = ways.flatten().collect();
    }
    decision
}

/// The absolute paths a decision about this call looks at. A host that can resolve symlinks passes the
/// real ones back in [`Call::with_resolved`].
pub fn paths(context: &Context, call: &Call<'_>) -> Vec<String> {
    match tool::kind(call.tool) {
        ToolKind::Shell => {
            tool::text(call.input, "command").map_or_else(Vec::new, |text| bash::paths(context, text))
        }
        ToolKind::Read(field) | ToolKind::Edit(field) => {
            tool::text(call.input, field).map_or_else(Vec::new, |text| file::paths(context, text))
        }
        _ => Vec::new(),
    }
}

/// The absolute directories in which this call would run git. A host finds out what git would use there, and passes it
/// back in [`Call::with_repositories`]; without that, git commands are asked about.
pub fn git_directories(context: &Context, call: &Call<'_>) -> Vec<String> {
    match tool::kind(call.tool) {
        ToolKind::Shell => tool::text(call.input, "command")
            .map_or_else(Vec::new, |text| bash::git_directories(context, text)),
        _ => Vec::new(),
    }
}

/// A call with what is seen in it, whatever the rules, the mode and the directories are.
struct InspectedCall<'c> {
    call: &'c Call<'c>,
    kind: ToolKind,
    /// What a shell command is seen to do.
    command_view: Option<bash::CommandView<'c>>,
}

impl<'c> InspectedCall<'c> {
    fn new(context: &'c Context, call: &'c Call<'c>) -> Self {
        let kind = tool::kind(call.tool);
        let command = tool::text(call.input, "command").filter(|_| kind == ToolKind::Shell);
        Self { call, kind, command_view: command.map(|text| bash::CommandView::new(context, text)) }
    }

    /// Whether the call would be allowed after these changes. The clone shares the rules of the context, and
    /// the command is not read again.
    fn is_settled_by(&self, context: &Context, changes: &[PermissionUpdate<'static>]) -> bool {
        if changes.is_empty() {
            return false;
        }
        let mut after = context.clone();
        if !changes.iter().all(|change| after.apply(change).is_ok()) {
            return false;
        }
        let permits = |change: &PermissionUpdate<'_>| matches!(change, PermissionUpdate::AddRules(update) if update.behavior == Some(RuleBehavior::Allow));
        match &self.command_view {
            // Something is offered only where nothing forbids, and more that permits doesn't change that.
            Some(command_view) if changes.iter().all(permits) => {
                bash::permits(&after, self.call, command_view)
            }
            _ => self.outcome(&after).behavior == Behavior::Allow,
        }
    }

    fn outcome(&self, context: &Context) -> PartialDecision {
        let (call, kind) = (self.call, self.kind);
        for (behavior, stage) in [(Behavior::Deny, Stage::Deny), (Behavior::Ask, Stage::Ask)] {
            // A shell command may be denied by its content before a rule for the whole tool asks about it, and
            // a file by its path, so those look at both themselves.
            let looks_itself = behavior == Behavior::Ask
                && matches!(kind, ToolKind::Shell | ToolKind::Read(_) | ToolKind::Edit(_));
            if let Some(index) = whole_tool(context, call, kind, behavior).filter(|_| !looks_itself) {
                return PartialDecision::by_rule(context, index, stage, None);
            }
        }
        let asked = whole_tool(context, call, kind, Behavior::Ask);
        let found = match kind {
            ToolKind::Shell => return bash::outcome(context, call, self.command_view.as_ref(), asked),
            ToolKind::Read(field) => file::outcome(context, call, field, false),
            ToolKind::Edit(field) => file::outcome(context, call, field, true),
            ToolKind::Fetch => return fetch(context, call),
            ToolKind::Subagent => return named(context, call, tool::text(call.input, "subagent_type"), true),
            ToolKind::Skill => return named(context, call, tool::text(call.input, "skill"), false),
            ToolKind::Interactive => {
                let reason = "this tool is a question to the person";
                return PartialDecision::new(Behavior::Ask, DecisionReasonType::OtherReason, reason)
                    .at(Stage::Tool, None);
            }
            ToolKind::Harmless => return harmless(context, call),
            ToolKind::Other => return other(context, call),
        };
        match asked {
            Some(index) if found.behavior != Behavior::Deny => {
                PartialDecision::by_rule(context, index, Stage::Ask, None)
            }
            _ => found,
        }
    }
}

/// A rule for every call of this tool. What forbids Edit or Read forbids the tools they represent.
fn whole_tool(context: &Context, call: &Call<'_>, kind: ToolKind, behavior: Behavior) -> Option<usize> {
    let rules = context.rule_set();
    let family = match kind {
        ToolKind::Edit(_) => Some("Edit"),
        ToolKind::Read(_) => Some("Read"),
        _ => None,
    };
    let own = rules.whole_tool(behavior, call.tool);
    own.or_else(|| family.and_then(|family| rules.whole_tool(behavior, family)))
}

fn bypassed(context: &Context) -> Option<PartialDecision> {
    (context.mode() == Mode::BypassPermissions).then(|| {
        PartialDecision::new(Behavior::Allow, DecisionReasonType::Mode, "bypassPermissions allows it")
            .at(Stage::Mode, None)
    })
}

fn broken(context: &Context, call: &Call<'_>) -> Option<PartialDecision> {
    let index = context.rule_set().broken_for(call.tool)?;
    Some(PartialDecision::by_rule(context, index, Stage::Ask, None))
}

fn harmless(context: &Context, call: &Call<'_>) -> PartialDecision {
    broken(context, call).unwrap_or_else(|| {
        let reason = "this tool only keeps notes or looks at the agent's own state";
        PartialDecision::new(Behavior::Allow, DecisionReasonType::OtherReason, reason).at(Stage::Tool, None)
    })
}

fn other(context: &Context, call: &Call<'_>) -> PartialDecision {
    if let Some(outcome) = broken(context, call).or_else(|| bypassed(context)) {
        return outcome;
    }
    match context.rule_set().whole_tool(Behavior::Allow, call.tool) {
        Some(index) => PartialDecision::by_rule(context, index, Stage::Allow, None),
        None => unanswered(suggest::tool(call.tool)),
    }
}

fn unanswered(suggestions: Vec<PermissionUpdate<'static>>) -> PartialDecision {
    PartialDecision::new(Behavior::Ask, DecisionReasonType::OtherReason, "no rule allows it")
        .at(Stage::Default, None)
        .suggesting(suggestions)
}

fn fetch(context: &Context, call: &Call<'_>) -> PartialDecision {
    let host = tool::text(call.input, "url").and_then(domain::host);
    let rules = context.rule_set();
    let Some(host) = host else {
        let reason = "this is not an http or https address whose host every program parses the same way";
        return PartialDecision::new(Behavior::Deny, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, None);
    };
    let matched = || Some(host.clone());
    for (behavior, stage) in [(Behavior::Deny, Stage::Deny), (Behavior::Ask, Stage::Ask)] {
        if let Some(index) = rules.named(behavior, call.tool, &host) {
            return PartialDecision::by_rule(context, index, stage, matched());
        }
    }
    if let Some(outcome) = broken(context, call).or_else(|| bypassed(context)) {
        return outcome;
    }
    let whole = || rules.whole_tool(Behavior::Allow, call.tool);
    match rules.named(Behavior::Allow, call.tool, &host).or_else(whole) {
        Some(index) => PartialDecision::by_rule(context, index, Stage::Allow, matched()),
        None => unanswered(suggest::host(&host)),
    }
}

/// Subagents and skills are known by a name in their input.
fn named(context: &Context, call: &Call<'_>, name: Option<&str>, allowed: bool) -> PartialDecision {
    let rules = context.rule_set();
    let matched = || name.map(str::to_owned);
    for (behavior, stage) in [(Behavior::Deny, Stage::Deny), (Behavior::Ask, Stage::Ask)] {
        if let Some(index) = name.and_then(|name| rules.named(behavior, call.tool, name)) {
            return PartialDecision::by_rule(context, index, stage, matched());
        }
    }
    if let Some(outcome) = broken(context, call).or_else(|| bypassed(context)) {
        return outcome;
    }
    let by_name = name.and_then(|name| rules.named(Behavior::Allow, call.tool, name));
    if let Some(index) = by_name.or_else(|| rules.whole_tool(Behavior::Allow, call.tool)) {
        return PartialDecision::by_rule(context, index, Stage::Allow, matched());
    }
    if allowed {
        let reason = "a subagent's own calls are checked one by one";
        return PartialDecision::new(Behavior::Allow, DecisionReasonType::OtherReason, reason)
            .at(Stage::Tool, matched());
    }
    unanswered(name.map_or_else(Vec::new, suggest::skill))
}
