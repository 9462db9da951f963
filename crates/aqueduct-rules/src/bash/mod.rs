//! Decisions about shell commands.
//!
//! What forbids looks at every command in the text and at every command those run. What permits must
//! account for every command at the top of the text, one by one, and gives up at the first uncertainty.
//!
//! | file | contents |
//! |---|---|
//! | `look.rs`, `judge.rs` | every command in a text; what permits one |
//! | `inside.rs`, `wrapper.rs`, `mention.rs`, `environment.rs` | nested commands, wrappers, programs that arguments name, variables that change what runs |
//! | `reading.rs`, `writing.rs`, `sed.rs`, `access.rs`, `recursion.rs`, `reach.rs` | commands that only read, and the options that change that; files and folders that commands touch, also without naming them |
//! | `git.rs`, `git_rule.rs`, `git_options.rs`, `git_table.rs` | git: commands that read; the table of what rules cover |
//! | `git_contact.rs`, `git_place.rs`, `git_access.rs` | git: repositories it contacts, where it runs, files it touches |
//! | `other_vcs.rs` | other version control systems |
//! | `options/` | the options that rules with a prefix cover, one table for each kind of program |

mod access;
mod environment;
mod git;
mod git_access;
mod git_contact;
mod git_options;
mod git_place;
mod git_rule;
mod git_table;
mod inside;
mod judge;
mod look;
mod mention;
mod options;
mod other_vcs;
mod reach;
mod reading;
mod recursion;
mod sed;
mod wrapper;
mod writing;

use std::collections::HashSet;

use access::{AccessKind, PathAccess};
use look::{CommandAnalysis, FoundCommand, joined};

use aqueduct_wire::control::DecisionReasonType;

use crate::behavior::Behavior;
use crate::call::Call;
use crate::context::Context;
use crate::decision::{Part, Stage};
use crate::file;
use crate::mode::Mode;
use crate::outcome::PartialDecision;
use crate::place;
use crate::program_name::known_name;

/// The absolute paths that a command text is seen to touch.
pub(crate) fn paths(context: &Context, text: &str) -> Vec<String> {
    let look = look::look(text, context.cwd(), context.home());
    let accesses = look.seen.iter().flat_map(|seen| look.touched_by(seen, context.home()));
    // What is only mentioned in a text or matched by a wildcard given to some program leads nowhere by
    // itself.
    let accesses = accesses.filter(|access| access.how != AccessKind::Name || !access.glob);
    let mut paths = Vec::new();
    for access in accesses {
        let Some(path) = access.path else { continue };
        if access.follows {
            paths.push(reach::links_below(&path));
        }
        paths.push(path);
    }
    // What a list of names is fed to opens what they lead to.
    if look.seen.iter().any(|seen| seen.program() == "xargs") {
        let lists = look.seen.iter().filter(|seen| reading::lists_names(seen.program(), &seen.values()));
        paths.extend(lists.flat_map(|seen| reach::listed(&look, seen, context.home())));
    }
    paths.sort();
    paths.dedup();
    paths
}

/// The absolute paths of the directories in which a command text is seen to run git.
pub(crate) fn git_directories(context: &Context, text: &str) -> Vec<String> {
    // Nearly all commands are other ones. What is spelled in another way is not found here, and then it is asked.
    if !git_place::may_use_repository(text) {
        return Vec::new();
    }
    let look = look::look(text, context.cwd(), context.home());
    let runs = look.seen.iter().filter(|seen| git_place::uses_repository(seen.program()));
    let all = runs.filter_map(|seen| git_place::directories(&seen.command.words, &look, context.home()));
    let mut directories: Vec<String> = all.flatten().collect();
    directories.sort();
    directories.dedup();
    directories
}

/// What a command text is seen to do, whatever is allowed.
pub(crate) struct CommandView<'a> {
    text: &'a str,
    look: CommandAnalysis<'a>,
    /// For each command that was seen, the files it touches.
    touched: Vec<Vec<PathAccess>>,
}

impl<'a> CommandView<'a> {
    pub(crate) fn new(context: &'a Context, text: &'a str) -> Self {
        let look = look::look(text, context.cwd(), context.home());
        let touched = look.seen.iter().map(|seen| look.touched_by(seen, context.home())).collect();
        Self { text, look, touched }
    }
}

