//! What permits a command: a rule that covers it, the table of reading commands, or the mode.

use aqueduct_wire::control::DecisionReasonType;

use super::access::{AccessKind, PathAccess};
use super::git_place::CommandGrant;
use super::inside::{self, InnerCommand};
use super::look::{FoundCommand, joined};
use super::wrapper::WrapperReach;
use super::{Shell, environment, git_place, git_rule, options, other_vcs, reading, writing, written};
use crate::bash_rule::BashRule;
use crate::behavior::Behavior;
use crate::decision::{Stage, Step};
use crate::file;
use crate::mode::Mode;
use crate::outcome::{PartialDecision, rule_step, short};
use crate::program_name::base_name;
use crate::shell::{ShellCommand, ShellWord};
use crate::suggest::MissingGrant;

/// Wrappers around a command that rules look through, at most.
const MAX_WRAPPERS: usize = 5;

/// More commands than this are not listed in the trace one by one.
const MAX_STEPS: usize = 64;

const EVERY: [WrapperReach; 3] = [WrapperReach::Everything, WrapperReach::Rules, WrapperReach::Forbidding];

/// What covers a command.
enum Cover {
    Rule(usize),
    Reading,
    Mode,
    Assignment,
    Nothing,
}

/// Why a command is not allowed, and what would allow it.
struct PermissionNeed {
    reason: String,
    reason_type: DecisionReasonType<'static>,
    wish: Option<MissingGrant>,
}

impl PermissionNeed {
    fn unsafe_to_guess(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), reason_type: DecisionReasonType::SafetyCheck, wish: None }
    }
}

/// Decides about a text without uncertainties, command by command.
pub(super) fn commands(shell: &Shell<'_>) -> PartialDecision {
    let mut steps = Vec::new();
    let mut needs = Vec::new();
    let all: Vec<(&FoundCommand<'_>, &[PathAccess])> =
        shell.commands().filter(|(seen, _)| seen.top).collect();
    for (at, (seen, accesses)) in all.iter().enumerate() {
        let before = at.checked_sub(1).filter(|before| *before == 0).map(|before| all[before].0);
        let layers = Layers::of(&seen.command);
        let cover = cover(shell, seen, &layers, before);
        let mut found = needs_of(shell, seen, &layers, accesses, &cover);
        let is_reported = steps.len() < MAX_STEPS || !found.is_empty();
        let matched = is_reported.then(|| written(seen));
        match (&cover, found.first()) {
            _ if !is_reported => {}
            (_, Some(need)) => steps.push(Step {
                step: Stage::Tool,
                behavior: Behavior::Ask,
                note: need.reason.clone(),
                source: None,
                rule: None,
                matched,
            }),
            (Cover::Rule(index), None) => steps.push(rule_step(shell.context, *index, Stage::Allow, matched)),
            (cover, None) => steps.push(Step {
                step: if matches!(cover, Cover::Mode) { Stage::Mode } else { Stage::Tool },
                behavior: Behavior::Allow,
                note: cover.note().to_owned(),
                source: None,
                rule: None,
                matched,
            }),
        }
        needs.append(&mut found);
        // The first needs suffice; users do not read a thousand.
        if needs.len() > MAX_STEPS {
            break;
        }
    }
    let mut outcome = match needs.first() {
        None => {
            let reason = match steps.as_slice() {
                [] => "there is nothing to run".to_owned(),
                [step] => step.note.clone(),
                _ => "each command in it is allowed".to_owned(),
            };
            PartialDecision::new(Behavior::Allow, DecisionReasonType::SubcommandResults, reason)
        }
        Some(need) => PartialDecision::new(Behavior::Ask, need.reason_type.clone(), need.reason.clone()),
    };
    // One command that no rule should cover makes "always allow" an empty promise for the whole text.
    let wishes: Option<Vec<MissingGrant>> = needs.into_iter().map(|need| need.wish).collect();
    outcome.suggestions = wishes.map_or_else(Vec::new, |wishes| crate::suggest::shell(shell.context, wishes));
    outcome.steps = steps;
    outcome
}

impl Cover {
    /// What makes git's use of a repository granted.
    fn grant<'s>(&self, shell: &'s Shell<'_>) -> Option<CommandGrant<'s>> {
        match self {
            Self::Rule(index) => shell.context.rule_set().bash_rule(*index).map(CommandGrant::Rule),
            Self::Reading => Some(CommandGrant::Reading),
            _ => None,
        }
    }

    fn note(&self) -> &'static str {
        match self {
            Self::Rule(_) => "a rule allows it",
            Self::Reading => "it only reads",
            Self::Mode => "acceptEdits allows everyday file commands in the working directories",
            Self::Assignment => "it only sets a variable",
            Self::Nothing => "nothing allows it",
        }
    }
}

