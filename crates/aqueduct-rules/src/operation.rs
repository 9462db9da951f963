//! Changes to the permission context, as people grant them and hosts send them.

use serde::{Deserialize, Serialize};

use crate::behavior::Behavior;
use crate::context::Context;
use crate::error::Error;
use crate::mode::Mode;
use crate::path;
use crate::rule::Rule;
use crate::source::{Editability, Source};

/// One change and where it is kept. Its JSON is the permission update of the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Operation {
    /// Adds rules that are not there yet.
    AddRules {
        /// The rules.
        rules: Vec<Rule>,
        /// What they make of the calls they match.
        behavior: Behavior,
        /// Where they are kept.
        destination: Source,
    },
    /// Puts these rules in the place of all rules of that behavior.
    ReplaceRules {
        /// The rules.
        rules: Vec<Rule>,
        /// What they make of the calls they match.
        behavior: Behavior,
        /// Where they are kept.
        destination: Source,
    },
    /// Takes rules away.
    RemoveRules {
        /// The rules.
        rules: Vec<Rule>,
        /// What they make of the calls they match.
        behavior: Behavior,
        /// Where they are kept.
        destination: Source,
    },
    /// Changes the mode.
    SetMode {
        /// The new mode.
        mode: Mode,
        /// Where it is kept.
        destination: Source,
    },
    /// Adds directories to work in.
    AddDirectories {
        /// Their absolute paths.
        directories: Vec<String>,
        /// Where they are kept.
        destination: Source,
    },
    /// Takes directories away.
    RemoveDirectories {
        /// Their absolute paths.
        directories: Vec<String>,
        /// Where they are kept.
        destination: Source,
    },
}

impl Operation {
    /// Where the change is kept.
    pub fn destination(&self) -> Source {
        match self {
            Self::AddRules { destination, .. }
            | Self::ReplaceRules { destination, .. }
            | Self::RemoveRules { destination, .. }
            | Self::SetMode { destination, .. }
            | Self::AddDirectories { destination, .. }
            | Self::RemoveDirectories { destination, .. } => *destination,
        }
    }
}

impl Context {
    /// Applies a change. The host writes it to the settings file of its destination as well, with
    /// [`crate::settings::edit`], if that destination has one.
    pub fn apply(&mut self, operation: &Operation) -> Result<(), Error> {
        let source = operation.destination();
        if source.editability() == Editability::Readonly {
            return Err(Error::ReadOnlySource { source_name: source });
        }
        match operation {
            Operation::AddRules { rules, behavior, .. } => self.add_parsed(rules, *behavior, source)?,
            Operation::ReplaceRules { rules, behavior, .. } => {
                check(rules)?;
                self.retain_rules(|entry| entry.source != source || entry.behavior != *behavior);
                self.add_parsed(rules, *behavior, source)?;
            }
            Operation::RemoveRules { rules, behavior, .. } => self.retain_rules(|entry| {
                let named = entry.rule.as_ref().is_ok_and(|rule| rules.contains(rule));
                entry.source != source || entry.behavior != *behavior || !named
            }),
            Operation::SetMode { mode, .. } => self.set_mode(*mode)?,
            Operation::AddDirectories { directories, .. } => {
                let (cwd, home) = (self.cwd().to_owned(), self.home().map(str::to_owned));
                let paths = directories.iter().filter_map(|path| path::absolute(path, &cwd, home.as_deref()));
                paths.for_each(|path| self.note_grant(source, &path));
                self.add_directories(source, directories);
            }
            Operation::RemoveDirectories { directories, .. } => {
                let (cwd, home) = (self.cwd().to_owned(), self.home().map(str::to_owned));
                let gone: Vec<String> = directories
                    .iter()
                    .filter_map(|path| path::absolute(path, &cwd, home.as_deref()))
                    .collect();
                self.retain_directories(|kept| kept.source != source || !gone.contains(&kept.path));
            }
        }
        Ok(())
    }

    fn add_parsed(&mut self, rules: &[Rule], behavior: Behavior, source: Source) -> Result<(), Error> {
        check(rules)?;
        for rule in rules {
            // An operation is what a person grants: it counts, whoever wrote the rest of that source.
            self.note_grant(source, &rule.to_string());
            self.add_entry(source, behavior, rule.to_string(), Ok(rule.clone()));
        }
        Ok(())
    }
}

/// Rules that arrive as data must mean something: a person has just been shown them.
fn check(rules: &[Rule]) -> Result<(), Error> {
    match rules.iter().find_map(|rule| rule.problem().map(|problem| (rule, problem))) {
        Some((rule, problem)) => Err(Error::Rule { rule: rule.to_string(), problem }),
        None => Ok(()),
    }
}