/// Decides about a shell command. `asked` is an ask rule for the whole tool.
pub(crate) fn outcome(
    context: &Context,
    call: &Call<'_>,
    command_view: Option<&CommandView<'_>>,
    asked: Option<usize>,
) -> PartialDecision {
    let Some(CommandView { text, look, touched }) = command_view else {
        let reason = "the call has no command";
        return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, None);
    };
    if let Some(c) = text.chars().find(|c| c.is_control() && !matches!(c, '\t' | '\n')) {
        let reason = format!(
            "the command contains the control character U+{:04X}, which can hide what runs",
            u32::from(c)
        );
        return PartialDecision::new(Behavior::Deny, DecisionReasonType::SafetyCheck, reason)
            .at(Stage::Tool, None);
    }
    let shell = Shell::new(context, call, look, touched);
    let mut outcome = shell.decide(asked);
    outcome.parts = shell.parts(&outcome);
    outcome
}

/// Whether each command is permitted, where it is known that nothing forbids or endangers.
pub(crate) fn permits(context: &Context, call: &Call<'_>, command_view: &CommandView<'_>) -> bool {
    judge::commands(&Shell::new(context, call, &command_view.look, &command_view.touched)).behavior
        == Behavior::Allow
}

/// A shell call while it is decided.
struct Shell<'s> {
    context: &'s Context,
    call: &'s Call<'s>,
    look: &'s CommandAnalysis<'s>,
    /// For each command that was seen, the files it touches.
    touched: &'s [Vec<PathAccess>],
    /// Whether any of them writes a file, and whether any of them is git.
    writes: bool,
    uses_git: bool,
    /// Whether one of them may write what git, beside it, trusts where it finds it.
    plants: bool,
    /// Whether one of them may make a folder a repository that git, beside it, then uses.
    makes_repository: bool,
    /// Whether the text itself has at most one command.
    alone: bool,
    /// Paths that the text itself makes, which may be folders whatever their names.
    made: HashSet<&'s str>,
}

impl<'s> Shell<'s> {
    fn new(
        context: &'s Context,
        call: &'s Call<'s>,
        look: &'s CommandAnalysis<'s>,
        touched: &'s [Vec<PathAccess>],
    ) -> Self {
        let writes = touched.iter().flatten().any(|access| access.how.edits());
        let beside_git = look.seen.iter().zip(touched).filter(|(seen, _)| seen.program() != "git");
        let others = beside_git.clone().flat_map(|(_, accesses)| accesses);
        let copies = |seen: &FoundCommand<'_>| writing::writes(seen.program(), &seen.values()).is_some();
        let written = beside_git.filter(|(seen, _)| copies(seen)).flat_map(|(_, accesses)| accesses);
        let redirected = touched.iter().flatten().filter(|access| access.how == AccessKind::Redirect);
        let uses_git = look.seen.iter().any(|seen| seen.program() == "git");
        let makes_repository =
            uses_git && written.chain(redirected.clone()).any(PathAccess::may_make_repository);
        let plants = uses_git && others.chain(redirected).any(PathAccess::may_feed_git);
        let alone = look.seen.iter().filter(|seen| seen.top).nth(1).is_none();
        let makes = |program: &str| matches!(program, "mv" | "cp" | "ln" | "rsync" | "install" | "mkdir");
        let makers = look.seen.iter().zip(touched).filter(|(seen, _)| makes(seen.program()));
        let edits = makers.flat_map(|(_, accesses)| accesses).filter(|access| access.how.edits());
        let made = edits.filter_map(|access| access.path.as_deref()).collect();
        Self { context, call, look, touched, writes, uses_git, plants, makes_repository, alone, made }
    }
}