/// The words of a command and of the commands it wraps, outermost first, each with how far the wrappers
/// before it may be looked through.
struct Layers<'w, 'a> {
    outer: &'w [ShellWord<'a>],
    inner: Vec<(Vec<ShellWord<'a>>, WrapperReach)>,
}

impl<'w, 'a> Layers<'w, 'a> {
    fn of(command: &'w ShellCommand<'a>) -> Self {
        let mut layers = Self { outer: &command.words, inner: Vec::new() };
        while layers.inner.len() < MAX_WRAPPERS {
            let (words, so_far) = layers
                .inner
                .last()
                .map_or((layers.outer, WrapperReach::Everything), |(words, how)| (words, *how));
            let inner = inside::inside_words(words).into_iter().find_map(|inside| match inside {
                InnerCommand::Words(words, how) => Some((words, so_far.max_strict(how))),
                _ => None,
            });
            match inner {
                Some(inner) => layers.inner.push(inner),
                None => break,
            }
        }
        layers
    }

    /// The layers that can be looked through this far.
    fn through<'l>(&'l self, known: &'l [WrapperReach]) -> impl Iterator<Item = &'l [ShellWord<'a>]> {
        let inner = self.inner.iter().filter(move |(_, how)| known.contains(how));
        std::iter::once(self.outer).chain(inner.map(|(words, _)| words.as_slice()))
    }
}

