use super::{
    Destination, DirectoriesUpdate, ModeUpdate, PermissionMode, PermissionUpdate, RuleBehavior, RuleValue,
    RulesUpdate,
};
use crate::json::Str;

impl<'a> RulesUpdate<'a> {
    /// Rules of a behaviour, kept at a destination.
    pub fn of(rules: Vec<RuleValue<'a>>, behavior: RuleBehavior<'a>, destination: Destination<'a>) -> Self {
        let mut update = RulesUpdate::new(rules);
        update.behavior = Some(behavior);
        update.destination = Some(destination);
        update
    }
}

impl<'a> PermissionUpdate<'a> {
    /// Adds rules that are not there yet.
    pub fn add_rules(
        rules: Vec<RuleValue<'a>>,
        behavior: RuleBehavior<'a>,
        destination: Destination<'a>,
    ) -> Self {
        PermissionUpdate::AddRules(RulesUpdate::of(rules, behavior, destination))
    }

    /// Replaces all rules of that behaviour at that destination.
    pub fn replace_rules(
        rules: Vec<RuleValue<'a>>,
        behavior: RuleBehavior<'a>,
        destination: Destination<'a>,
    ) -> Self {
        PermissionUpdate::ReplaceRules(RulesUpdate::of(rules, behavior, destination))
    }

    /// Removes rules.
    pub fn remove_rules(
        rules: Vec<RuleValue<'a>>,
        behavior: RuleBehavior<'a>,
        destination: Destination<'a>,
    ) -> Self {
        PermissionUpdate::RemoveRules(RulesUpdate::of(rules, behavior, destination))
    }

    /// Enters a mode.
    pub fn set_mode(mode: PermissionMode<'a>, destination: Destination<'a>) -> Self {
        let mut update = ModeUpdate::new(mode);
        update.destination = Some(destination);
        PermissionUpdate::SetMode(update)
    }

    /// Adds working directories.
    pub fn add_directories(directories: Vec<Str<'a>>, destination: Destination<'a>) -> Self {
        let mut update = DirectoriesUpdate::new(directories);
        update.destination = Some(destination);
        PermissionUpdate::AddDirectories(update)
    }

    /// Removes working directories.
    pub fn remove_directories(directories: Vec<Str<'a>>, destination: Destination<'a>) -> Self {
        let mut update = DirectoriesUpdate::new(directories);
        update.destination = Some(destination);
        PermissionUpdate::RemoveDirectories(update)
    }

    /// Where the change is kept; `None` if it does not state it, or is of an unknown kind.
    pub fn destination(&self) -> Option<&Destination<'a>> {
        match self {
            PermissionUpdate::AddRules(update)
            | PermissionUpdate::ReplaceRules(update)
            | PermissionUpdate::RemoveRules(update) => update.destination.as_ref(),
            PermissionUpdate::SetMode(update) => update.destination.as_ref(),
            PermissionUpdate::AddDirectories(update) | PermissionUpdate::RemoveDirectories(update) => {
                update.destination.as_ref()
            }
            PermissionUpdate::Unknown(_) => None,
        }
    }
}
