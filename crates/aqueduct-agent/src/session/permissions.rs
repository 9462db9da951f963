//! The permissions of a session: rules, mode and denials.

use std::sync::Mutex;

use aqueduct_os::mutex::lock;
use aqueduct_rules::settings::Settings;
use aqueduct_rules::{Behavior, Call, Context, Error, Mode, Source, decide};
use aqueduct_wire::control::DecisionReasonType;
use aqueduct_wire::frame::PermissionDenial;
use aqueduct_wire::permission::{PermissionMode, PermissionUpdate};
use serde_json::Value;

/// What the session allows, and the calls of subagents that were denied.
///
/// One lock covers the rules, the mode (which is part of them) and the mode to return to after planning: a change of
/// mode updates both modes, and no decision is made with half of an update.
#[derive(Debug)]
pub(crate) struct Permissions {
    state: Mutex<PermissionsState>,
}

#[derive(Debug)]
struct PermissionsState {
    /// Mode, rules and folders.
    rules: Context,
    /// The mode to return to after planning.
    before_plan: Mode,
    /// Calls of subagents that were denied since the newest result.
    denials: Vec<PermissionDenial<'static>>,
}

impl Permissions {
    /// The permissions at the start of a session.
    pub(super) fn new(rules: Context) -> Self {
        let state = PermissionsState { rules, before_plan: Mode::Default, denials: Vec::new() };
        Permissions { state: Mutex::new(state) }
    }

    /// The permission mode.
    pub(crate) fn mode(&self) -> Mode {
        lock(&self.state).rules.mode()
    }

    /// The permission mode as frames write it.
    pub(crate) fn wire_mode(&self) -> PermissionMode<'static> {
        PermissionMode::from(self.mode().name())
    }

    /// A copy of the rules, with the mode and the folders.
    pub(crate) fn rules(&self) -> Context {
        lock(&self.state).rules.clone()
    }

    /// Whether the mode that allows everything can be entered.
    pub(crate) fn is_bypass_available(&self) -> bool {
        lock(&self.state).rules.is_bypass_available()
    }

    /// Whether a rule denies all calls of an MCP server's tool.
    pub(super) fn forbids(&self, tool: &str) -> bool {
        let decision = decide(&lock(&self.state).rules, &Call::new(tool, &Value::Null));
        decision.behavior == Behavior::Deny && decision.reason_type == DecisionReasonType::Rule
    }

    /// The names of the tools that a rule denies altogether: the model does not receive their definitions.
    pub(super) fn denied_tools(&self) -> Vec<String> {
        let state = lock(&self.state);
        let denied = state.rules.rules().filter(|entry| entry.behavior == Behavior::Deny);
        let names = denied.filter_map(|entry| {
            entry.rule.as_ref().ok().map(ToString::to_string).filter(|rule| !rule.contains('('))
        });
        names.collect()
    }

    /// Enters a mode.
    pub(crate) fn set_mode(&self, mode: Mode) -> Result<(), Error> {
        lock(&self.state).set_mode(mode)
    }

    /// Enters plan mode, unless it is on; whether the mode has changed.
    pub(crate) fn begin_planning(&self) -> bool {
        let mut state = lock(&self.state);
        let begins = state.rules.mode() != Mode::Plan;
        if begins {
            state.set_mode_or_default(Mode::Plan);
        }
        begins
    }

    /// Returns to the mode before planning, unless another mode was chosen meanwhile; whether plan mode was on.
    pub(crate) fn end_planning(&self) -> bool {
        let mut state = lock(&self.state);
        let ends = state.rules.mode() == Mode::Plan;
        if ends {
            let before = state.before_plan;
            state.set_mode_or_default(before);
        }
        ends
    }

    /// Applies an update of the host; whether the mode has changed.
    pub(crate) fn apply(&self, update: &PermissionUpdate<'_>) -> Result<bool, Error> {
        let mut state = lock(&self.state);
        let before = state.rules.mode();
        state.rules.apply(update)?;
        state.note_mode(before);
        Ok(state.rules.mode() != before)
    }

    /// Applies settings that the host sends while the session runs. If their mode can't be entered, nothing changes.
    pub(super) fn apply_flag_settings(&self, settings: &Settings) -> Result<(), Error> {
        let mut state = lock(&self.state);
        if let Some(mode) = settings.default_mode {
            state.rules.set_mode(mode)?;
        }
        settings.add_to(&mut state.rules, Source::FlagSettings);
        Ok(())
    }

    /// Applies the settings of an organisation.
    pub(super) fn apply_policy(&self, settings: &Settings) {
        let mut state = lock(&self.state);
        let mut rules = state.rules.clone().with_managed_rules_only(settings.managed_rules_only);
        if settings.disables_bypass {
            rules = rules.with_bypass_disabled(true);
        }
        settings.add_to(&mut rules, Source::PolicySettings);
        state.rules = rules;
    }

    /// Adds the rules and folders of settings files.
    pub(super) fn add_settings(&self, files: impl IntoIterator<Item = (Source, Settings)>) {
        let mut state = lock(&self.state);
        for (source, settings) in files {
            settings.add_to(&mut state.rules, source);
        }
    }

    /// Allows the tools that a custom command names, until [`Permissions::end_commands`].
    pub(crate) fn allow_for_command(&self, tools: &[String]) {
        // What can't be used allows nothing.
        let _ = lock(&self.state).rules.add_rules(Source::Command, Behavior::Allow, tools);
    }

    /// Removes the rules of custom commands.
    pub(crate) fn end_commands(&self) {
        lock(&self.state).rules.remove_rules(Source::Command);
    }

    /// Notes that a call of a subagent was denied, for the next result.
    pub(crate) fn note_denial(&self, denial: PermissionDenial<'static>) {
        lock(&self.state).denials.push(denial);
    }

    /// Takes the denied calls of subagents since the newest result.
    pub(crate) fn take_denials(&self) -> Vec<PermissionDenial<'static>> {
        std::mem::take(&mut lock(&self.state).denials)
    }
}

