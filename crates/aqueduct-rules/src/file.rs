//! Decisions about files: for the tools that read and edit them, and for each file a command touches.

use crate::behavior::Behavior;
use crate::call::Call;
use crate::context::Context;
use crate::decision::{ReasonType, Stage};
use crate::mode::Mode;
use crate::outcome::Outcome;
use crate::path;
use crate::place;
use crate::rule_set::FileAccess;
use crate::suggest;
use crate::tool;

/// A rule of this behavior that holds for a path, looked up at every place the path leads to. For an allow
/// rule every place must be allowed, for the others one is enough.
pub(crate) fn rule(
    context: &Context,
    call: &Call<'_>,
    behavior: Behavior,
    path: &str,
    glob: bool,
    edits: bool,
) -> Option<usize> {
    if !context.rule_set().has_file_rules(behavior) {
        return None;
    }
    let working = context.working();
    let at = |path| {
        let access = FileAccess { path, glob, edits, tool: call.tool, working };
        context.rule_set().file_rule(behavior, access)
    };
    let mut found = call.places(path).map(at);
    match behavior {
        Behavior::Allow => {
            let all: Option<Vec<usize>> = found.collect();
            all?.first().copied()
        }
        _ => found.find_map(|index| index),
    }
}

/// Whether every place a path leads to lies in a working directory.
pub(crate) fn is_working(context: &Context, call: &Call<'_>, path: &str) -> bool {
    call.places(path).all(|place| context.is_working(place))
}

/// Why a path may not be edited without asking, at any place it leads to.
pub(crate) fn protection(call: &Call<'_>, path: &str) -> Option<&'static str> {
    call.places(path).find_map(place::protects)
}

/// Decides about a tool that reads or edits the file in `field`.
pub(crate) fn outcome(context: &Context, call: &Call<'_>, field: &str, edits: bool) -> Outcome {
    let given = tool::text(call.input, field);
    let named = match given {
        Some(text) => path::absolute(text, context.cwd(), context.home()),
        // Searching without a folder searches the working directory.
        None if !edits && call.input.get(field).is_none() && field == "path" => {
            Some(context.cwd().to_owned())
        }
        None => None,
    };
    let Some(file) = named.filter(|file| !file.contains('\0')) else {
        let reason = format!("the path in `{field}` is missing or can't be resolved");
        return unless_bypassed(context, Outcome::new(Behavior::Ask, ReasonType::SafetyCheck, reason))
            .at(Stage::Tool, given.map(str::to_owned));
    };
    let matched = || Some(file.clone());
    for (behavior, stage) in [(Behavior::Deny, Stage::Deny), (Behavior::Ask, Stage::Ask)] {
        if let Some(index) = rule(context, call, behavior, &file, false, edits) {
            return Outcome::by_rule(context, index, stage, matched());
        }
    }
    if let Some(index) = context.rule_set().broken_for(call.tool) {
        return Outcome::by_rule(context, index, Stage::Ask, matched());
    }
    if context.mode() == Mode::BypassPermissions {
        return Outcome::new(Behavior::Allow, ReasonType::Mode, "bypassPermissions allows it")
            .at(Stage::Mode, None);
    }
    if edits { edit(context, call, &file) } else { read(context, call, &file) }
}

fn unless_bypassed(context: &Context, outcome: Outcome) -> Outcome {
    if context.mode() == Mode::BypassPermissions {
        return Outcome::new(Behavior::Allow, ReasonType::Mode, "bypassPermissions allows it");
    }
    outcome
}

fn edit(context: &Context, call: &Call<'_>, file: &str) -> Outcome {
    let matched = Some(file.to_owned());
    if let Some(why) = protection(call, file) {
        let reason = format!("`{file}` is a protected place: {why}");
        return Outcome::new(Behavior::Ask, ReasonType::SafetyCheck, reason).at(Stage::Tool, matched);
    }
    let working = is_working(context, call, file);
    match context.mode() {
        Mode::AcceptEdits if working => {
            let reason = "acceptEdits allows edits in the working directories";
            return Outcome::new(Behavior::Allow, ReasonType::Mode, reason).at(Stage::Mode, matched);
        }
        Mode::Plan => {
            let reason = "plan mode asks about every edit";
            return Outcome::new(Behavior::Ask, ReasonType::Mode, reason)
                .at(Stage::Mode, matched)
                .asked_in_plan();
        }
        _ => {}
    }
    let by_pattern = rule(context, call, Behavior::Allow, file, false, true);
    if let Some(index) = by_pattern.or_else(|| whole(context, call, "Edit").filter(|_| working)) {
        return Outcome::by_rule(context, index, Stage::Allow, matched);
    }
    let (reason_type, reason) = if working {
        (ReasonType::Other, "no rule allows editing it".to_owned())
    } else {
        (ReasonType::WorkingDir, format!("`{file}` is outside the working directories"))
    };
    Outcome::new(Behavior::Ask, reason_type, reason)
        .at(Stage::Default, matched)
        .suggesting(suggest::edit(context, file, working))
}

fn read(context: &Context, call: &Call<'_>, file: &str) -> Outcome {
    let matched = Some(file.to_owned());
    if let Some(index) = rule(context, call, Behavior::Allow, file, false, false) {
        return Outcome::by_rule(context, index, Stage::Allow, matched);
    }
    if let Some(why) = call.places(file).find_map(place::holds_credentials) {
        let reason = format!("`{file}` is a protected place: {why}");
        return Outcome::new(Behavior::Ask, ReasonType::SafetyCheck, reason).at(Stage::Tool, matched);
    }
    if let Some(index) = whole(context, call, "Read") {
        return Outcome::by_rule(context, index, Stage::Allow, matched);
    }
    if is_working(context, call, file) {
        let reason = "reading in the working directories is allowed";
        return Outcome::new(Behavior::Allow, ReasonType::Mode, reason).at(Stage::Tool, matched);
    }
    if context.mode() == Mode::Plan {
        return Outcome::new(Behavior::Allow, ReasonType::Mode, "plan mode allows reading")
            .at(Stage::Mode, matched);
    }
    let reason = format!("`{file}` is outside the working directories");
    Outcome::new(Behavior::Ask, ReasonType::WorkingDir, reason)
        .at(Stage::Default, matched)
        .suggesting(suggest::read(file))
}

/// An allow rule for every call of the tool, or of the tool that stands for its family.
fn whole(context: &Context, call: &Call<'_>, family: &str) -> Option<usize> {
    let rules = context.rule_set();
    rules.whole_tool(Behavior::Allow, call.tool).or_else(|| rules.whole_tool(Behavior::Allow, family))
}
