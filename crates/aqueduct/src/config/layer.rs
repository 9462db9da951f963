use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::{Environment, Origin, SETTINGS};

/// The settings of one source: the flags, the variables or the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Layer {
    given: BTreeMap<&'static str, Given>,
}

/// What was given for a setting, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    /// One value, or several where the setting is a list.
    pub(crate) values: Vec<OsString>,
    /// Who gave it.
    pub(crate) origin: Origin,
}

impl Layer {
    /// Notes what was given.
    pub(crate) fn give(&mut self, name: &'static str, values: Vec<OsString>, origin: Origin) {
        self.given.insert(name, Given { values, origin });
    }

    /// What was given for a setting.
    pub(crate) fn get(&self, name: &str) -> Option<&Given> {
        self.given.get(name)
    }

    /// The settings of the variables. An empty one is unset; lists are separated by commas.
    pub(crate) fn of_variables(environment: &Environment) -> Self {
        let mut layer = Layer::default();
        for setting in SETTINGS {
            let variable = setting.variable();
            let Some(value) = environment.variable(&variable) else { continue };
            let values = match setting.kind.is_list() {
                true => value
                    .as_bytes()
                    .split(|byte| *byte == b',')
                    .map(|item| item.trim_ascii())
                    .filter(|item| !item.is_empty())
                    .map(|item| OsString::from_vec(item.to_vec()))
                    .collect(),
                false => vec![value.to_owned()],
            };
            layer.give(setting.name, values, Origin::Variable(variable));
        }
        layer
    }
}