impl PermissionsState {
    fn set_mode(&mut self, mode: Mode) -> Result<(), Error> {
        let before = self.rules.mode();
        self.rules.set_mode(mode)?;
        self.note_mode(before);
        Ok(())
    }

    /// Enters a mode that may not be available any more; then the user is asked as by default.
    fn set_mode_or_default(&mut self, mode: Mode) {
        if self.set_mode(mode).is_err() {
            let _ = self.set_mode(Mode::Default);
        }
    }

    /// Stores the mode that planning was entered from.
    fn note_mode(&mut self, before: Mode) {
        if self.rules.mode() == Mode::Plan && before != Mode::Plan {
            self.before_plan = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permissions(mode: Mode) -> Permissions {
        Permissions::new(Context::new("/project").with_mode(mode).unwrap())
    }

    #[test]
    fn planning_returns_to_the_mode_before_it() {
        let permissions = permissions(Mode::AcceptEdits);
        assert!(permissions.begin_planning());
        assert!(!permissions.begin_planning(), "plan mode is on already");
        assert_eq!(permissions.mode(), Mode::Plan);
        assert!(permissions.end_planning());
        assert_eq!(permissions.mode(), Mode::AcceptEdits);
        assert!(!permissions.end_planning(), "another mode is on");
    }

    #[test]
    fn a_mode_that_was_chosen_while_planning_stays() {
        let permissions = permissions(Mode::Default);
        permissions.begin_planning();
        permissions.set_mode(Mode::AcceptEdits).unwrap();
        assert!(!permissions.end_planning());
        assert_eq!(permissions.mode(), Mode::AcceptEdits);
    }

    #[test]
    fn rules_of_custom_commands_end() {
        let permissions = permissions(Mode::Default);
        permissions.allow_for_command(&["Bash(ls)".to_owned()]);
        assert_eq!(permissions.rules().rules().count(), 1);
        permissions.end_commands();
        assert_eq!(permissions.rules().rules().count(), 0);
    }
}
