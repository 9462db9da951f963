//! Decisions about files: for the tools that read and edit them, and for each file a command touches.

use aqueduct_wire::control::DecisionReasonType;

use crate::behavior::Behavior;
use crate::call::Call;
use crate::context::Context;
use crate::decision::Stage;
use crate::mode::Mode;
use crate::outcome::PartialDecision;
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

/// Whether every place a path leads to is in a working directory.
pub(crate) fn is_working(context: &Context, call: &Call<'_>, path: &str) -> bool {
    call.places(path).all(|place| context.is_working(place))
}

/// Why a path may not be edited without asking, at any place it leads to.
pub(crate) fn protection(context: &Context, call: &Call<'_>, path: &str) -> Option<&'static str> {
    call.places(path).find_map(|place| place::protects(place).or_else(|| context.credential_to_write(place)))
}

/// What a path holds, if that is credentials which no rule names, at any place it leads to. With `glob`, what
/// its wildcards may match.
pub(crate) fn credential(context: &Context, call: &Call<'_>, path: &str, glob: bool) -> Option<&'static str> {
    call.places(path).find_map(|place| {
        let what = if glob { context.credential_like(place) } else { context.credential(place) }?;
        let access = FileAccess {
            path: place,
            glob: false,
            edits: false,
            tool: call.tool,
            working: context.working(),
        };
        let is_credential = |named: &str| context.credential(named).is_some();
        let named = context.rule_set().names_credential(access, is_credential);
        named.is_none().then_some(what)
    })
}

/// The absolute paths to resolve for a path in a tool's input: as it reads, and where `..` climbs out of a
/// folder that may be a link, as it was written too.
pub(crate) fn paths(context: &Context, text: &str) -> Vec<String> {
    let (cwd, home) = (context.cwd(), context.home());
    let written = path::climbs_after_descent(text).then(|| path::as_written(text, cwd, home)).flatten();
    path::absolute(text, cwd, home).into_iter().chain(written).collect()
}

/// Fields in which searching tools take patterns of file names.
const SEARCHES: [(&str, &str); 2] = [("Glob", "pattern"), ("Grep", "glob")];

/// What the pattern of a searching tool reaches besides the folder it is given.
#[derive(Default)]
struct SearchScope {
    /// Places outside the folder that it names.
    places: Vec<String>,
    /// Whether it is not known where it leads.
    lost: bool,
    /// Whether a rule forbids a file that it may match.
    forbidden: bool,
}

fn search(context: &Context, call: &Call<'_>, folder: &str) -> SearchScope {
    let mut found = SearchScope::default();
    let field = SEARCHES.iter().find(|(tool, _)| *tool == call.tool);
    let Some(text) = field.and_then(|(_, field)| tool::text(call.input, field)) else { return found };
    let forbids = [Behavior::Deny, Behavior::Ask];
    let has_rules = forbids.iter().any(|behavior| context.rule_set().has_file_rules(*behavior));
    let names_all = text.contains(['{', '\\']);
    found.forbidden = names_all && has_rules;
    found.lost = names_all
        && (text.contains("..") || text.contains(['~', '\\']) || text.contains("{/") || text.contains(",/"));
    let patterns = text.split([' ', ',']).chain([text]);
    for pattern in patterns.filter(|pattern| !pattern.is_empty() && !pattern.starts_with('!')) {
        let is_wild = |name: &&str| name.contains(['*', '?', '[', '{']);
        let plain: Vec<&str> = pattern.split('/').take_while(|name| !is_wild(name)).collect();
        let climbs = pattern.split('/').any(|name| name == "..");
        found.lost |= pattern.split('/').skip(plain.len()).any(|name| name == "..");
        found.lost |= path::climbs_after_descent(pattern);
        if climbs || pattern.starts_with(['/', '~']) {
            match path::absolute(&format!("{}/", plain.join("/")), folder, context.home()) {
                Some(place) => found.places.push(place),
                None => found.lost = true,
            }
        }
        found.forbidden |= has_rules && {
            let rooted = path::absolute(pattern, folder, context.home());
            let deep = format!("{folder}/**/{pattern}");
            rooted.into_iter().chain([deep]).any(|glob| may_be_forbidden(context, call, &glob))
        };
    }
    found
}

/// Whether a deny or ask rule holds for a file that this pattern can match.
fn may_be_forbidden(context: &Context, call: &Call<'_>, glob: &str) -> bool {
    // Searching tools look at hidden files as well, as the double star states.
    let glob = path::lexical(glob);
    let (folder, last) = glob.rsplit_once('/').unwrap_or(("", &glob));
    let shown = match last.strip_prefix('*') {
        Some(rest) if last != "**" && call.tool == "Grep" => {
            format!("{folder}/**{}", rest.trim_start_matches('*'))
        }
        _ => glob.clone(),
    };
    [Behavior::Deny, Behavior::Ask].into_iter().any(|behavior| {
        [&glob, &shown].into_iter().any(|glob| rule(context, call, behavior, glob, true, false).is_some())
    })
}

/// Whether a search shows the contents of every file of a folder, and a rule forbids one that may be there.
fn shows_forbidden(context: &Context, call: &Call<'_>, folder: &str) -> bool {
    let shows = call.tool == "Grep" && tool::text(call.input, "output_mode") == Some("content");
    let narrowed = ["glob", "type"].iter().any(|field| tool::text(call.input, field).is_some());
    // A name with an ending is a file, and has been looked at by itself.
    let is_file = folder.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'));
    shows && !narrowed && !is_file && may_be_forbidden(context, call, &format!("{folder}/**"))
}

/// Decides about a tool that reads or edits the file in `field`.
pub(crate) fn outcome(context: &Context, call: &Call<'_>, field: &str, edits: bool) -> PartialDecision {
    let given = tool::text(call.input, field);
    let named = match given {
        Some(text) => path::absolute(text, context.cwd(), context.home()),
        // Searching without a folder searches the working directory.
        None if !edits && call.input.get(field).is_none() && field == "path" => {
            Some(context.cwd().to_owned())
        }
        None => None,
    };
    // Two backslashes name another machine on some systems.
    let is_remote = given.is_some_and(|text| text.starts_with("\\\\"));
    let Some(file) = named.filter(|file| !is_remote && !file.contains(char::is_control)) else {
        let reason = format!("the path in `{field}` is missing or can't be resolved");
        return unless_bypassed(
            context,
            PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason),
        )
        .at(Stage::Tool, given.map(str::to_owned));
    };
    let matched = || Some(file.clone());
    let climbing = given.filter(|text| path::climbs_after_descent(text));
    let written = climbing.and_then(|text| path::as_written(text, context.cwd(), context.home()));
    let leading = written.as_deref().map(|written| call.leading(&file, written));
    let lost = written.is_some_and(|written| !call.knows(&written));
    let call = leading.as_ref().unwrap_or(call);
    let mut search = search(context, call, &file);
    search.forbidden |= shows_forbidden(context, call, &file);
    let sweeps =
        call.tool == "Grep" && call.places(&file).any(|place| context.may_hold_credentials(place, true));
    for (behavior, stage) in [(Behavior::Deny, Stage::Deny), (Behavior::Ask, Stage::Ask)] {
        for path in std::iter::once(&file).chain(&search.places) {
            if let Some(index) = rule(context, call, behavior, path, false, edits) {
                return PartialDecision::by_rule(context, index, stage, Some(path.clone()));
            }
        }
    }
    if let Some(index) = context.rule_set().broken_for(call.tool) {
        return PartialDecision::by_rule(context, index, Stage::Ask, matched());
    }
    let bypassed = context.mode() == Mode::BypassPermissions;
    let forbids = |behavior| context.rule_set().has_file_rules(behavior);
    let matters = !bypassed || forbids(Behavior::Deny) || forbids(Behavior::Ask);
    if search.lost && matters {
        let reason = "it is not known where its pattern leads";
        return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, matched());
    }
    if lost && matters {
        let reason = format!("`..` in the way to `{file}` may follow a link elsewhere");
        return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, matched());
    }
    if search.forbidden && !context.filters_searches() {
        let reason = "its pattern may match a file that a rule forbids";
        return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, matched());
    }
    if bypassed {
        return PartialDecision::new(
            Behavior::Allow,
            DecisionReasonType::Mode,
            "bypassPermissions allows it",
        )
        .at(Stage::Mode, None);
    }
    if sweeps && !context.filters_searches() {
        let reason = format!("credentials may be among the files below `{file}`");
        return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, matched());
    }
    if edits {
        return edit(context, call, &file);
    }
    let mut outside = search.places.iter().map(|place| read(context, call, place));
    let asked = outside.find(|outcome| outcome.behavior != Behavior::Allow);
    asked.unwrap_or_else(|| read(context, call, &file))
}

