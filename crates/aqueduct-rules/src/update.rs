//! Changes to the permission context, as people grant them and hosts send them.

use aqueduct_wire::json::Str;
use aqueduct_wire::permission::{Destination, PermissionUpdate, RuleBehavior, RulesUpdate};

use crate::behavior::Behavior;
use crate::context::Context;
use crate::error::Error;
use crate::mode::Mode;
use crate::path;
use crate::rule::Rule;
use crate::source::{Editability, Source};

/// The rules of an update that can be read, all of which mean something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleChange {
    /// The rules.
    pub rules: Vec<Rule>,
    /// What they make of the calls they match.
    pub behavior: Behavior,
}

impl TryFrom<&RulesUpdate<'_>> for RuleChange {
    type Error = Error;

    fn try_from(update: &RulesUpdate<'_>) -> Result<Self, Error> {
        let behavior = update.behavior.as_ref().ok_or_else(|| lacks("behavior"))?;
        Ok(Self {
            rules: update.rules.iter().map(Rule::try_from).collect::<Result<_, _>>()?,
            behavior: Behavior::try_from(behavior)?,
        })
    }
}

impl RuleChange {
    /// The rules that an update removes. Those that mean nothing are in effect nowhere: there is nothing to remove.
    pub(crate) fn removing(update: &RulesUpdate<'_>) -> Result<Self, Error> {
        let behavior = update.behavior.as_ref().ok_or_else(|| lacks("behavior"))?;
        Ok(Self {
            rules: update.rules.iter().filter_map(|rule| Rule::try_from(rule).ok()).collect(),
            behavior: Behavior::try_from(behavior)?,
        })
    }
}

impl Source {
    /// Where an update is kept.
    pub fn of_update(update: &PermissionUpdate<'_>) -> Result<Self, Error> {
        if let PermissionUpdate::Unknown(unknown) = update {
            let problem = format!("is of no known kind: {}", unknown.raw);
            return Err(Error::Update { problem });
        }
        let destination = update.destination().ok_or_else(|| lacks("destination"))?;
        Ok(Self::try_from(destination)?)
    }
}

fn lacks(member: &str) -> Error {
    Error::Update { problem: format!("has no `{member}`") }
}

/// The update that adds rules which allow something.
pub(crate) fn allowing(rules: Vec<Rule>, source: Source) -> PermissionUpdate<'static> {
    let rules = rules.into_iter().map(Into::into).collect();
    PermissionUpdate::add_rules(rules, RuleBehavior::Allow, source.into())
}

/// The update that enters a mode for the session.
pub(crate) fn entering(mode: Mode) -> PermissionUpdate<'static> {
    PermissionUpdate::set_mode(mode.into(), Destination::Session)
}

/// The update that adds a directory for the session.
pub(crate) fn adding(directory: &str) -> PermissionUpdate<'static> {
    PermissionUpdate::add_directories(vec![directory.to_owned().into()], Destination::Session)
}

impl Context {
    /// Applies a change. The host writes it to the settings file of its destination as well, with
    /// [`crate::settings::edit`], if that destination has one.
    pub fn apply(&mut self, update: &PermissionUpdate<'_>) -> Result<(), Error> {
        let source = Source::of_update(update)?;
        if source.editability() == Editability::Readonly {
            return Err(Error::ReadOnlySource { source_name: source });
        }
        match update {
            PermissionUpdate::AddRules(update) => self.add_checked(&update.try_into()?, source),
            PermissionUpdate::ReplaceRules(update) => {
                let change = RuleChange::try_from(update)?;
                self.retain_rules(|entry| entry.source != source || entry.behavior != change.behavior);
                self.add_checked(&change, source);
            }
            PermissionUpdate::RemoveRules(update) => {
                let RuleChange { rules, behavior } = RuleChange::removing(update)?;
                self.retain_rules(|entry| {
                    let named = entry.rule.as_ref().is_ok_and(|rule| rules.contains(rule));
                    entry.source != source || entry.behavior != behavior || !named
                });
            }
            PermissionUpdate::SetMode(update) => {
                self.set_mode(Mode::try_from(&update.mode)?)?;
            }
            PermissionUpdate::AddDirectories(update) => {
                for path in self.absolute(&update.directories) {
                    self.note_grant(source, &path);
                }
                self.add_directories(source, &update.directories);
            }
            PermissionUpdate::RemoveDirectories(update) => {
                let gone = self.absolute(&update.directories);
                self.retain_directories(|kept| kept.source != source || !gone.contains(&kept.path));
            }
            // It has no destination, and was refused above.
            _ => {}
        }
        Ok(())
    }

    fn absolute(&self, directories: &[Str<'_>]) -> Vec<String> {
        directories.iter().filter_map(|path| path::absolute(path, self.cwd(), self.home())).collect()
    }

    fn add_checked(&mut self, change: &RuleChange, source: Source) {
        for rule in &change.rules {
            // A person grants an update: it counts even where the rest of its source does not.
            self.note_grant(source, &rule.to_string());
            self.add_entry(source, change.behavior, rule.to_string(), Ok(rule.clone()));
        }
    }
}