impl Shell<'_> {
    fn decide(&self, asked: Option<usize>) -> PartialDecision {
        if let Some(outcome) = self.forbidden(Behavior::Deny, Stage::Deny) {
            return outcome;
        }
        if let Some(index) = asked {
            return PartialDecision::by_rule(self.context, index, Stage::Ask, None);
        }
        if let Some(outcome) = self.forbidden(Behavior::Ask, Stage::Ask) {
            return outcome;
        }
        if let Some(index) = self.context.rule_set().broken_for(self.call.tool) {
            return PartialDecision::by_rule(self.context, index, Stage::Ask, None);
        }
        if let Some(outcome) = self.perhaps_forbidden() {
            return outcome;
        }
        if self.context.mode() == Mode::BypassPermissions {
            let reason = "bypassPermissions allows it";
            return PartialDecision::new(Behavior::Allow, DecisionReasonType::Mode, reason)
                .at(Stage::Mode, None);
        }
        if let Some(outcome) = self.endangers() {
            return outcome;
        }
        if self.context.is_sandboxed() {
            let reason = "it runs in the sandbox";
            return PartialDecision::new(Behavior::Allow, DecisionReasonType::OtherReason, reason)
                .at(Stage::Tool, None);
        }
        let whole = self.context.rule_set().whole_tool(Behavior::Allow, self.call.tool);
        // Plan mode is for reading: a rule for every command would defeat it.
        if let Some(index) = whole.filter(|_| self.context.mode() != Mode::Plan) {
            return PartialDecision::by_rule(self.context, index, Stage::Allow, None);
        }
        if let Some(uncertainty) = self.look.uncertainties.first() {
            return PartialDecision::new(
                Behavior::Ask,
                DecisionReasonType::SafetyCheck,
                uncertainty.reason(),
            )
            .at(Stage::Tool, None);
        }
        if self.look.unseen {
            let reason = "part of the command can't be seen before it runs";
            return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
                .at(Stage::Tool, None);
        }
        if self.look.lost {
            let reason = "it is not known where relative paths are counted from after the directory changes";
            return PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
                .at(Stage::Tool, None);
        }
        if let Some(matched) = self.follows_a_move() {
            return unsafe_step("a path leads through what was moved before".to_owned(), matched);
        }
        judge::commands(self)
    }

    fn commands(&self) -> impl Iterator<Item = (&FoundCommand<'_>, &[PathAccess])> {
        self.look.seen.iter().zip(self.touched.iter().map(Vec::as_slice))
    }

    /// A deny or ask rule that matches one of the commands or one of the files they touch.
    fn forbidden(&self, behavior: Behavior, stage: Stage) -> Option<PartialDecision> {
        let rules = self.context.rule_set();
        let has_rules = rules.has_bash_rules(behavior);
        let has_file_rules = rules.has_file_rules(behavior);
        for (seen, accesses) in self.commands() {
            let raw = seen.command.words.first().map_or("", |word| word.raw.as_ref());
            let name = known_name(seen.program());
            let program = if name.starts_with("git-") { "git" } else { name.as_ref() };
            let concerned = has_rules
                && (rules.concerns(behavior, raw) || raw != program && rules.concerns(behavior, program));
            if let Some(index) = concerned.then(|| rules.bash(behavior, &seen.texts())).flatten() {
                return Some(PartialDecision::by_rule(self.context, index, stage, Some(written(seen))));
            }
            for access in accesses.iter().filter(|_| has_file_rules) {
                let Some(path) = access.path.as_deref().filter(|_| !access.glob) else { continue };
                if let Some(index) =
                    file::rule(self.context, self.call, behavior, path, false, access.how.edits())
                {
                    return Some(PartialDecision::by_rule(self.context, index, stage, Some(path.to_owned())));
                }
            }
        }
        None
    }

    /// Where a deny or ask rule exists, what could turn out to match it is asked.
    fn perhaps_forbidden(&self) -> Option<PartialDecision> {
        let rules = self.context.rule_set();
        for behavior in [Behavior::Deny, Behavior::Ask] {
            let has_rules = rules.has_bash_rules(behavior);
            if self.look.unseen && has_rules {
                let reason =
                    "part of the command can't be seen before it runs, and a rule forbids some commands";
                return Some(
                    PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
                        .at(Stage::Tool, None),
                );
            }
            let renames = |seen: &&FoundCommand<'_>| {
                seen.program() == "git" && git::names_commands(&seen.values())
                    || seen.command.assignments.iter().any(|set| set.name.starts_with("GIT_CONFIG"))
                    || seen.command.words.iter().any(|word| word.value.starts_with("GIT_CONFIG"))
            };
            if has_rules
                && rules.concerns(behavior, "git")
                && let Some(seen) = self.look.seen.iter().find(renames)
            {
                let reason = "it gives a git command another name, and a rule forbids some of git's commands";
                let matched = Some(written(seen));
                return Some(
                    PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
                        .at(Stage::Tool, matched),
                );
            }
            for seen in self.look.seen.iter().filter(|seen| has_rules && !seen.is_certain()) {
                let first = seen.command.words.first().filter(|word| word.known && !word.glob);
                let candidates = rules.bash_candidates(behavior, first.map(|_| seen.program()));
                if let Some((index, _)) =
                    candidates.iter().find(|(_, rule)| rule.could_match(&seen.command.words))
                {
                    let text = &rules.entry(*index).text;
                    let reason =
                        format!("`{}` could turn out to be what rule `{text}` forbids", written(seen));
                    let matched = Some(written(seen));
                    return Some(
                        PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
                            .at(Stage::Tool, matched),
                    );
                }
            }
            if let Some((index, seen)) = has_rules.then(|| mention::find(self, behavior)).flatten() {
                let text = &rules.entry(index).text;
                let reason = format!("`{}` may run what rule `{text}` forbids", written(seen));
                let matched = Some(written(seen));
                return Some(
                    PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
                        .at(Stage::Tool, matched),
                );
            }
            if let Some(matched) = self.perhaps_forbidden_file(behavior) {
                let reason = "the command may reach a file that a rule forbids";
                return Some(
                    PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
                        .at(Stage::Tool, Some(matched)),
                );
            }
        }
        None
    }

    /// Credentials, edits of protected places, and removals of what must not be removed are asked regardless
    /// of the rules.
    fn endangers(&self) -> Option<PartialDecision> {
        for (seen, accesses) in self.commands() {
            let removes = writing::removes(seen.program());
            for access in accesses {
                let Some(path) = access.path.as_deref() else { continue };
                if let Some(what) = file::credential(self.context, self.call, path, access.glob) {
                    let reason = format!("`{path}` holds credentials ({what}), and no rule names it");
                    return Some(unsafe_step(reason, path.to_owned()));
                }
                if self.sweeps_credentials(access) {
                    let reason = format!("credentials may be among the files below `{path}`");
                    return Some(unsafe_step(reason, path.to_owned()));
                }
            }
            for access in accesses.iter().filter(|access| access.how.edits()) {
                let Some(path) = access.path.as_deref() else {
                    if removes {
                        let reason = "it is not known what would be removed";
                        return Some(unsafe_step(reason.to_owned(), written(seen)));
                    }
                    continue;
                };
                if let Some(why) = file::protection(self.context, self.call, path) {
                    let reason = format!("`{path}` is a protected place: {why}");
                    return Some(unsafe_step(reason, path.to_owned()));
                }
                let above = if access.glob { crate::path::parent(path) } else { path };
                if removes && place::is_critical(above, self.context.cwd(), self.context.home()) {
                    let reason = format!("`{path}` holds the project, a home or the system");
                    return Some(unsafe_step(reason, path.to_owned()));
                }
            }
        }
        None
    }

    /// The commands with what they touch, for people.
    fn parts(&self, outcome: &PartialDecision) -> Vec<Part> {
        const MOST: usize = 64;
        let mut parts = Vec::new();
        for (seen, accesses) in self.commands().take(MOST) {
            let paths = |edits: bool| {
                let mut paths: Vec<String> = accesses
                    .iter()
                    .filter(|access| access.how != AccessKind::Name && access.how.edits() == edits)
                    .filter_map(|access| access.path.clone())
                    .collect();
                paths.dedup();
                paths
            };
            let programs = match seen.program() {
                "" => Vec::new(),
                program => vec![program.to_owned()],
            };
            let command = written(seen);
            let own = outcome.steps.iter().find(|step| step.matched.as_deref() == Some(&command));
            parts.push(Part {
                command,
                inside: !seen.top,
                reads: paths(false),
                writes: paths(true),
                network: writing::uses_network(seen.program()),
                programs,
                behavior: own.map_or(outcome.behavior, |step| step.behavior),
                because: own.map_or_else(|| outcome.reason.clone(), |step| step.note.clone()),
            });
        }
        parts
    }
}

fn unsafe_step(reason: String, matched: String) -> PartialDecision {
    PartialDecision::new(Behavior::Ask, DecisionReasonType::SafetyCheck, reason)
        .at(Stage::Tool, Some(matched))
}

/// A command as written, with single spaces between its words.
fn written(seen: &FoundCommand<'_>) -> String {
    let assignments = seen.command.assignments.iter().map(|assignment| assignment.raw.as_ref());
    joined(assignments.chain(seen.command.words.iter().map(|word| word.raw.as_ref())))
}