fn unless_bypassed(context: &Context, outcome: PartialDecision) -> PartialDecision {
    if context.mode() == Mode::BypassPermissions {
        return PartialDecision::new(
            Behavior::Allow,
            DecisionReasonType::Mode,
            "bypassPermissions allows it",
        );
    }
    outcome
}

fn edit(context: &Context, call: &Call<'_>, file: &str) -> PartialDecision {
    let matched = Some(file.to_owned());
    if let Some(why) = protection(context, call, file) {
        let reason = format!("`{file}` is a protected place: {why}");
        return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, matched);
    }
    let working = is_working(context, call, file);
    match context.mode() {
        Mode::AcceptEdits if working => {
            let reason = "acceptEdits allows edits in the working directories";
            return PartialDecision::new(Behavior::Allow, DecisionReasonType::Mode, reason)
                .at(Stage::Mode, matched);
        }
        Mode::Plan => {
            let reason = "plan mode asks about every edit";
            return PartialDecision::new(Behavior::Ask, DecisionReasonType::Mode, reason)
                .at(Stage::Mode, matched)
                .asked_in_plan();
        }
        _ => {}
    }
    let by_pattern = rule(context, call, Behavior::Allow, file, false, true);
    if let Some(index) = by_pattern.or_else(|| whole(context, call, "Edit").filter(|_| working)) {
        return PartialDecision::by_rule(context, index, Stage::Allow, matched);
    }
    let (reason_type, reason) = if working {
        (DecisionReasonType::OtherReason, "no rule allows editing it".to_owned())
    } else {
        (DecisionReasonType::WorkingDir, format!("`{file}` is outside the working directories"))
    };
    PartialDecision::new(Behavior::Ask, reason_type, reason)
        .at(Stage::Default, matched)
        .suggesting(suggest::edit(context, file, working))
}

