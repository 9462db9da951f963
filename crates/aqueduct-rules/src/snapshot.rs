//! The permission context as hosts and debuggers know it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::behavior::Behavior;
use crate::context::{Context, Directory};
use crate::mode::Mode;
use crate::source::Source;

/// The permission context in the form that is known as `toolPermissionContext`: every source has its list of
/// rules, also where that is empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Snapshot {
    /// The mode.
    pub mode: Mode,
    /// The directories beside the one in which the agent was started, by path.
    pub additional_working_directories: BTreeMap<String, Directory>,
    /// The rules that allow, as they were written.
    pub always_allow_rules: BTreeMap<Source, Vec<String>>,
    /// The rules that deny.
    pub always_deny_rules: BTreeMap<Source, Vec<String>>,
    /// The rules that ask.
    pub always_ask_rules: BTreeMap<Source, Vec<String>>,
    /// Whether bypassing can be entered.
    pub is_bypass_permissions_mode_available: bool,
    /// Whether no user can be asked, so that what would be asked is denied.
    pub should_avoid_permission_prompts: bool,
}

impl Snapshot {
    /// What the context holds now.
    pub fn of(context: &Context) -> Self {
        let rules = |behavior: Behavior| {
            let mut lists: BTreeMap<Source, Vec<String>> =
                Source::ALL.into_iter().map(|source| (source, Vec::new())).collect();
            for entry in context.rules().filter(|entry| entry.behavior == behavior) {
                lists.entry(entry.source).or_default().push(entry.text.clone());
            }
            lists
        };
        Snapshot {
            mode: context.mode(),
            additional_working_directories: context
                .directories()
                .iter()
                .map(|directory| (directory.path.clone(), directory.clone()))
                .collect(),
            always_allow_rules: rules(Behavior::Allow),
            always_deny_rules: rules(Behavior::Deny),
            always_ask_rules: rules(Behavior::Ask),
            is_bypass_permissions_mode_available: context.is_bypass_available(),
            should_avoid_permission_prompts: context.avoids_prompts(),
        }
    }
}