fn raw(words: &[ShellWord<'_>]) -> String {
    joined(words.iter().map(|word| word.raw.as_ref()))
}

fn cover(
    shell: &Shell<'_>,
    seen: &FoundCommand<'_>,
    layers: &Layers<'_, '_>,
    before: Option<&FoundCommand<'_>>,
) -> Cover {
    let command = &seen.command;
    if command.words.is_empty() {
        return Cover::Assignment;
    }
    let harmless = command.assignments.iter().all(environment::is_harmless);
    let mut texts = Vec::with_capacity(1);
    if !command.assignments.is_empty() {
        texts.push(written(seen));
    }
    let mut added_to = Vec::new();
    if harmless {
        // What xargs runs gets more words than are written, so only a rule that leaves the end open covers
        // it, and only where nothing in the text feeds it.
        let mut fed = false;
        let unfed = shell.alone && !command.piped && command.redirects.is_empty();
        for words in layers.through(&[WrapperReach::Everything, WrapperReach::Rules]) {
            let values: Vec<&str> = words.iter().skip(1).map(|word| word.value.as_ref()).collect();
            let is_git = words.first().is_some_and(|word| word.value == "git");
            if fed && (!unfed || is_git && !git_rule::takes_more(&values)) {
                break;
            }
            if fed { &mut added_to } else { &mut texts }.push(raw(words));
            fed |= words.first().is_some_and(|word| word.value == "xargs");
        }
    }
    let rules = shell.context.rule_set();
    if let Some(index) = rules.narrowest_bash(Behavior::Allow, &texts) {
        return Cover::Rule(index);
    }
    let is_prefix = |index: &usize| matches!(rules.bash_rule(*index), Some(BashRule::Prefix(_)));
    if let Some(index) = rules.narrowest_bash(Behavior::Allow, &added_to).filter(is_prefix) {
        return Cover::Rule(index);
    }
    if harmless && is_reading(shell, command, layers, before) {
        return Cover::Reading;
    }
    let plain = command.assignments.is_empty() && layers.inner.is_empty();
    let named = command.words.first().is_some_and(ShellWord::is_plain);
    if shell.context.mode() == Mode::AcceptEdits
        && plain
        && named
        && writing::is_everyday(&command.words[0].value, &seen.values())
    {
        return Cover::Mode;
    }
    Cover::Nothing
}

fn is_reading(
    shell: &Shell<'_>,
    command: &ShellCommand<'_>,
    layers: &Layers<'_, '_>,
    before: Option<&FoundCommand<'_>>,
) -> bool {
    let Some(words) = layers.through(&[WrapperReach::Everything]).last() else { return false };
    if !words.first().is_some_and(ShellWord::is_plain) {
        return false;
    }
    if words[0].value != "xargs" {
        return reading::is_safe(words);
    }
    // What xargs adds is names of files that the command before it has found, and which are known to lead into
    // a working directory.
    let Some(fed) = reading::fed_by_xargs(words) else { return false };
    let Some(program) = fed.first() else { return true };
    let shows_text = matches!(program.value.as_ref(), "echo" | "printf");
    let lists = before.is_some_and(|before| {
        reading::lists_names(before.program(), &before.values()) && shell.names_lead_inside(before)
    });
    reading::FED.contains(&program.value.as_ref())
        && reading::is_safe(fed)
        && command.piped
        && (lists || shows_text)
}

fn needs_of(
    shell: &Shell<'_>,
    seen: &FoundCommand<'_>,
    layers: &Layers<'_, '_>,
    accesses: &[PathAccess],
    cover: &Cover,
) -> Vec<PermissionNeed> {
    let mut needs = Vec::new();
    if let Some(need) = command_need(shell, seen, layers, cover) {
        needs.push(need);
    }
    if shell.look.moves && needs.is_empty() {
        if shell.writes {
            needs.push(PermissionNeed::unsafe_to_guess("the directory changes before a file is written"));
        } else if shell.uses_git {
            needs.push(PermissionNeed::unsafe_to_guess(
                "the directory changes before git runs, which may trust what it finds there",
            ));
        }
    }
    let plants = shell.makes_repository || shell.plants && shell.context.mode() == Mode::AcceptEdits;
    if plants && needs.is_empty() {
        needs.push(PermissionNeed::unsafe_to_guess(
            "git runs beside what writes files, and may trust what it finds",
        ));
    }
    needs.extend(accesses.iter().filter_map(|access| access_need(shell, access, cover)));
    // What a wrapped command touches is touched by the wrapper too.
    for (words, _) in &layers.inner {
        let inner = shell.look.touched_by_words(words, shell.context.home());
        needs.extend(inner.iter().filter_map(|access| access_need(shell, access, cover)));
    }
    needs
}

/// What the command itself still needs.
fn command_need(
    shell: &Shell<'_>,
    seen: &FoundCommand<'_>,
    layers: &Layers<'_, '_>,
    cover: &Cover,
) -> Option<PermissionNeed> {
    for words in layers.through(&EVERY) {
        let program = words.first().map_or("", |word| base_name(&word.value));
        let values: Vec<&str> = words.iter().skip(1).map(|word| word.value.as_ref()).collect();
        if let Some(reason) = writing::never_by_rule(program) {
            return Some(PermissionNeed::unsafe_to_guess(format!("`{}`: {reason}", short(program))));
        }
        let rule = match cover {
            Cover::Rule(index) => shell.context.rule_set().bash_rule(*index),
            _ => None,
        };
        let exact = matches!(rule, Some(BashRule::Exact(_)));
        let exceeds = match rule {
            _ if exact => None,
            Some(_) if shell.context.has_open_prefixes() => writing::turns_to_others(program, &values),
            Some(rule) => {
                let fixed = fixed_words(rule, layers, words).saturating_sub(1);
                writing::exceeds_rules(program, &values, fixed, &|word| shell.leaves(word))
            }
            None => writing::turns_to_others(program, &values),
        };
        if let Some(reason) = exceeds {
            return Some(PermissionNeed::unsafe_to_guess(format!("`{}`: {reason}", short(program))));
        }
        if git_place::uses_repository(program)
            && let Some(grant) = cover.grant(shell)
            && let Some(reason) = git_place::need(words, shell.look, shell.call, shell.context.home(), grant)
        {
            return Some(PermissionNeed::unsafe_to_guess(reason));
        }
        if other_vcs::is_one(program) && shell.look.places.iter().any(|place| !shell.context.is_start(place))
        {
            let reason = "it may run what the repository in another directory names";
            return Some(PermissionNeed::unsafe_to_guess(format!("`{}`: {reason}", short(program))));
        }
        if writing::turned_by_names(program, words) && !exact {
            let reason = "a wildcard in it may expand to a name that is taken for an option";
            return Some(PermissionNeed::unsafe_to_guess(format!("`{}`: {reason}", short(program))));
        }
    }
    if let Some(set) =
        seen.command.assignments.iter().find(|set| {
            seen.command.words.is_empty() && (environment::is_loaded(&set.name) || !set.value.known)
        })
    {
        let reason = format!("setting `{}` can change what later commands run", set.name);
        return Some(PermissionNeed::unsafe_to_guess(reason));
    }
    if let Cover::Rule(index) = cover
        && let Some(BashRule::Wildcard(pieces, _)) = shell.context.rule_set().bash_rule(*index)
        && let Some(set) = unexpected(&seen.command, pieces)
    {
        return Some(PermissionNeed::unsafe_to_guess(format!(
            "setting `{set}` can change what the command runs"
        )));
    }
    if let Cover::Nothing = cover {
        let leaves = |word: &str| shell.leaves(word);
        let beyond = options::excess(seen.program(), &seen.values(), 0, &leaves).is_some();
        let reason = format!("no rule allows `{}`", short(&written(seen)));
        let everyday =
            seen.command.assignments.is_empty() && writing::is_everyday(seen.program(), &seen.values());
        let wish = MissingGrant::Command {
            text: written(seen),
            words: if beyond { Vec::new() } else { words_of(seen) },
            everyday,
        };
        return Some(PermissionNeed {
            reason,
            reason_type: DecisionReasonType::SubcommandResults,
            wish: Some(wish),
        });
    }
    None
}

/// A variable that programs take as an order and that a rule with wildcards does not name.
fn unexpected<'c>(command: &'c ShellCommand<'_>, pieces: &[String]) -> Option<&'c str> {
    let named = |name: &str| pieces.first().is_some_and(|first| first.contains(&format!("{name}=")));
    let set = command.assignments.iter().filter(|set| !environment::is_harmless(set));
    let mut names = set.map(|set| set.name.as_ref());
    names.find(|name| environment::is_loaded(name) && !named(name))
}

/// How many words of one layer a rule fixes, which may be written for that layer or for one around it.
fn fixed_words(rule: &BashRule, layers: &Layers<'_, '_>, words: &[ShellWord<'_>]) -> usize {
    let around = layers.through(&EVERY).filter(|outer| outer.len() >= words.len());
    let fixed = around.filter(|outer| rule.matches(&raw(outer))).map(|outer| {
        let own = rule.fixes(outer);
        own.saturating_sub(outer.len() - words.len())
    });
    fixed.max().unwrap_or(0)
}

fn words_of(seen: &FoundCommand<'_>) -> Vec<String> {
    if seen.command.assignments.is_empty() {
        seen.command.words.iter().map(|word| word.raw.to_string()).collect()
    } else {
        Vec::new()
    }
}

/// What a file that the command touches still needs.
fn access_need(shell: &Shell<'_>, access: &PathAccess, cover: &Cover) -> Option<PermissionNeed> {
    if access.how == AccessKind::Name {
        return None;
    }
    let Some(path) = access.path.as_deref() else {
        return Some(PermissionNeed::unsafe_to_guess("a path in it is not known before it runs"));
    };
    if access.climbs {
        return Some(PermissionNeed::unsafe_to_guess(format!(
            "`..` in the way to `{path}` may follow a link elsewhere"
        )));
    }
    let (context, call) = (shell.context, shell.call);
    let edits = access.how.edits();
    // A quoted wildcard is a name, but a program may still read it as a pattern.
    if edits && (access.glob || path.contains(['*', '?', '['])) {
        return Some(PermissionNeed::unsafe_to_guess(format!(
            "`{path}` is a pattern, and it is not known what would be written"
        )));
    }
    if !access.glob && file::rule(context, call, Behavior::Allow, path, false, edits).is_some() {
        return None;
    }
    if access.how == AccessKind::Write && matches!(cover, Cover::Reading) {
        return Some(PermissionNeed::unsafe_to_guess(format!("it writes `{path}`")));
    }
    let working = file::is_working(context, call, path);
    if matches!(cover, Cover::Reading) && shell.may_leave(access) {
        return Some(PermissionNeed::unsafe_to_guess(format!(
            "links below `{path}` may lead elsewhere, and it would show what is there"
        )));
    }
    if !edits {
        let wish = MissingGrant::Read(path.to_owned());
        return (!working).then(|| outside(path, wish));
    }
    let granted = match access.how {
        AccessKind::Redirect => context.mode() == Mode::AcceptEdits,
        _ => !matches!(cover, Cover::Nothing),
    };
    let wish = MissingGrant::Write { path: path.to_owned(), working };
    if !working {
        return Some(outside(path, wish));
    }
    (!granted && access.how == AccessKind::Redirect).then(|| PermissionNeed {
        reason: format!("it writes `{path}`"),
        reason_type: DecisionReasonType::SubcommandResults,
        wish: Some(wish),
    })
}

fn outside(path: &str, wish: MissingGrant) -> PermissionNeed {
    let reason = format!("`{path}` is outside the working directories");
    PermissionNeed { reason, reason_type: DecisionReasonType::WorkingDir, wish: Some(wish) }
}
