use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::{SETTINGS, SettingOrigin, UserEnvironment};

/// The settings of one source: the flags, the variables or the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ConfigLayer {
    given: BTreeMap<&'static str, GivenValue>,
}

/// What was given for a setting, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GivenValue {
    /// One value, or several where the setting is a list.
    pub(crate) values: Vec<OsString>,
    /// Who gave it.
    pub(crate) origin: SettingOrigin,
}

impl ConfigLayer {
    /// Notes what was given.
    pub(crate) fn give(&mut self, name: &'static str, values: Vec<OsString>, origin: SettingOrigin) {
        self.given.insert(name, GivenValue { values, origin });
    }

    /// What was given for a setting.
    pub(crate) fn get(&self, name: &str) -> Option<&GivenValue> {
        self.given.get(name)
    }

    /// The settings of the variables. An empty one is unset; lists are separated by commas.
    pub(crate) fn of_variables(environment: &UserEnvironment) -> Self {
        let mut layer = ConfigLayer::default();
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
            layer.give(setting.name, values, SettingOrigin::Variable(variable));
        }
        layer
    }
}