fn read(context: &Context, call: &Call<'_>, file: &str) -> PartialDecision {
    let matched = Some(file.to_owned());
    if let Some(what) = credential(context, call, file, false) {
        let reason = format!("`{file}` holds credentials ({what}), and no rule names it");
        return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, matched);
    }
    if let Some(index) = rule(context, call, Behavior::Allow, file, false, false) {
        return PartialDecision::by_rule(context, index, Stage::Allow, matched);
    }
    if let Some(index) = whole(context, call, "Read") {
        return PartialDecision::by_rule(context, index, Stage::Allow, matched);
    }
    if is_working(context, call, file) {
        let reason = "reading in the working directories is allowed";
        return PartialDecision::new(Behavior::Allow, DecisionReasonType::Mode, reason)
            .at(Stage::Tool, matched);
    }
    if context.mode() == Mode::Plan {
        return PartialDecision::new(Behavior::Allow, DecisionReasonType::Mode, "plan mode allows reading")
            .at(Stage::Mode, matched);
    }
    let reason = format!("`{file}` is outside the working directories");
    PartialDecision::new(Behavior::Ask, DecisionReasonType::WorkingDir, reason)
        .at(Stage::Default, matched)
        .suggesting(suggest::read(context, file))
}

/// An allow rule for every call of the tool, or of the tool that represents its family.
fn whole(context: &Context, call: &Call<'_>, family: &str) -> Option<usize> {
    let rules = context.rule_set();
    rules.whole_tool(Behavior::Allow, call.tool).or_else(|| rules.whole_tool(Behavior::Allow, family))
}
